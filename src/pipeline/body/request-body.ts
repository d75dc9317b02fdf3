import { accept, type Outcome } from "../../contract/outcome.ts";
import { splice, type Edit } from "../../json/splice.ts";
import type { BodyFormat } from "../../workers/pool/scan-job.ts";
import { joined, scanned } from "./body-turns.ts";
import { inspectedBody, type InspectedBody } from "./inspect.ts";

/** Bytes that a model may read, and how they are read. */
export type ScannedBytes =
  | { readonly kind: "provider_request"; readonly format: BodyFormat; readonly bytes: Uint8Array }
  | { readonly kind: "text"; readonly bytes: Uint8Array };

/** A request's body, with what is to be scanned of the request. */
export interface RequestBody {
  readonly bytes: Uint8Array;
  /** null: it is no JSON object. */
  readonly inspected: InspectedBody | null;
  /** null: there is nothing in the body that a model could read. */
  readonly scanned: ScannedBytes | null;
  /** The address, where a model might read that too; null: it holds no words. */
  readonly address: ScannedBytes | null;
}

/** The body with its bytes edited, looked at anew: its members have moved. */
export async function edited(
  body: RequestBody,
  edits: readonly Edit[],
): Promise<Outcome<RequestBody>> {
  const bytes = await joined(splice(body.bytes, edits));
  if (body.inspected === null) return accept({ ...body, bytes });
  const inspected = inspectedBody(bytes, await scanned(bytes));
  return inspected.ok ? accept({ ...body, bytes, inspected: inspected.value }) : inspected;
}
