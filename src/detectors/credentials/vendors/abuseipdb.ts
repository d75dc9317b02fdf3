import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const abuseipdb: readonly EntityDetector[] = [
  assignedToken({
    id: "abuseipdb-api-key",
    entityType: "ABUSEIPDB_API_KEY",
    description: "API key of AbuseIPDB.",
    owners: ["abuseipdb"],
    value: "[0-9a-f]{80}",
    examples: [
      "f95645b66ac7b1dccae233b6710bd2c72d97b2774a9e798c42bb052a1d1960d79058265969c64008",
      "e3e3aced37e80ac9858d09488ff5206d4f8f4218134c74783723aa1fa85c99e08f34bc52ba806430",
    ],
  }),
];
