import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const ciscoMeraki: readonly EntityDetector[] = [
  assignedToken({
    id: "cisco-meraki-api-key",
    entityType: "CISCO_MERAKI_API_KEY",
    description: "API key of Cisco Meraki.",
    owners: ["meraki"],
    value: "[0-9a-f]{40}",
    examples: [
      "73be4000771a62bb710cdfb0304c54afe2814bd8",
      "be75ca630237dcb8a2f2b23c0b34bc77bc24bd1f",
    ],
  }),
];
