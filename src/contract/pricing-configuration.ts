import { Type, type Static } from "typebox";
import { members, oneOf, textOf, wholeNumber } from "./documented-schema.ts";
import { serviceTiersMax, longContextTiersMax } from "./limits.ts";

const decimalPattern = "^(0|[1-9][0-9]{0,5})(\\.[0-9]{1,18})?$";
const decimalExpected =
  'a decimal string such as "1.25" in US dollars, at most 999999 and 18 decimal places';

/** A price; exact to as many places as any provider publishes. */
export const usdPerMillion = (description: string) =>
  textOf(decimalPattern, decimalExpected, description);
const usdEach = usdPerMillion;
const optionalRate = (what: string) =>
  Type.Optional(usdPerMillion(`US dollars for a million ${what}.`));

const secondaryRates = {
  cacheReadUsdPerMillion: Type.Optional(
    usdPerMillion("US dollars for a million tokens read from the cache; else as input."),
  ),
  cacheWrite5mUsdPerMillion: optionalRate("tokens written to the cache for five minutes"),
  cacheWrite1hUsdPerMillion: optionalRate("tokens written to the cache for an hour"),
  reasoningUsdPerMillion: Type.Optional(
    usdPerMillion("US dollars for a million reasoning tokens; else as output."),
  ),
  audioInputUsdPerMillion: optionalRate("tokens of audio input"),
  audioOutputUsdPerMillion: optionalRate("tokens of audio output"),
  imageInputUsdPerMillion: Type.Optional(
    usdPerMillion("US dollars for a million tokens of image input; else as input."),
  ),
  imageOutputUsdPerMillion: optionalRate("tokens of image output"),
  requestUsd: Type.Optional(usdEach("US dollars for each request, beside its tokens.")),
  toolCallUsd: Type.Optional(
    usdEach("US dollars for each call of a tool that the provider runs, such as a web search."),
  ),
};

const changedRates = {
  inputUsdPerMillion: optionalRate("input tokens"),
  outputUsdPerMillion: optionalRate("output tokens"),
  ...secondaryRates,
};

const tokens = (description: string) => wholeNumber(1, 1_000_000_000, { description });

const longContext = Type.Optional(
  Type.Array(
    members(
      {
        thresholdTokens: tokens("Input of this length, cached or not, is where it begins."),
        operator: Type.Optional(
          oneOf(["above", "at_or_above"], {
            description: "Whether input of exactly that length is long already.",
            default: "above",
          }),
        ),
        scope: Type.Optional(
          oneOf(["request", "excess"], {
            description: "What these rates are for: the whole request, or the input beyond.",
            default: "request",
          }),
        ),
        ...changedRates,
      },
      { description: "Rates of long requests; what is left out stays as it is." },
    ),
    {
      description: "Rates that depend on the length of the input.",
      errorMessage: `a list of at most ${longContextTiersMax} thresholds`,
      maxItems: longContextTiersMax,
    },
  ),
);

const date = (description: string) =>
  Type.Optional(
    textOf(
      "^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?$",
      'a date such as "2026-01-31" or a time such as "2026-01-31T12:00:00Z"',
      description,
    ),
  );

/** An entry of `pricing.models`. */
export const ConfiguredPrice = members(
  {
    inputUsdPerMillion: usdPerMillion("US dollars for a million input tokens."),
    outputUsdPerMillion: usdPerMillion("US dollars for a million output tokens."),
    ...secondaryRates,
    contextTokensMax: Type.Optional(
      tokens("The most tokens that a request holds, input and output. Default: the catalog's."),
    ),
    outputTokensMax: Type.Optional(
      tokens("The most tokens that the model writes for one request. Default: the catalog's."),
    ),
    longContext,
    serviceTiers: Type.Optional(
      Type.Record(
        Type.String({ pattern: "^[a-z0-9_+-]{1,64}$" }),
        members(
          { ...changedRates, longContext },
          { description: "Rates of a service tier; what is left out is as in the standard one." },
        ),
        {
          description: "Rates by the name that answers have for a tier: flex, priority, batch.",
          errorMessage: "an object whose members are named as the provider names its tiers",
          additionalProperties: false,
          maxProperties: serviceTiersMax,
        },
      ),
    ),
    validFrom: date("When the prices begin to hold, UTC."),
    validUntil: date("When they have ceased to hold, UTC."),
  },
  { description: "What a model costs." },
);
export type ConfiguredPrice = Static<typeof ConfiguredPrice>;
