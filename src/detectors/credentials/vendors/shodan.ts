import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const shodan: readonly EntityDetector[] = [
  assignedToken({
    id: "shodan-api-key",
    entityType: "SHODAN_API_KEY",
    description: "API key of Shodan.",
    owners: ["shodan"],
    value: "[A-Za-z0-9]{32}",
    examples: ["3mqhb3RQ5MpBGqlogpwPkmo72ZJ7IGQg", "HooY75oNYUYGgZX7Ks6YVaZeB3ETHPQe"],
  }),
];
