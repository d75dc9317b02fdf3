import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const postman: readonly EntityDetector[] = [
  markedToken({
    id: "postman-api-key",
    entityType: "POSTMAN_API_KEY",
    description: "API key of Postman.",
    prefix: "PMAK-",
    body: "[0-9a-f]{24}-[0-9a-f]{34}",
    examples: [
      "7556e0022e6feeac5c555682-777e33778cae9a2fddc7f44331843225e3",
      "b51771fff2eba025770adf55-a37c698c0b0a16722fa1e9e763a07c784e",
    ],
  }),
  markedToken({
    id: "postman-collection-key",
    entityType: "POSTMAN_API_KEY",
    description: "Collection access key of Postman.",
    prefix: "PMAT-",
    body: "[A-Z0-9]{26}",
    examples: ["KUBQJ5K8H2KQQ51A63XKPKDZ4W", "8W9UU0HHK884V3OKHY64G3HR2W"],
  }),
];
