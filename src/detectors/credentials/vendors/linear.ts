import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const linear: readonly EntityDetector[] = [
  markedToken({
    id: "linear-api-key",
    entityType: "LINEAR_API_KEY",
    description: "API or OAuth key of Linear.",
    prefix: ["lin_api_", "lin_oauth_", "lin_wh_"],
    body: "[A-Za-z0-9]{32,64}",
    examples: [
      "kSDcrmubO6Kqw0EtVDGCyDhLU4yCO5iu72QRt81p",
      "0B8PyH9w4TIsDvD3FpnFxoDjqLMvnuJ33QpBuIjb",
    ],
  }),
  assignedToken({
    id: "linear-client-secret",
    entityType: "LINEAR_SECRET",
    description: "Client secret of Linear.",
    owners: ["linear"],
    what: "(?:secret|token|key)",
    value: "[0-9a-f]{32}",
    exampleName: "client_secret",
    examples: ["7781aa61af85901cd810ea81c8b29122", "a5dc87cfa2f02cd0b4c43f83e7d28a3e"],
  }),
];
