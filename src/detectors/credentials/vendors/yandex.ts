import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const yandex: readonly EntityDetector[] = [
  markedToken({
    id: "yandex-access-token",
    entityType: "YANDEX_TOKEN",
    description: "IAM token of Yandex Cloud.",
    prefix: "t1.",
    body: String.raw`[\w-]{20,}={0,2}\.[\w-]{86}={0,2}`,
    examples: [
      "oTeSXTtfsLeTnOqAOboKWWoa7ToGGydI0tiUEIDa.7KBTvSpdtdr3Z7huADIqtAOdqY3NUuDp0jX3AIgxI85rbVpkAhmptLlYUIcb9RCrB1AnJxzYkiCvbdYy59pnwQ",
      "dDNjFoMI1Mi5siwfueUsTFBljJtYDzvY1hipunSd.X15Jg40QpQZoNbhUqoVj92SXoOofYia8G7YcFQCRfFMeihlkxzpeNX21i1e0fFKJkCSSYTzz6PGFrFNWoO0tE2",
    ],
  }),
  markedToken({
    id: "yandex-api-key",
    entityType: "YANDEX_API_KEY",
    description: "API key of Yandex Cloud.",
    prefix: "AQVN",
    body: String.raw`[\w-]{35,38}`,
    examples: ["v9rMrJ7qCmWvrA1rcRnDkFmdSrmmEPio9ONd", "AKnmyxC1rvlj7YYhWsSWqEXV7cduIJLsQ2db"],
  }),
  markedToken({
    id: "yandex-aws-access-token",
    entityType: "YANDEX_STORAGE_KEY",
    description: "Static access key of Yandex Object Storage.",
    prefix: ["YCAJ", "YCB"],
    body: String.raw`[\w-]{20,40}`,
    examples: ["G3Ztxd09LQ9Oc26u6J6MF", "fZbHspSyUIuvaQ0wt3yqF"],
  }),
  assignedToken({
    id: "yandex-storage-secret",
    entityType: "YANDEX_STORAGE_KEY",
    description: "Static secret key of Yandex Object Storage.",
    owners: ["yandex"],
    value: String.raw`YC[\w-]{38}`,
    examples: [
      "YCUcu1qkvmWnfS15YKu41cZsjMnE4sDCtbHhaDai",
      "YCSC5KLdCYa7lotSbB65sjBcKbBOsQxptIJg86ak",
    ],
  }),
];
