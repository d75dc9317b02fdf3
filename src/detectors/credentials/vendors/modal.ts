import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const modal: readonly EntityDetector[] = [
  assignedToken({
    id: "modal-token",
    entityType: "MODAL_TOKEN",
    description: "Token of Modal.",
    owners: ["modal"],
    value: "(?:ak|as|wk|ws)-[A-Za-z0-9]{22}",
    exampleName: "token_secret",
    examples: ["ws-m6AISc4uhTmS7Jxwhts6CS", "ak-knzagu6Ye1JbIwYjF7eLzt"],
  }),
];
