import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const hetzner: readonly EntityDetector[] = [
  assignedToken({
    id: "hetzner-token",
    entityType: "HETZNER_TOKEN",
    description: "API token of Hetzner Cloud.",
    owners: ["hetzner", "hcloud"],
    value: "[A-Za-z0-9]{64}",
    exampleName: "token",
    examples: [
      "QRlTccUfvPOdciB20w0TVI1JSMcAdaOzUseYdVVwQ03Msm9b8ZHipt2qfHqoJwMJ",
      "IygSU72RIKbD0yg5ke7x5OZHonVA1LzP814hTfBTFEEhV0Fg2Xpvd8aFotOVygKy",
    ],
  }),
];
