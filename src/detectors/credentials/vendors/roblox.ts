import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const roblox: readonly EntityDetector[] = [
  assignedToken({
    id: "roblox-cookie",
    entityType: "ROBLOX_COOKIE",
    description: "API key of Roblox Open Cloud.",
    owners: ["roblox"],
    value: "[A-Za-z0-9+/]{48,64}={0,2}",
    examples: [
      "IDjEEhzzyz7ig31EMfYevDOEOpEmu84TPTLYlUE0wMz92xor",
      "JnpxN1Ju29iUMUhHe0LRQHr0rQCWbpMYVgRXgsWfnrfC9gHL",
    ],
  }),
];
