import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const clerk: readonly EntityDetector[] = [
  assignedToken({
    id: "clerk-secret-key",
    entityType: "CLERK_KEY",
    description: "Secret key of Clerk.",
    owners: ["clerk"],
    value: "sk_(?:live|test)_[A-Za-z0-9]{40,60}",
    score: 0.97,
    exampleName: "secret_key",
    examples: [
      "sk_test_KdIBmAYtyKWiw9hsT0irklt3xbnOppZ9xgpQdJjC82",
      "sk_test_LHxfjmQVnbIAKUcpUIhzOihv6JPxvvrHwN7ziyZUzP",
    ],
  }),
];
