import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const line: readonly EntityDetector[] = [
  assignedToken({
    id: "line-channel-token",
    entityType: "LINE_TOKEN",
    description: "Channel access token of LINE.",
    owners: ["line channel", "line bot", "line access"],
    value: "[A-Za-z0-9+/]{160,180}={0,2}|[0-9a-f]{32}",
    exampleName: "access_token",
    examples: [
      "Nj6tBDoIFS7CqcP1GxiCvpnP8Tp8akTt8pqf80fg7r4OZD1G5X3t7mx7CVcYbCxBzNs6BEN0KHnpJhUerYsxVZSZZGfPr912b3ETW0hctwGHoERrFkoRtdFPuEl6AIwJKOA5jBzypt8TcUP0omcsa4rQuHtGPWNRAl0EBfQ4C7",
    ],
  }),
];
