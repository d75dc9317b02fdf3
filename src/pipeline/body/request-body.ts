import { accept, type Outcome } from "../../contract/outcome.ts";
import { splice, type Edit } from "../../json/splice.ts";
import type { BodyFormat } from "../../workers/pool/scan-job.ts";
import { joined, scanned } from "./body-turns.ts";
import { inspectedBody, type InspectedBody } from "./inspect.ts";

/** Bytes that a model may read, and how to read them. */
export type ScannedBytes =
  | { readonly kind: "provider_request"; readonly format: BodyFormat; readonly bytes: Uint8Array }
  | { readonly kind: "text"; readonly bytes: Uint8Array };

/** A request's body, with the parts of the request to scan. */
export interface RequestBody {
  readonly bytes: Uint8Array;
  /** null if the body is no JSON object. */
  readonly inspected: InspectedBody | null;
  /** null if the body has nothing that a model could read. */
  readonly scanned: ScannedBytes | null;
  /** The address, if a model might read it too; null if it has no words. */
  readonly address: ScannedBytes | null;
}

/** The body after its bytes were edited. It is inspected again, because its members have moved. */
export async function edited(
  body: RequestBody,
  edits: readonly Edit[],
): Promise<Outcome<RequestBody>> {
  const bytes = await joined(splice(body.bytes, edits));
  if (body.inspected === null) return accept({ ...body, bytes });
  const inspected = inspectedBody(bytes, await scanned(bytes));
  return inspected.ok ? accept({ ...body, bytes, inspected: inspected.value }) : inspected;
}
