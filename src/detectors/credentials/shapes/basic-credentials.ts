import type { EntityDetector } from "../../entity.ts";
import { encodesCredentials } from "../encoded-credentials.ts";

const encoded = Buffer.from("meadow-ci:tZ71vLq9").toString("base64");

export const basicCredentials: EntityDetector = {
  id: "basic-credentials",
  entityType: "BASIC_CREDENTIALS",
  label: "BASIC_CREDENTIALS",
  category: "credential",
  description: "User and password of an HTTP Basic authorization.",
  keywords: ["basic"],
  pattern: String.raw`\bbasic(?:[ \t]{1,4}|%20)([A-Za-z0-9+/]{8,400}={0,2})`,
  caseInsensitive: true,
  group: 1,
  score: 0.9,
  validate: encodesCredentials,
  positives: [
    [`Authorization: Basic ${encoded}\n`, encoded],
    [`{"headers": {"authorization": "Basic ${encoded}"}}`, encoded],
  ],
  negatives: [
    "Basic understanding of algebra",
    "basic authentication",
    "Authorization: Basic xxxxxxxx",
    `Authorization: Basic ${Buffer.from("user:password").toString("base64")}`,
    `Authorization: Basic ${Buffer.from("test:test").toString("base64")}`,
  ],
};
