import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const prefect: readonly EntityDetector[] = [
  markedToken({
    id: "prefect-api-key",
    entityType: "PREFECT_API_KEY",
    description: "API key of Prefect.",
    prefix: ["pnu_", "pnb_"],
    body: "[A-Za-z0-9]{36}",
    examples: ["hlDIT2oRox1hVUrGKIgaHtGfNTN9qehPhsvD", "VqL5wvv1nZkm8q72ZU9KolSERmz5lbU9cfEN"],
  }),
];
