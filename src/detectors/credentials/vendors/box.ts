import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const box: readonly EntityDetector[] = [
  assignedToken({
    id: "box-client-secret",
    entityType: "BOX_SECRET",
    description: "Client secret or developer token of Box.",
    owners: ["box client", "box developer", "boxsdk"],
    value: "[A-Za-z0-9]{32}",
    exampleName: "secret",
    examples: ["Hl1nI7BpK03tW2cAsen41WizZ47zXAXa", "bmxIftV72zg1vqmqnh9tC6RjFYbkTQwc"],
  }),
];
