import { refuse, refuseParameter } from "../contract/errors.ts";
import { choicesMax, requestMsMax } from "../contract/limits.ts";
import { zeroUsd, type MicroUsd } from "../contract/money.ts";
import { accept, type Outcome, type Refused } from "../contract/outcome.ts";
import type { Price, RateCard, Rates } from "../contract/pricing.ts";
import { isFree } from "./cost.ts";
import { amountOf } from "./rate.ts";
import { cardOf, isLong, periodsBetween, tierName } from "./rate-selection.ts";

/** The properties of a request that decide its cost, read from its bytes before it is sent. */
export interface WorstCaseRequest {
  /**
   * Bytes that hold all text of the request: at most the body's. A token of a byte-level tokenizer
   * stands for at least one byte, and JSON spells no character in fewer bytes than UTF-8.
   */
  readonly textBytes: number;
  /**
   * Bytes of `tools` and other definitions that may grow when the provider rewrites them for the model;
   * definitions that it writes once more count twice.
   */
  readonly toolBytes: number;
  readonly messages: number;
  readonly tools: number;
  /**
   * Images, audio, documents, ids of data that the provider stores: the tokens can't be derived from
   * the bytes.
   */
  readonly hasMedia: boolean;
  readonly hasAudioInput: boolean;
  readonly wantsAudioOutput: boolean;
  /** `automatic`: the provider may write on its own; `5m`, `1h`: the request asks for it. */
  readonly cacheWrites: "none" | "automatic" | "5m" | "1h";
  /** Wrong parts of a prediction are billed as output too. */
  readonly predictionBytes: number;
  /** The requested choices; undefined: `n` is present but not a whole number from 1. */
  readonly choices: number | undefined;
  /** The request's own cap; null: none, or one that is not a whole number from 1. */
  readonly outputTokensMax: number | null;
  /** The most calls of the provider's own tools that the request allows. */
  readonly perUseToolCalls: number;
  /** Such calls have a fee. */
  readonly hasBilledTools: boolean;
  /**
   * Whether the provider may summarize the context before it answers, in a separate call of the
   * model. `long`: only if the context is long.
   */
  readonly compacts: "never" | "long" | "always";
  /**
   * A member that allows the provider unbounded work, such as a tool without a cap; otherwise null.
   */
  readonly unboundedBy: string | null;
  /** As the request names it; null: not named. */
  readonly serviceTier: string | null;
}

/** Tokens that providers wrap around a message: role and separators are 3 to 8 tokens. */
const messageOverheadTokens = 16;
/** Tokens that providers wrap around a tool definition, in their own notation. */
const toolOverheadTokens = 64;
/** The longest instructions that a provider adds when there are tools; Anthropic lists up to 804. */
const toolInstructionsTokens = 2_048;
/** Tokens at the start of every prompt, and additions of a template (a date, a role). */
const requestOverheadTokens = 256;
/** The smallest threshold at which Anthropic lets a request compact its context. */
const compactedTokensMin = 50_000;
/** A definition that is written anew may be indented or escaped. */
const toolBytesFactor = 2;

/** The members that define tools. */
const toolMembers: ReadonlySet<string> = new Set(["tools", "functions"]);

/**
 * The most that a request can cost, rounded up: the hold (design section 5). It uses the highest rates
 * that the request can reach from `at` on, in milliseconds since 1970: over service tiers unless it
 * names one, over long-context tiers, over prices that change while it runs. Errors:
 * `insufficient_balance` with `reason: "cost_unbounded"` if there is no upper bound,
 * `pricing_unavailable` if a needed rate is missing, `invalid_request` for an invalid `n`.
 */
export function worstCaseMicroUsd(
  request: WorstCaseRequest,
  price: Price,
  at: number,
): Outcome<MicroUsd> {
  const { choices } = request;
  if (choices === undefined || choices > choicesMax) {
    return refuseParameter("n", `"n" must be a whole number from 1 to ${choicesMax}.`);
  }
  const cards = reachableCards(request, price, at);
  if (cards === undefined) return missingRate(price, "the service tier asked for");
  const { unboundedBy } = request;
  // Such a member may cause costs at another model's price; a free model's own tools are free.
  if (cards.every(isFree) && (unboundedBy === null || toolMembers.has(unboundedBy))) {
    return accept(zeroUsd);
  }
  const input = inputTokensMax(request, price);
  const output = request.outputTokensMax ?? price.outputTokensMax ?? price.contextTokensMax;
  if (unboundedBy !== null) return unbounded(unboundedMember(unboundedBy));
  if (input === undefined) return unbounded(unboundedInput);
  if (output === null) return unbounded(unboundedOutput);
  const rates = cards.flatMap((card) => ratesWithin(card, input));
  const missing = missingOf(request, rates);
  if (missing !== undefined) return missingRate(price, missing);
  const written =
    output * choices + request.predictionBytes + summaries(request) * longestAnswer(price, output);
  const sum =
    BigInt(input) * dearest(rates, (each) => dearestInput(request, each)) +
    BigInt(written) * dearest(rates, dearestOutput) +
    BigInt(request.perUseToolCalls) * dearest(rates, ({ toolCall }) => toolCall ?? 0n) +
    dearest(rates, (each) => each.request ?? 0n);
  return accept(amountOf(sum, "up"));
}

function reachableCards(
  request: WorstCaseRequest,
  price: Price,
  at: number,
): readonly RateCard[] | undefined {
  const periods = periodsBetween(price, at, at + requestMsMax);
  const named = request.serviceTier === null ? "auto" : tierName(request.serviceTier);
  const cards: RateCard[] = [];
  for (const period of periods) {
    cards.push(period.standard);
    if (named === "auto") cards.push(...period.serviceTiers.values());
    else if (named !== null) {
      const card = cardOf(period, named);
      if (card === undefined) return undefined;
      cards.push(card);
    }
  }
  return cards.length === 0 ? undefined : cards;
}

function inputTokensMax(request: WorstCaseRequest, price: Price): number | undefined {
  const text = textTokensMax(request);
  const ceiling = price.contextTokensMax;
  // The result of a provider's tool is read as input, and everything before it is read again.
  const reads = request.perUseToolCalls + 1 + summaries(request);
  if (request.hasMedia || reads > 1) return ceiling === null ? undefined : ceiling * reads;
  return ceiling === null ? text : Math.min(ceiling, text);
}

/** The most text tokens: those in the body, and those that providers add. */
function textTokensMax(request: WorstCaseRequest): number {
  return (
    requestOverheadTokens +
    request.textBytes +
    request.messages * messageOverheadTokens +
    (request.tools === 0 ? 0 : toolInstructionsTokens) +
    request.tools * toolOverheadTokens +
    request.toolBytes * (toolBytesFactor - 1)
  );
}

/** The provider may summarize the context before each time that it reads it. */
function summaries(request: WorstCaseRequest): number {
  const { compacts, hasMedia, perUseToolCalls } = request;
  const mayBeLong = hasMedia || perUseToolCalls > 0 || textTokensMax(request) >= compactedTokensMin;
  return compacts === "always" || (compacts === "long" && mayBeLong) ? perUseToolCalls + 1 : 0;
}

/** The request's own cap may not apply to a summary. */
function longestAnswer({ outputTokensMax, contextTokensMax }: Price, capped: number): number {
  return Math.max(outputTokensMax ?? contextTokensMax ?? 0, capped);
}

function ratesWithin(card: RateCard, inputTokens: number): readonly Rates[] {
  const reached = card.longContext.filter((tier) => isLong(tier, inputTokens));
  return [card.rates, ...reached.map((tier) => tier.rates)];
}

/**
 * A unit that the request will use but that has no rate. Without this check it would be a
 * `pricing_gap` afterwards.
 */
function missingOf(request: WorstCaseRequest, all: readonly Rates[]): string | undefined {
  const lacks = (name: keyof Rates) => all.some((rates) => rates[name] === null);
  const asksFor = request.cacheWrites;
  if ((asksFor === "5m" || asksFor === "1h") && lacks("cacheWrite5m")) return "cache writes";
  if (asksFor === "1h" && lacks("cacheWrite1h")) return "cache writes for an hour";
  if (request.hasAudioInput && lacks("audioInput")) return "audio input";
  if (request.wantsAudioOutput && lacks("audioOutput")) return "audio output";
  if (request.hasBilledTools && lacks("toolCall")) return "tools of the provider";
  return undefined;
}

function dearest(all: readonly Rates[], rateIn: (rates: Rates) => bigint): bigint {
  let most = 0n;
  for (const rates of all) {
    const one = rateIn(rates);
    if (one > most) most = one;
  }
  return most;
}

function dearestInput(request: WorstCaseRequest, rates: Rates): bigint {
  const { input, cacheRead, cacheWrite5m, cacheWrite1h, audioInput, imageInput } = rates;
  const { cacheWrites, hasMedia } = request;
  return most(
    input,
    cacheRead,
    cacheWrites === "none" ? null : cacheWrite5m,
    cacheWrites === "1h" ? cacheWrite1h : null,
    hasMedia ? audioInput : null,
    hasMedia ? imageInput : null,
  );
}

function dearestOutput({ output, reasoning, audioOutput, imageOutput }: Rates): bigint {
  return most(output, reasoning, audioOutput, imageOutput);
}

function most(...rates: readonly (bigint | null)[]): bigint {
  return rates.reduce<bigint>(
    (highest, one) => (one !== null && one > highest ? one : highest),
    0n,
  );
}

function missingRate(price: Price, what: string): Refused {
  return refuse("pricing_unavailable", `The model ${price.entry} has no price for ${what}.`);
}

function unbounded(why: string): Refused {
  return refuse(
    "insufficient_balance",
    `No upper bound of the cost can be computed: ${why}, or use your own provider key.`,
    { details: { reason: "cost_unbounded" } },
  );
}

const unboundedOutput = "the output has no limit. Set max_tokens";

/** An output cap would not help. Only the operator can change this. */
const unboundedInput =
  "media and the provider's tools count as the model's context, which is not known. Send text alone, have contextTokensMax set for the model";

function unboundedMember(name: string): string {
  const cure = toolMembers.has(name)
    ? "Set max_uses on tools that the provider runs, leave out those billed by time"
    : "Leave it out";
  return `"${name}" has no limit. ${cure}`;
}
