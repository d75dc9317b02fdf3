import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const xendit: readonly EntityDetector[] = [
  markedToken({
    id: "xendit-key",
    entityType: "XENDIT_KEY",
    description: "Secret key of Xendit.",
    prefix: ["xnd_production_", "xnd_development_"],
    body: "[A-Za-z0-9]{40,80}",
    examples: [
      "OADp8gIoh1lpTwzRD3E3ltaNM0ciHQJEvi32NIfkDqCq1ztcVz51",
      "bMST6H2tRGsJ5CP93N1HzfqOFBf1XkByFp8pM699G21s9pBozRZa",
    ],
  }),
];
