import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const alibaba: readonly EntityDetector[] = [
  markedToken({
    id: "alibaba-access-key-id",
    entityType: "ALIBABA_ACCESS_KEY",
    label: "ALIBABA_KEY",
    description: "Access key id of Alibaba Cloud.",
    prefix: "LTAI",
    body: "[A-Za-z0-9]{12,20}",
    examples: ["QzJXtw3XVBOsrT5mH3Da", "vTrmFLHBMUAPTT0aZN0d"],
  }),
  assignedToken({
    id: "alibaba-secret-key",
    entityType: "ALIBABA_SECRET_KEY",
    description: "Secret access key of Alibaba Cloud.",
    owners: ["alibaba", "aliyun", "alicloud"],
    value: "[A-Za-z0-9]{30}",
    exampleName: "secret_key",
    examples: ["a71P2tD8vkQXRYO1NiJ7brD03q2YBV", "XGqa6tcVy4DHkmLrDzq9qStxuUsNh6"],
  }),
];
