import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const openweather: readonly EntityDetector[] = [
  assignedToken({
    id: "openweather-api-key",
    entityType: "OPENWEATHER_API_KEY",
    description: "API key of OpenWeather.",
    owners: ["openweather", "open weather map", "owm"],
    value: "[0-9a-f]{32}",
    examples: ["0ea81f4d7abb4fc33aeff8b063d26eed", "92bf4b3f125f369b757f24882a7acc71"],
  }),
];
