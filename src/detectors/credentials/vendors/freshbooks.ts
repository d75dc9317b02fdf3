import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const freshbooks: readonly EntityDetector[] = [
  assignedToken({
    id: "freshbooks-token",
    entityType: "FRESHBOOKS_TOKEN",
    description: "Access token of FreshBooks.",
    owners: ["freshbooks"],
    value: "[A-Za-z0-9]{64}",
    exampleName: "access_token",
    examples: [
      "P8hFc7kKtrIvQgZzjl4U5hnE9YMYWbIQwnlLZ82lC11dfyYsmeI1V7bc1xEYbPjx",
      "s6oi7JgdnrBu2TaZSbM1Z0PzrJfeQhT8keMuRQr48n2UKJRf1OfCGrFAwhgU1wUK",
    ],
  }),
];
