import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const splunk: readonly EntityDetector[] = [
  assignedToken({
    id: "splunk-token",
    entityType: "SPLUNK_TOKEN",
    description: "HTTP event collector token of Splunk.",
    owners: ["splunk", "hec token"],
    what: "(?:token|key|secret|auth)",
    value: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    exampleName: "hec_token",
    examples: ["28dc3563-4929-5009-36cd-0744f975074c", "863faf4e-66f7-7a76-462d-6b08a7e2c199"],
  }),
];
