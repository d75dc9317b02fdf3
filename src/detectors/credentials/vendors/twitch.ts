import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const twitch: readonly EntityDetector[] = [
  assignedToken({
    id: "twitch-token",
    entityType: "TWITCH_TOKEN",
    description: "Access token or client secret of Twitch.",
    owners: ["twitch"],
    value: "[a-z0-9]{30}",
    exampleName: "access_token",
    examples: ["5s3w0zpmyzb1qzin60dxs64y2x2blk", "1bnf2xzo0rx9e2iv7utxidg4l5xzt6"],
  }),
  markedToken({
    id: "twitch-stream-key",
    entityType: "TWITCH_STREAM_KEY",
    description: "Stream key of Twitch.",
    prefix: ["live_"],
    body: String.raw`\d{8,10}_[A-Za-z0-9]{30}`,
    examples: [
      "03336815_BIseIPpmFaZzoJ5f0luLcAyDHElehG",
      "115851985_JDkB0XvwsiHsqYxUeq2fqELeNo7TbP",
    ],
  }),
];
