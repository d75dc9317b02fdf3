// Writes src/billing/prices.json from the data of npm's @pydantic/genai-prices:
//   npm pack @pydantic/genai-prices && tar xzf pydantic-genai-prices-*.tgz
//   node scripts/generate-prices.ts package
// The package is not installed with the project: only its data is used, and only here.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type {
  MatchClause,
  PriceFileModel,
  PriceFilePeriod,
  PriceFileProvider,
  PriceFileRate,
  PriceFileRateName,
} from "../src/billing/price-file.ts";

const pricesPath = fileURLToPath(new URL("../src/billing/prices.json", import.meta.url));

/**
 * The used members of a provider in the package. The package's own types are less strict than its
 * data.
 */
interface SourceProvider {
  readonly id: string;
  readonly fallback_model_providers?: readonly string[];
  readonly models: readonly SourceModel[];
}
interface SourceModel {
  readonly id: string;
  readonly match: SourceMatch;
  readonly context_window?: number;
  readonly prices: SourceRates | readonly SourcePeriod[];
}
type SourceRates = Readonly<Record<string, number | SourceTiers>>;
interface SourceTiers {
  readonly base: number;
  readonly tiers: readonly { readonly start: number; readonly price: number }[];
}
interface SourcePeriod {
  readonly constraint?: {
    readonly start_date?: string;
    readonly start_time?: string;
    readonly end_time?: string;
  };
  readonly prices: SourceRates;
}
type SourceMatch = Readonly<Record<string, string | readonly SourceMatch[]>>;

/** Prices per million, or per thousand if `scale` is 1000. */
const rateNames: Readonly<Record<string, { name: PriceFileRateName; scale: 1 | 1000 }>> = {
  input_mtok: { name: "in", scale: 1 },
  output_mtok: { name: "out", scale: 1 },
  cache_read_mtok: { name: "read", scale: 1 },
  cache_write_mtok: { name: "write", scale: 1 },
  cache_write_1h_mtok: { name: "write1h", scale: 1 },
  output_reasoning_mtok: { name: "reason", scale: 1 },
  input_audio_mtok: { name: "audioIn", scale: 1 },
  output_audio_mtok: { name: "audioOut", scale: 1 },
  input_image_mtok: { name: "imageIn", scale: 1 },
  output_image_mtok: { name: "imageOut", scale: 1 },
  requests_kcount: { name: "request", scale: 1000 },
  web_searches_kcount: { name: "tool", scale: 1000 },
};
/**
 * Units that no usage object of the two wires counts. A model that is billed by them has no exact price.
 */
const uncountable = ["output_citation_mtok", "audio_hours", "input_audio_hours"];

/** The longest answers, from the providers' model pages. The package does not have them. */
const outputTokensMax: readonly (readonly [provider: string, model: RegExp, tokens: number])[] = [
  ["openai", /^gpt-3\.5/, 4_096],
  ["openai", /^gpt-4-turbo|^gpt-4-vision/, 4_096],
  ["openai", /^gpt-4(-32k)?$/, 8_192],
  ["openai", /^gpt-4o|^gpt-4\.5/, 16_384],
  ["openai", /^gpt-4\.1/, 32_768],
  ["openai", /^gpt-5(\.[1-4])?($|-)/, 128_000],
  ["openai", /^o1-preview/, 32_768],
  ["openai", /^o1-mini/, 65_536],
  ["openai", /^o[134]($|-)/, 100_000],
  ["anthropic", /^claude-3-(haiku|opus|sonnet)|^claude-2/, 4_096],
  ["anthropic", /^claude-3-5/, 8_192],
  ["anthropic", /^claude-3-7/, 128_000],
  ["anthropic", /^claude-opus-4-[01]/, 32_000],
  ["anthropic", /^claude-(sonnet-4-[05]|haiku-4-5|opus-4-5)/, 64_000],
  ["google", /^gemini-2\.0/, 8_192],
  ["google", /^gemini-(2\.5|3)/, 65_536],
];

/** The longest requests that the package lacks, from the same pages. */
const contextTokensMax: readonly (readonly [provider: string, model: RegExp, tokens: number])[] = [
  ["google", /^gemini-(2\.0|2\.5|3)/, 1_048_576],
];

/** The gateway's own provider (design section 2); its holds are small, so that many fit a demo balance. */
const demo: PriceFileProvider = {
  models: [
    {
      id: "echo",
      match: ["^"],
      context: 1_000_000,
      output: 8_192,
      prices: [{ rates: { in: "0.1", out: "1" } }],
    },
  ],
};

function providerOf(provider: SourceProvider): PriceFileProvider {
  const models = provider.models.flatMap((model) => modelOf(provider.id, model) ?? []);
  const fallbacks = provider.fallback_model_providers;
  return { ...(fallbacks === undefined ? {} : { fallbacks }), models };
}

function modelOf(provider: string, model: SourceModel): PriceFileModel | undefined {
  const answersNothing = /embed/i.test(model.id);
  const periods = Array.isArray(model.prices)
    ? (model.prices as readonly SourcePeriod[]).map((period) => periodOf(period, answersNothing))
    : [periodOf({ prices: model.prices as SourceRates }, answersNothing)];
  const complete = periods.filter((period) => period !== undefined);
  if (complete.length < periods.length) return undefined;
  const clauses = clausesOf(model.match);
  const onlyItself = clauses.length === 1 && clauses[0] === `=${model.id.toLowerCase()}`;
  const known = (table: typeof outputTokensMax) =>
    table.find(([of, id]) => of === provider && id.test(model.id))?.[2];
  const output = known(outputTokensMax);
  const context = model.context_window ?? known(contextTokensMax);
  return {
    id: model.id,
    ...(onlyItself ? {} : { match: clauses }),
    ...(context === undefined ? {} : { context }),
    ...(output === undefined ? {} : { output }),
    prices: complete,
  };
}

/**
 * undefined: the model is not billed for its tokens, or is billed by units that its answers do not
 * count. An embedding model has no tokens of output, and `answersNothing` says so.
 */
function periodOf(
  { constraint, prices }: SourcePeriod,
  answersNothing: boolean,
): PriceFilePeriod | undefined {
  if (uncountable.some((name) => name in prices)) return undefined;
  const rates: Partial<Record<PriceFileRateName, PriceFileRate>> = {};
  for (const [key, price] of Object.entries(prices)) {
    const rate = rateNames[key];
    if (rate !== undefined) rates[rate.name] = rateOf(price, rate.scale);
  }
  if (answersNothing) rates.out ??= "0";
  if (rates.in === undefined || rates.out === undefined) return undefined;
  const { start_date, start_time, end_time } = constraint ?? {};
  const daily =
    start_time === undefined || end_time === undefined
      ? {}
      : { daily: [minuteOf(start_time), minuteOf(end_time)] as const };
  return { ...(start_date === undefined ? {} : { from: start_date }), ...daily, rates };
}

function rateOf(price: number | SourceTiers, scale: number): PriceFileRate {
  if (typeof price === "number") return decimal(price * scale);
  const [tier, ...others] = price.tiers;
  if (tier === undefined) return decimal(price.base * scale);
  if (others.length > 0) throw new Error("more than one long-context tier");
  return [decimal(price.base * scale), tier.start, decimal(tier.price * scale)];
}

function clausesOf(match: SourceMatch): readonly MatchClause[] {
  return "or" in match ? membersOf(match, "or").flatMap(clausesOf) : [clauseOf(match)];
}

const operators: Readonly<Record<string, string>> = {
  equals: "=",
  starts_with: "^",
  ends_with: "$",
  contains: "*",
  regex: "~",
};

function clauseOf(match: SourceMatch): MatchClause {
  if ("and" in match) {
    return membersOf(match, "and").map((member) => {
      if ("or" in member) throw new Error("an alternative within a conjunction");
      return clauseOf(member);
    });
  }
  const [name = "", operand] = Object.entries(match)[0] ?? [];
  const operator = operators[name];
  if (operator === undefined || typeof operand !== "string") {
    throw new Error(`unknown match: ${JSON.stringify(match)}`);
  }
  return operator + (name === "regex" ? operand : operand.toLowerCase());
}

function membersOf(match: SourceMatch, name: "or" | "and"): readonly SourceMatch[] {
  const members = match[name];
  if (typeof members === "string" || members === undefined) throw new Error("not a list");
  return members;
}

/** "16:30:00Z" in minutes. */
function minuteOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.replace("Z", "").split(":").map(Number);
  if (seconds !== 0) throw new Error(`a time with seconds: ${time}`);
  return hours * 60 + minutes;
}

/**
 * The shortest decimal string of a price. 0.18000000000000002 was 0.18 before a multiplication, but
 * 0.08333333333333334 is the published price.
 */
function decimal(price: number): string {
  const rounded = Number(price.toPrecision(12));
  const meant = rounded.toString().replace(/[.-]|^0+/g, "").length <= 8 ? rounded : price;
  const [mantissa = "", exponent = "0"] = meant.toString().split("e");
  if (exponent === "0") return mantissa;
  return meant.toFixed((mantissa.split(".")[1]?.length ?? 0) - Number(exponent));
}

/** One model on each line, so that a change of prices is readable in a diff. */
function fileText(
  from: string,
  entries: readonly (readonly [string, PriceFileProvider])[],
): string {
  const blocks = entries.map(([id, { models, ...rest }]) => {
    const head = JSON.stringify({ ...rest, models: [] }).slice(0, -2);
    const rows = models.map((model) => `\n${JSON.stringify(model)}`).join(",");
    return `${JSON.stringify(id)}:${head}${rows}\n]}`;
  });
  return `{"source":${JSON.stringify(from)},"providers":{\n${blocks.join(",\n")}\n}}\n`;
}

const [packageFolder] = process.argv.slice(2);
if (packageFolder === undefined) throw new Error("usage: generate-prices.ts <unpacked package>");
const manifest = JSON.parse(readFileSync(path.join(packageFolder, "package.json"), "utf8")) as {
  name: string;
  version: string;
};
const entry = pathToFileURL(path.resolve(packageFolder, "dist/index.js")).href;
// Returns the data in the package. Nothing is fetched unless an updater is set.
const { waitForUpdate } = (await import(entry)) as {
  waitForUpdate: () => Promise<readonly SourceProvider[]>;
};
const source = await waitForUpdate();
const providers: [string, PriceFileProvider][] = [
  ["demo", demo],
  ...source.map((provider): [string, PriceFileProvider] => [provider.id, providerOf(provider)]),
];
writeFileSync(pricesPath, fileText(`${manifest.name} ${manifest.version}`, providers));
