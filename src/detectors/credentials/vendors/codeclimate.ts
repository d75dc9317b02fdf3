import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const codeclimate: readonly EntityDetector[] = [
  assignedToken({
    id: "codeclimate-token",
    entityType: "CODECLIMATE_TOKEN",
    description: "Token of Code Climate.",
    owners: ["codeclimate", "cc test reporter"],
    what: "(?:token|id|key)",
    value: "[0-9a-f]{64}|[0-9a-f]{40}",
    exampleName: "token",
    examples: [
      "a6894ce10a36c3a3be4945463196fae75d1d2b4c1ef2005eeb2e61e1b48173c0",
      "df2c983e07bf2b826e0b302f3186304e83a8a5947264e1778236fe9974aa502d",
    ],
  }),
];
