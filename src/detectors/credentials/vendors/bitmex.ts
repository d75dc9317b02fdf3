import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const bitmex: readonly EntityDetector[] = [
  assignedToken({
    id: "bitmex-secret",
    entityType: "BITMEX_SECRET",
    description: "API key or secret of BitMEX.",
    owners: ["bitmex"],
    value: String.raw`[\w-]{48}|[\w-]{24}`,
    exampleName: "api_secret",
    examples: [
      "tddSwpVg8P0crXtc7pePRdXfeSHar5WbiXSpgxVyEf5heg0H",
      "5upm9Tktiie61o5GfKGUZmBRLeIXY5LvBZ1GlrrIr6GoJUsy",
    ],
  }),
];
