import { Type, type Static } from "typebox";
import { Compile } from "typebox/compile";
import { randomBytes } from "node:crypto";
import { refuse } from "../contract/errors.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import { Segment, Sensitivity, sensitivityDefault } from "../contract/scan.ts";
import { findOrganizationKey, readCredentials, type FindKey } from "./authenticate.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { Inspection } from "./inspect.ts";
import { RequestRecord, sinceArrivalMs, type Records } from "./record.ts";
import { jsonAnswer, refusalAnswer } from "./refusal.ts";
import type { Scan } from "./screen.ts";

export interface ScanServices {
  readonly findKey: FindKey;
  readonly scan: Scan;
  readonly records: Records;
  /** The longest serialized content of one scan, bytes. */
  readonly contentBytesMax: number;
}

/** Direct string input for the injection detector, the part of the contract that this build has. */
const ScanRequest = Type.Object(
  {
    input: Type.String({ minLength: 1 }),
    categories: Type.Optional(
      Type.Array(Type.Literal("prompt_injection"), { minItems: 1, uniqueItems: true }),
    ),
    segment: Type.Optional(Segment),
    sensitivity: Type.Optional(Sensitivity),
  },
  { additionalProperties: false },
);
type ScanRequest = Static<typeof ScanRequest>;
const scanRequest = Compile(ScanRequest);

/** `POST /v1/security/scan` (spec: Security scan). Advisory: it answers with findings, nothing else. */
export async function securityScan(exchange: Exchange, services: ScanServices): Promise<void> {
  const record = new RequestRecord("rest");
  const outcome = await serve(exchange, services, record);
  if (!outcome.ok) record.errorCode = outcome.refusal.code;
  exchange.respond(outcome.ok ? outcome.value : refusalAnswer(outcome.refusal));
  services.records(record, exchange);
}

async function serve(
  exchange: Exchange,
  services: ScanServices,
  record: RequestRecord,
): Promise<Outcome<Answer>> {
  const credentials = readCredentials(exchange.head);
  if (!credentials.ok) return credentials;
  const key = findOrganizationKey(credentials.value.serviceKey, services.findKey);
  if (!key.ok) return key;
  record.orgId = key.value.orgId;
  record.apiKeyId = key.value.id;
  const request = await takeRequest(exchange, services.contentBytesMax, record);
  if (!request.ok) return request;
  const { input, segment = "user", sensitivity = sensitivityDefault } = request.value;
  const result = await services.scan({
    kind: "direct",
    text: input,
    segment,
    sensitivity,
    countTokens: true,
    orgId: key.value.orgId,
  });
  record.scanMs = sinceArrivalMs(exchange);
  if (!result.ok) return result;
  const { injection, tokens } = result.value;
  record.injection = injection;
  if (tokens === undefined) throw new Error("a scan that counts tokens came back without them");
  return accept(
    jsonAnswer(
      JSON.stringify({
        scan_id: `scan_${randomBytes(16).toString("hex")}`,
        sensitivity,
        input_tokens: tokens.input,
        billable_tokens: tokens.billable,
        scanned: {
          spans: [{ location: { source: "input" }, segment, tokens: tokens.billable }],
          unscanned: [],
        },
        injection,
        entities: null,
        detections: [],
        redacted_text: null,
        custom_pattern_findings: [],
        custom_pattern_scan: null,
      }),
    ),
  );
}

async function takeRequest(
  exchange: Exchange,
  contentBytesMax: number,
  record: RequestRecord,
): Promise<Outcome<ScanRequest>> {
  const inspection = new Inspection();
  const body = await exchange.readBody(inspection);
  if (!body.ok) return body;
  record.bytesIn = body.value.length;
  record.bodyMs = sinceArrivalMs(exchange);
  if (body.value.length > contentBytesMax) {
    return refuse(
      "scan_input_too_large",
      `The scan's content is larger than ${contentBytesMax} bytes.`,
      { details: { limit: contentBytesMax } },
    );
  }
  const inspected = inspection.finish(body.value);
  if (!inspected.ok) return inspected;
  const parsed: unknown = JSON.parse(Buffer.from(body.value).toString("utf8"));
  if (scanRequest.Check(parsed)) return accept(parsed);
  const fault = scanRequest.Errors(parsed)[0];
  return refuse(
    "invalid_request",
    `The scan request is not valid at "${fault?.instancePath ?? ""}": ${fault?.message ?? ""}.`,
  );
}
