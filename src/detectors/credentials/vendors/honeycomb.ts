import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const honeycomb: readonly EntityDetector[] = [
  markedToken({
    id: "honeycomb-key",
    entityType: "HONEYCOMB_KEY",
    description: "API key of Honeycomb.",
    prefix: ["hcaik_", "hcxik_", "hcalk_", "hcxlk_", "hcamk_"],
    body: "[A-Za-z0-9]{58,64}",
    examples: [
      "bcmxg9RxqK1Lv66MOuKpvYu1H1SCMDT18HtAZXGv2zYzZ9D813dyh7n7D8",
      "oY5u997B37nHAgXRoiDvN3P6zCaOQyf1RgsTUVif8To7tRhpQGEyI1uwaN",
    ],
  }),
  assignedToken({
    id: "honeycomb-legacy-key",
    entityType: "HONEYCOMB_KEY",
    description: "API key of Honeycomb without a prefix.",
    owners: ["honeycomb"],
    value: "[0-9a-f]{32}|[A-Za-z0-9]{22}",
    examples: ["0iEo2HpAFgAOVbP4hCYQFS", "VULTvZXxgjd5WNS3RonCD7"],
  }),
];
