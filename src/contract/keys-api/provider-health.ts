import { Type, type Static } from "typebox";
import { members, oneOf, wholeNumber } from "../documented-schema.ts";
import { circuitWindowMs } from "../limits.ts";
import { dataOf, moment, nullable } from "./fields.ts";

const count = (description: string) => wholeNumber(0, Number.MAX_SAFE_INTEGER, { description });

const Outcomes = members(
  {
    answered: count("Answered below 400 and to its end, or stopped by the gateway."),
    rate_limited: count("Answered with 429."),
    refused: count("Answered with another 4xx."),
    failed: count("A 5xx, a timeout, a reset, or a stream that broke off or told of an error."),
    unsent: count("No connection."),
    abandoned: count("The client left first."),
  },
  {
    description: "Calls since the start of the process, by outcome; a failover is a further call.",
  },
);

const LastError = members(
  {
    outcome: oneOf(["rate_limited", "refused", "failed", "unsent"], {
      description: "What became of the call.",
    }),
    status: nullable(
      Type.Integer(),
      "HTTP status of the provider's answer; null: none came.",
      "a status",
    ),
    code: nullable(
      Type.String(),
      "The code that the gateway has for it; null: the provider's answer says why.",
      "a code",
    ),
    at: moment("When its request ended."),
  },
  { description: "The last call that did not come to a good end." },
);

/** `GET /providers/{id}/health`. */
export const ProviderHealth = members(
  {
    name: Type.String({ description: "The account." }),
    circuit: oneOf(["closed", "half_open", "open"], {
      description:
        "`open`: out of rotation after sustained failures; `half_open`: a probe is under way. Each thread has a circuit of its own: this is that of the thread which is worst off.",
    }),
    threads: count("Threads that know the account."),
    threadsOpen: count("Those in which it is out of rotation."),
    retryAfterSeconds: nullable(
      wholeNumber(1, Number.MAX_SAFE_INTEGER, { description: "Seconds." }),
      "When the first of these threads tries it again; null: all use it.",
      "a number",
    ),
    recent: members(
      {
        seconds: count("The length of the window."),
        calls: count("Calls that told something about the provider."),
        failures: count("Those that failed: no connection, a timeout, a reset, a 5xx."),
      },
      { description: `The last ${circuitWindowMs / 1000} seconds, of which circuits judge.` },
    ),
    calls: Outcomes,
    lastError: nullable(LastError, "null: there was none since the start.", "an error"),
  },
  { description: "How a provider's account does, over all threads." },
);
export type ProviderHealth = Static<typeof ProviderHealth>;

export const ProviderHealthAnswer = dataOf(ProviderHealth, "An account's health.");
