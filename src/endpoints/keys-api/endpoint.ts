import { refuse } from "../../contract/errors.ts";
import { idCharsMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { PlainObject } from "../../contract/plain-object.ts";
import type { Author } from "../../store/embedded/store-draft.ts";
import type { Answer, Exchange } from "../../exchange/exchange.ts";
import type { InspectedBody } from "../../pipeline/body/inspect.ts";
import { takeJsonBody, takeOptionalJsonBody } from "../../pipeline/body/json-body.ts";
import { RequestRecord } from "../../pipeline/record/record.ts";
import { serve, type FrameServices } from "../../pipeline/serve.ts";
import type { KeysApiEvent } from "./event.ts";
import { authenticateManager, type Manager } from "./manager.ts";

/** One call of the keys API, after its caller was found and its body parsed. */
export interface Call {
  readonly manager: Manager;
  /** The manager's key and the request, for the audit event of what it changes. */
  readonly author: Author;
  /** The path's `:id`; empty if the path has none. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** The parsed JSON object; empty if the endpoint takes none. */
  readonly body: PlainObject;
  /** The record of the request. */
  readonly record: RequestRecord;
}

/** What an endpoint did: its answer, and its change, which is durable together with its audit event. */
export interface Done {
  /** null if the endpoint has written it itself. */
  readonly answer: Answer | null;
  readonly event?: KeysApiEvent;
}

export type KeysApiEndpoint = (
  call: Call,
  exchange: Exchange,
) => Outcome<Done> | Promise<Outcome<Done>>;

export interface EndpointServices extends FrameServices {
  /** Called for every change once it is durable. */
  readonly changed: (event: KeysApiEvent, author: Author) => void;
}

/** Whether an endpoint takes a body; an optional one may be empty. */
export type BodyUse = "none" | "required" | "optional";

/** Makes an endpoint's request handler: authenticate → take the body → run → answer → record. */
export function handling(
  services: EndpointServices,
  bodyUse: BodyUse,
  endpoint: KeysApiEndpoint,
  showsViewers = false,
) {
  return async (exchange: Exchange, parameters: Readonly<Record<string, string>>) => {
    const record = new RequestRecord("keys");
    await serve(record, exchange, services, (findKey) =>
      answer(
        exchange,
        parameters["id"] ?? "",
        { ...services, findKey, showsViewers },
        bodyUse,
        endpoint,
        record,
      ),
    );
  };
}

async function answer(
  exchange: Exchange,
  id: string,
  services: EndpointServices & { readonly showsViewers: boolean },
  bodyUse: BodyUse,
  endpoint: KeysApiEndpoint,
  record: RequestRecord,
): Promise<Outcome<Answer | null>> {
  const manager = authenticateManager(exchange.head, services.findKey, services.showsViewers);
  if (!manager.ok) return manager;
  // LMDB throws if a key is too long.
  if (id.length > idCharsMax) return refuse("not_found", "There is no such resource.");
  const body = await takeBody(exchange, bodyUse, record);
  if (!body.ok) return body;
  const query = new URLSearchParams(exchange.head.query);
  const author = { requestId: exchange.requestId, keyId: manager.value.key.id };
  const call = { manager: manager.value, author, id, query, body: body.value, record };
  const done = await endpoint(call, exchange);
  if (!done.ok) return done;
  const { answer, event } = done.value;
  if (event !== undefined) services.changed(event, author);
  return accept(answer);
}

/** A body that must be a JSON object. Errors: those of `takeJsonBody`, `invalid_request`. */
export function takeObject(
  exchange: Exchange,
  record: RequestRecord,
): Promise<Outcome<PlainObject>> {
  return takeBody(exchange, "required", record);
}

/** The parsed JSON object of a body; empty if the endpoint takes none. */
export async function takeBody(
  exchange: Exchange,
  bodyUse: BodyUse,
  record: RequestRecord,
): Promise<Outcome<PlainObject>> {
  if (bodyUse === "none") return accept({});
  const body = await (bodyUse === "optional"
    ? takeOptionalJsonBody(exchange, record)
    : takeJsonBody(exchange, record));
  if (!body.ok) return body;
  return body.value === null ? accept({}) : parsed(body.value);
}

/** JSON.parse takes the last of two members with one name; a person reading the request may see the first. */
function parsed({ bytes, topLevel }: InspectedBody): Outcome<PlainObject> {
  const names = new Set<string>();
  for (const { name } of topLevel.members) {
    if (names.has(name)) {
      return refuse("invalid_request", "A member of the body stands more than once.");
    }
    names.add(name);
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
  // The inspection has checked that this is an object.
  return accept(JSON.parse(text) as PlainObject);
}

/** The result of an endpoint that changes nothing. */
export async function answered(answer: Promise<Outcome<Answer>>): Promise<Outcome<Done>> {
  const made = await answer;
  return made.ok ? accept({ answer: made.value }) : made;
}

/** 200, or 201 for a resource that was made. */
export function json(body: object, status: 200 | 201 = 200): Answer {
  // A browser keeps no copy of what a session may see.
  const headers = ["Content-Type", "application/json", "Cache-Control", "no-store"];
  return { status, headers, body: JSON.stringify(body) };
}

export const noContent: Answer = { status: 204, headers: [], body: "" };
