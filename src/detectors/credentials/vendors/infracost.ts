import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const infracost: readonly EntityDetector[] = [
  markedToken({
    id: "infracost-api-key",
    entityType: "INFRACOST_API_KEY",
    description: "API key of Infracost.",
    prefix: "ico-",
    body: "[A-Za-z0-9]{32}",
    examples: ["JIHWnkAIbNxjgwuVfeD5ICy5cdbnClAu", "3cfmgl6FIZTiT3if5UfTD7kKV7VGuxv2"],
  }),
];
