import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const steam: readonly EntityDetector[] = [
  assignedToken({
    id: "steam-web-api-key",
    entityType: "STEAM_API_KEY",
    description: "Web API key of Steam.",
    owners: ["steam"],
    value: "[0-9A-F]{32}",
    examples: ["8C12E4AB8BF38500F4BEFFAE7C91CFEC", "12E0BE6E98A39EF87D1F1253584DCD5C"],
  }),
];
