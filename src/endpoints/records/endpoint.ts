import type { PlainObject } from "../../contract/plain-object.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { Answer, Exchange, RequestHead } from "../../exchange/exchange.ts";
import type { UnownedResponses } from "../../pipeline/record/unowned-responses.ts";
import { RequestRecord } from "../../pipeline/record/record.ts";
import { serve, type FrameServices } from "../../pipeline/serve.ts";
import type { AuditLog } from "../../store/embedded/audit/audit-log.ts";
import type { AnswerTo, Question } from "../../store/read-model/question.ts";
import type { ReadModel } from "../../store/read-model/read-model.ts";
import type { FindOrganization } from "../keys-api/scope.ts";
import { takeBody, type BodyUse } from "../keys-api/endpoint.ts";
import { checkNames } from "./parameters.ts";
import { authenticateReader, type RecordsReader } from "./reader.ts";

export interface RecordsServices extends FrameServices {
  readonly auditLog: Pick<AuditLog, "caughtUp" | "size">;
  readonly readModel: Pick<ReadModel, "ask">;
  readonly findOrganization: FindOrganization;
  readonly unowned: Pick<UnownedResponses, "find">;
}

/** One call, after its caller and the names of its parameters were checked. */
export interface RecordsCall {
  readonly reader: RecordsReader;
  readonly query: URLSearchParams;
  /** The path's `:id`; empty if it has none. */
  readonly id: string;
  /** The parsed JSON object; empty if the endpoint takes none. */
  readonly body: PlainObject;
  /** Errors: `records_unavailable`. */
  readonly ask: <Q extends Question>(question: Q) => Promise<Outcome<AnswerTo<Q>>>;
}

export type RecordsEndpoint = (
  call: RecordsCall,
  exchange: Exchange,
) => Outcome<Answer | null> | Promise<Outcome<Answer | null>>;

/**
 * Makes an endpoint's request handler: authenticate → check the parameters' names → run → answer → record.
 * `headOf` gives the head that says who calls.
 */
export function asking(
  services: RecordsServices,
  parameters: readonly string[],
  endpoint: RecordsEndpoint,
  bodyUse: BodyUse = "none",
  headOf: (exchange: Exchange, id: string) => RequestHead = ({ head }) => head,
) {
  return async (exchange: Exchange, path: Readonly<Record<string, string>>): Promise<void> => {
    const record = new RequestRecord("keys");
    await serve(record, exchange, services, async (findKey) => {
      const id = path["id"] ?? "";
      const reader = authenticateReader(headOf(exchange, id), findKey);
      if (!reader.ok) return reader;
      const query = new URLSearchParams(exchange.head.query);
      const known = checkNames(query, parameters);
      if (!known.ok) return known;
      const body = await takeBody(exchange, bodyUse, record);
      if (!body.ok) return body;
      const ask = asker(services, reader.value.key.id, exchange);
      return endpoint({ reader: reader.value, query, id, body: body.value, ask }, exchange);
    });
  };
}

/** What was recorded before the question is in its answer; a client that leaves ends it. */
export function asker(
  { auditLog, readModel }: Pick<RecordsServices, "auditLog" | "readModel">,
  caller: string,
  exchange: Pick<Exchange, "onGone">,
): RecordsCall["ask"] {
  return async (question) => {
    await auditLog.caughtUp();
    return readModel.ask(question, {
      caller,
      reach: auditLog.size,
      onLeft: (leave) => exchange.onGone(leave),
    });
  };
}

/** A JSON answer that nobody keeps: it is of one caller and one moment. */
export function fresh(body: string): Outcome<Answer> {
  const headers = ["Content-Type", "application/json", "Cache-Control", "no-store"];
  return accept({ status: 200, headers, body });
}
