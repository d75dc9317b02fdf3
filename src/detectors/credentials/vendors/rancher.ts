import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const rancher: readonly EntityDetector[] = [
  markedToken({
    id: "rancher-token",
    entityType: "RANCHER_TOKEN",
    description: "API token of Rancher.",
    prefix: "token-",
    isWordMark: true,
    body: "[a-z0-9]{5}:[a-z0-9]{54}",
    examples: [
      "y1i79:byk5gljyu0h9mcwfoklzhb6i9l7ju6gado9mau4nh716xxngm9c8za",
      "mtr60:g6bhucy1ijuohamdqqnqioa9drmgobszeozphufy4t5d3bfq12s1i2",
    ],
  }),
];
