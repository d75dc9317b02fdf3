import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const paddle: readonly EntityDetector[] = [
  markedToken({
    id: "paddle-api-key",
    entityType: "PADDLE_API_KEY",
    description: "API key of Paddle.",
    prefix: ["pdl_live_apikey_", "pdl_sdbx_apikey_"],
    body: "[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}",
    examples: [
      "x2ltglm3d5ug7qdibojjr5prq5_uIW4ltT81BHPQpdH8MVu8d_28L",
      "6kax8r8jgr1w25a3bdpz3atw2y_qfmJRaOVbXExaJIuJlxD7x_KHr",
    ],
  }),
];
