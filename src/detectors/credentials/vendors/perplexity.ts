import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const perplexity: readonly EntityDetector[] = [
  markedToken({
    id: "perplexity-api-key",
    entityType: "PERPLEXITY_API_KEY",
    description: "API key of Perplexity.",
    prefix: "pplx-",
    body: "[A-Za-z0-9]{48,56}",
    examples: [
      "BVq4ZZVlbdyfWl7wqE7mGiycnBI6dnzHvTQItstu3BENfcOr",
      "2DkMTELOIyo1TVQiQTOyHzueUD4ATu1XY8ZBXgKk7UIiOCXj",
    ],
  }),
];
