import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const facebook: readonly EntityDetector[] = [
  markedToken({
    id: "facebook-page-token",
    entityType: "FACEBOOK_TOKEN",
    description: "User or page access token of Facebook.",
    prefix: ["EAAM", "EAAC", "EAAB", "EAAG", "EAAJ", "EAAD"],
    body: "[A-Za-z0-9]{100,400}",
    examples: [
      "3sKmXQ2d4qyp5E5VBvlqGrDUZWdOq4ipufTh42eVcBWX9aJDnEJUKL0fzlmEbSYB7kVSAXo9uPWYci03IVpN1gX9PPnMRbNJoOBkXeVxCWeiv25B4DCZmMxK46vmOMxrY5ikpl3HLiYI",
    ],
  }),
  assignedToken({
    id: "facebook-app-secret",
    entityType: "FACEBOOK_SECRET",
    description: "App secret of Facebook.",
    owners: ["facebook", "fb app"],
    value: "[0-9a-f]{32}",
    exampleName: "app_secret",
    examples: ["6b53baba5316f29de88a4c0058d8e154", "48b21f109b2a7a119b3a551af2326a96"],
  }),
  assignedToken({
    id: "facebook-app-token",
    entityType: "FACEBOOK_TOKEN",
    description: "App access token of Facebook.",
    owners: ["facebook", "fb"],
    value: String.raw`\d{15,17}(?:\||%7C)[\w-]{27,40}`,
    exampleName: "access_token",
    examples: [
      "3217728344937437|hi5gpwqkqjaaRg1Js1hhDEGqQqo",
      "8619391200186705|F0AqG7UVU4Xhk54yu9ADQj6tYzD",
    ],
  }),
];
