import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const reddit: readonly EntityDetector[] = [
  assignedToken({
    id: "reddit-client-secret",
    entityType: "REDDIT_SECRET",
    description: "Client secret of Reddit.",
    owners: ["reddit"],
    what: "secret",
    value: String.raw`[\w-]{27,30}`,
    exampleName: "client_secret",
    examples: ["g7XFaYqyIdIBTqbuygOC65tqKab", "618rSH87715tGrxa1gExCJOmuwa"],
  }),
];
