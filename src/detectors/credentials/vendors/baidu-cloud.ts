import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const baiduCloud: readonly EntityDetector[] = [
  markedToken({
    id: "baidu-access-key",
    entityType: "BAIDU_ACCESS_KEY",
    description: "Access key of Baidu AI Cloud.",
    prefix: "ALTAK",
    body: "[A-Za-z0-9]{21}",
    examples: ["My6XwUTGcG4ZJiCCVBKMu", "OLHcHz9OzgRP27yMbNbz7"],
  }),
];
