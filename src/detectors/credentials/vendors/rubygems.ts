import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const rubygems: readonly EntityDetector[] = [
  markedToken({
    id: "rubygems-api-key",
    entityType: "RUBYGEMS_API_KEY",
    description: "API key of RubyGems.",
    prefix: "rubygems_",
    body: "[0-9a-f]{48}",
    examples: [
      "8e652463b9af6db66f211fed21c5e19e1afc0f106d090678",
      "8de8642499f717c63ed5b47fd113e37fee97653e0d154279",
    ],
  }),
];
