import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const klaviyo: readonly EntityDetector[] = [
  markedToken({
    id: "klaviyo-api-key",
    entityType: "KLAVIYO_API_KEY",
    description: "Private API key of Klaviyo.",
    prefix: "pk_",
    body: "[0-9a-f]{34}",
    examples: ["587b6931ff7e07bc12d2d1b5f847aa1a0d", "51f3b33ce2be9c0cb1174f373d0299d11c"],
  }),
];
