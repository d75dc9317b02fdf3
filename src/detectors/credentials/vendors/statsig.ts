import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const statsig: readonly EntityDetector[] = [
  markedToken({
    id: "statsig-key",
    entityType: "STATSIG_KEY",
    description: "Server or console key of Statsig.",
    prefix: ["secret-", "console-"],
    body: "[A-Za-z0-9]{43,48}",
    examples: [
      "PfXqnmNOPfj4xIm2BBJ0XlbaPpccaV91POdXks45UYw",
      "JRipOklPXiXkWRzi4VgMa1VBhxsrRXjhrwz5BMshLzH",
    ],
  }),
];
