import { Type, type TSchema } from "typebox";
import { ErrorEnvelope, MessagesSecurityBlock } from "../contract/error-schema.ts";
import {
  envelope,
  errorRules,
  isRetriedInVain,
  type ErrorCode,
  type ErrorSource,
  type Refusal,
} from "../contract/errors.ts";
import { exampleDetails } from "./error-details.ts";
import { errorMeanings } from "./error-meanings.ts";
import { headerReferences, costHeaders, rateLimitHeaders, type ResponseHeader } from "./headers.ts";
import type { Example, Response, Responses } from "./operation.ts";

/** Further content of a status, besides the envelopes of codes. */
export interface OtherBody {
  /** True if the provider writes it. */
  readonly relayed: boolean;
  readonly description: string;
  readonly schema: TSchema;
  readonly examples: Readonly<Record<string, Example>>;
}

/**
 * Responses for `codes`, by status. `others`: further bodies that a status may have. `written`: the form in
 * which the endpoint writes a refusal.
 */
export function errorResponses(
  codes: readonly ErrorCode[],
  others: Readonly<Record<number, OtherBody>> = {},
  written: (refusal: Refusal) => string = envelope,
): Responses {
  const isLimited = codes.includes("rate_limit_exceeded");
  const isForwarded = codes.includes("upstream_error");
  const byStatus = Map.groupBy(codes, (code) => errorRules[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      String(status),
      errorResponse(status, ofStatus, others[status], { isLimited, isForwarded, written }),
    ]),
  );
}

interface RequestKind {
  /** True if it counts against a rate limit. */
  readonly isLimited: boolean;
  /** True if it goes to a provider. */
  readonly isForwarded: boolean;
  readonly written: (refusal: Refusal) => string;
}

function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  other: OtherBody | undefined,
  kind: RequestKind,
): Response {
  const meanings = codes.map((code) => `- \`${code}\`: ${errorMeanings[code]}`);
  if (other !== undefined) meanings.push(`- ${other.description}`);
  return {
    description: meanings.join("\n"),
    headers: headerReferences(errorHeaders(status, codes, other, kind)),
    content: {
      "application/json": {
        schema: eitherOf(ErrorEnvelope, other?.schema ?? ErrorEnvelope),
        examples: {
          ...Object.fromEntries(codes.map((code) => [code, example(code, kind)])),
          ...other?.examples,
        },
      },
    },
  };
}

function eitherOf(one: TSchema, other: TSchema): TSchema {
  return one === other ? one : Type.Union([one, other]);
}

const upstreamSources: ReadonlySet<ErrorSource> = new Set<ErrorSource>([
  "provider",
  "vendor",
  "byok_credentials",
]);

/** Codes of our own with which a request may end after it was admitted. */
const lateCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "security_blocked",
  "detector_unavailable",
]);

function errorHeaders(
  status: number,
  codes: readonly ErrorCode[],
  other: OtherBody | undefined,
  { isLimited, isForwarded }: RequestKind,
): ResponseHeader[] {
  const headers: ResponseHeader[] = ["X-Svc-Error-Source"];
  const isUpstreams =
    other?.relayed === true || codes.some((code) => upstreamSources.has(errorRules[code].source));
  if (isUpstreams) headers.push("X-Svc-Upstream-Status");
  // A provider's own Retry-After reaches the client too.
  if (isUpstreams || status === 429 || status === 503) headers.push("Retry-After");
  const isVain = codes.some((code) => isRetriedInVain({ code, message: "" }));
  const mayBlock = codes.includes("security_blocked") || other?.schema === MessagesSecurityBlock;
  if (isUpstreams || isVain || mayBlock) headers.push("X-Should-Retry");
  if (mayBlock) headers.push("X-Svc-Block-Location", "X-Svc-Block-Score");
  const isLate = isUpstreams || other !== undefined || codes.some((code) => lateCodes.has(code));
  if (isForwarded && isLate) headers.push(...costHeaders);
  // spec: Balance refusals 5. A refusal after the limits carries their headers, except 402.
  if (isLimited && status !== 402) headers.push(...rateLimitHeaders);
  // Every answer of keyless passthrough carries its scope.
  if (status === 429 || isForwarded) headers.push("X-RateLimit-Scope");
  return headers;
}

/** The envelope as the gateway writes it. */
function example(code: ErrorCode, { written }: RequestKind): Example {
  const message = errorMeanings[code];
  const body = written({ code, message, details: exampleDetails[code] ?? {} });
  return { summary: code, value: JSON.parse(body) as unknown };
}
