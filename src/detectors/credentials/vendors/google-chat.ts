import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const googleChat: readonly EntityDetector[] = [
  markedToken({
    id: "google-chat-webhook",
    entityType: "GOOGLE_CHAT_WEBHOOK",
    description: "Webhook address of Google Chat.",
    prefix: "https://chat.googleapis.com/v1/spaces/",
    body: String.raw`[\w-]{8,16}/messages\?key=[\w-]{39}&token=[\w%-]{40,60}`,
    examples: [
      "AAAAqWxmFj4/messages?key=UEz8OZ5Sw5DD4WQm8Jwwg86lSIpQyyDEPZbRsJy&token=RfgSbon1x7sF2F5Fni8TcmqlsXDBUaEzvGHcyfgZCvX",
      "AAAAqJLN4v5/messages?key=fqlzD9Vrj6ZXxtBGC6b3NsbfgDYycFPlmEFZkCN&token=f5ceKVBgGfozeH28U4bJqLegVX9NP3r2FBK8mf944kU",
    ],
  }),
];
