import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const virustotal: readonly EntityDetector[] = [
  assignedToken({
    id: "virustotal-api-key",
    entityType: "VIRUSTOTAL_API_KEY",
    description: "API key of VirusTotal.",
    owners: ["virustotal", "vt api"],
    value: "[0-9a-f]{64}",
    examples: [
      "7212abddd53b6c3d8a20f3b3d8a9c1234f87c6fdf63df9bcc48d61443f68f212",
      "2e90ae85c4fe7701aa71362b45325567066fbe1c64169bc28709716b11728ac9",
    ],
  }),
];
