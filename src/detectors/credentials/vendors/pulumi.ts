import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const pulumi: readonly EntityDetector[] = [
  markedToken({
    id: "pulumi-token",
    entityType: "PULUMI_TOKEN",
    description: "Access token of Pulumi.",
    prefix: "pul-",
    body: "[0-9a-f]{40}",
    examples: [
      "1c1354aefcd0a25a62809c1e3736f2bd04fbc580",
      "d86d1a17c6731c1a502c9c02b52ff4c64d3121f4",
    ],
  }),
];
