import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const cerebras: readonly EntityDetector[] = [
  markedToken({
    id: "cerebras-api-key",
    entityType: "CEREBRAS_API_KEY",
    description: "API key of Cerebras.",
    prefix: "csk-",
    body: "[A-Za-z0-9]{44,56}",
    examples: [
      "Y6UB5TAj8A0G4PtggdqTrP9O94Oh0xG6FtJIClgnZhWRq5fe",
      "yIeKaspDJ420V7kWDOnf4RsfE2ZMmI9tIYdELmTUjhgG6aJh",
    ],
  }),
];
