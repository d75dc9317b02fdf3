import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const persona: readonly EntityDetector[] = [
  markedToken({
    id: "persona-api-key",
    entityType: "PERSONA_API_KEY",
    description: "API key of Persona.",
    prefix: ["persona_production_", "persona_sandbox_"],
    body: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    examples: ["cdcbc218-c65a-4096-df56-9e794acd917a", "ccf27276-ec17-9165-5eb1-4cd257027d5c"],
  }),
];
