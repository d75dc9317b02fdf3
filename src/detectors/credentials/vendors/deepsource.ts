import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const deepsource: readonly EntityDetector[] = [
  markedToken({
    id: "deepsource-token",
    entityType: "DEEPSOURCE_TOKEN",
    description: "Personal access token of DeepSource.",
    prefix: "dsp_",
    body: "[A-Za-z0-9]{40}",
    examples: [
      "bBCw34mSoiarGpxcFQ5JJzhcCN0gQSm3kHmRk4Dw",
      "Do1ESDXi7r26CHLHZBLQeSkHWVWJsU6K4mmkm6sk",
    ],
  }),
];
