import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const aiven: readonly EntityDetector[] = [
  markedToken({
    id: "aiven-token",
    entityType: "AIVEN_TOKEN",
    description: "API token of Aiven.",
    prefix: "aivenv1_",
    body: "[A-Za-z0-9+/]{40,400}={0,2}",
    examples: [
      "CN6g3kjtciyN7w1rs1APfSmNWXeniNwnvphKgsyXsXGdx6aQQqtlLvrRR9ng",
      "gfrpAXg9eiOBvZd5QWtv8g7oEpUl378paAe9Fw9rs1N9izcWWIbHrr7mTq01",
    ],
  }),
  markedToken({
    id: "aiven-service-password",
    entityType: "AIVEN_PASSWORD",
    description: "Service password of Aiven.",
    prefix: "AVNS_",
    body: String.raw`[\w-]{15,24}`,
    examples: ["afDfSJlGyWHp7QPQxZs", "69D8JAWjjpPQk8OgCdj"],
  }),
];
