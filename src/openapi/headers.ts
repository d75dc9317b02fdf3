import { Type } from "typebox";
import { errorSources } from "../contract/errors.ts";
import { costStatuses } from "../contract/usage.ts";
import type { Header, Reference } from "./operation.ts";

const count = Type.Integer({ minimum: 0 });

/** Response headers (spec: Response headers added by the gateway; Rate limits 3; Cost status values). */
export const responseHeaders = {
  "X-Svc-Request-Id": {
    description: "Names the request in logs and records. On every response, errors included.",
    schema: Type.String(),
  },
  "X-Svc-Error-Source": {
    description: "On errors: who has to act, the same value as `source` in the body.",
    schema: Type.Enum([...errorSources]),
  },
  "X-Svc-Upstream-Status": {
    description: "The provider's own status where its failure is relayed.",
    schema: Type.Integer({ minimum: 100, maximum: 599 }),
  },
  "Retry-After": {
    description: "Seconds to wait before another try, where that is known.",
    schema: Type.Integer({ minimum: 1 }),
  },
  "X-Should-Retry": {
    description:
      "`false` where SDKs would send the request again for its status, and it can't succeed unchanged. With a provider's error, what the provider says.",
    schema: Type.Enum(["true", "false"]),
  },
  "X-Svc-Block-Location": {
    description:
      "On a block for a prompt injection: where the text stands, such as `messages[4].content[0]`; printable ASCII of at most 200 bytes.",
    schema: Type.String({ maxLength: 200, pattern: "^[!-~]+$" }),
  },
  "X-Svc-Block-Score": {
    description: "On a block for a prompt injection: the score, with two decimals.",
    schema: Type.String({ pattern: "^[01]\\.[0-9]{2}$" }),
  },
  "X-Svc-Cache": {
    description:
      "Where the request uses the response cache: whether its answer came from there. A hit costs nothing.",
    schema: Type.Enum(["hit", "miss"]),
  },
  "X-Svc-Cost-Usd": {
    description:
      "The exact cost that was billed, in US dollars. Absent where it could not be calculated.",
    schema: Type.String({ pattern: "^[0-9]+(\\.[0-9]+)?$", examples: ["0.000123"] }),
  },
  "X-Svc-Cost-Calculation-Status": {
    description: "How the cost came about, or why there is none.",
    schema: Type.Enum([...costStatuses]),
  },
  "X-Svc-Cost-Assumed-Price": {
    description:
      "Where the price list doesn't name the model: its entry whose price was taken instead, as `provider/model`. What the model costs may be something else.",
    schema: Type.String({ pattern: "^[!-~]+$", examples: ["anthropic/claude-sonnet-5"] }),
  },
  "X-Svc-Model": {
    description:
      "Where several models or accounts could serve the request: the one that did, as `provider/model`. Absent on an answer from the response cache.",
    schema: Type.String({ pattern: "^[!-~]+$", examples: ["openai/gpt-5.1"] }),
  },
  "X-Svc-Payg-Balance-Cents": {
    description:
      "On requests paid through the service: the balance in whole cents, rounded down; at admission if streaming, else after the charge.",
    schema: Type.Integer(),
  },
  "X-Svc-Payg-Available-Cents": {
    description:
      "On requests paid through the service: what could be spent at admission beside every hold.",
    schema: Type.Integer(),
  },
  "X-Svc-Payg-Debited-Cents": {
    description: "On requests paid through the service that do not stream: the amount charged.",
    schema: Type.Integer({ minimum: 0 }),
  },
  "X-RateLimit-Limit": {
    description: "The cap that applies to this request. Only where a limit is configured.",
    schema: count,
  },
  "X-RateLimit-Remaining": {
    description: "Requests left before the limit fires.",
    schema: count,
  },
  "X-RateLimit-Reset": {
    description: "When the window resets, in Unix seconds.",
    schema: count,
  },
  "X-RateLimit-Scope": {
    description: "`org` on an organization's rejection, `passthrough-ip` on keyless passthrough.",
    schema: Type.Enum(["org", "passthrough-ip"]),
  },
  "X-RateLimit-Org-Limit": {
    description: "The organization's cap, on allowed requests where it has one.",
    schema: count,
  },
  "X-RateLimit-Org-Remaining": {
    description: "Requests left in the organization's window.",
    schema: count,
  },
} as const satisfies Record<string, Header>;

export type ResponseHeader = keyof typeof responseHeaders;

/** On the answers of endpoints that count against a rate limit. */
export const rateLimitHeaders: readonly ResponseHeader[] = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-RateLimit-Org-Limit",
  "X-RateLimit-Org-Remaining",
];

/** On every answer to an admitted request that is paid through the service. */
export const costHeaders: readonly ResponseHeader[] = [
  "X-Svc-Cost-Usd",
  "X-Svc-Cost-Calculation-Status",
  "X-Svc-Payg-Balance-Cents",
  "X-Svc-Payg-Available-Cents",
  "X-Svc-Payg-Debited-Cents",
];

/** The headers of a response: `more`, and the request id that every response has. */
export function headerReferences(
  more: readonly ResponseHeader[] = [],
): Readonly<Record<string, Reference>> {
  const names: readonly ResponseHeader[] = ["X-Svc-Request-Id", ...more];
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  );
}
