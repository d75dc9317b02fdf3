import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const npm: readonly EntityDetector[] = [
  markedToken({
    id: "npm-token",
    entityType: "NPM_TOKEN",
    description: "Access token of npm.",
    prefix: "npm_",
    body: "[A-Za-z0-9]{36}",
    examples: ["hxnmCIk8iJPGJ82YWDMsp1bPwWsOLaL3UpaJ", "ZyjDElUTfMJIbPD4DlSn8qJpmkhp38vG69lP"],
  }),
];
