import { Inspection, type InspectedBody } from "../../src/pipeline/body/inspect.ts";
import { accepted } from "./accepted.ts";

/** A body in the form that the gateway's steps get. */
export function inspected(body: Uint8Array): InspectedBody {
  const inspection = new Inspection();
  inspection.grown(body, body.length);
  return accepted(inspection.finish(body));
}
