import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const travisCi: readonly EntityDetector[] = [
  assignedToken({
    id: "travis-ci-token",
    entityType: "TRAVIS_CI_TOKEN",
    description: "Access token of Travis CI.",
    owners: ["travis"],
    value: "[A-Za-z0-9]{22}",
    exampleName: "token",
    examples: ["HNYb0ZRRSr9wFPDqC2W9AJ", "be6G8RhHPUUGTxXN9NHAHW"],
  }),
];
