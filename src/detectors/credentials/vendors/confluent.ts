import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const confluent: readonly EntityDetector[] = [
  assignedToken({
    id: "confluent-access-key",
    entityType: "CONFLUENT_ACCESS_KEY",
    description: "API key of Confluent Cloud.",
    owners: ["confluent"],
    value: "[A-Za-z0-9]{16}",
    examples: ["tijkhZjXYNU5VDY9", "vLr8STWNlzrXRvlK"],
  }),
  assignedToken({
    id: "confluent-secret-key",
    entityType: "CONFLUENT_SECRET",
    description: "API secret of Confluent Cloud.",
    owners: ["confluent"],
    value: "[A-Za-z0-9+/]{64}",
    exampleName: "api_secret",
    examples: [
      "xhwvet08etwog1fb3h4cl0z4uhm7uik6fcv7dcezqr2ntigvnnlhc64d6eig4qvy",
      "d3yl8g0ju2oeksqdn6d5fb9zcy9eh2dia7kkikn8zc4azmxyklbnnkeoucpna9v2",
    ],
  }),
];
