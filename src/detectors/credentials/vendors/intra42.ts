import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const intra42: readonly EntityDetector[] = [
  markedToken({
    id: "intra42-client-secret",
    entityType: "INTRA42_SECRET",
    description: "Client secret of 42's intranet.",
    prefix: ["s-s4t2ud-", "s-s4t2af-"],
    body: "[0-9a-f]{64}",
    examples: [
      "69c0b0b40c62ac3173785f65090b7c4bb6212deb87c20822509f4d33da830844",
      "07a71cb8e555fd068735bdd6a53c2a1025641f3b7dc769d5682d02661d38f42e",
    ],
  }),
];
