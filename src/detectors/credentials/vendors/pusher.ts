import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const pusher: readonly EntityDetector[] = [
  assignedToken({
    id: "pusher-secret",
    entityType: "PUSHER_SECRET",
    description: "App secret of Pusher.",
    owners: ["pusher"],
    what: "(?:secret|key)",
    value: "[0-9a-f]{20}",
    exampleName: "secret",
    examples: ["257d398c250a42d9d955", "cf8f28edfae2dd574273"],
  }),
];
