import type { EntityDetector } from "../../entity.ts";
import { encodesCredentials } from "../encoded-credentials.ts";

const encoded = Buffer.from("meadow-ci:tZ71vLq9").toString("base64");

export const dockerAuth: EntityDetector = {
  id: "docker-auth",
  entityType: "REGISTRY_CREDENTIALS",
  label: "REGISTRY_CREDENTIALS",
  category: "credential",
  description: "User and password of a container or package registry, as in Docker's config.json.",
  keywords: ["auth"],
  pattern: String.raw`\b_?auth\\?["']?[ \t]{0,4}(?:=[ \t]{0,8}|:\s{0,8})\\?["']?([A-Za-z0-9+/]{8,400}={0,2})`,
  caseInsensitive: true,
  group: 1,
  score: 0.9,
  validate: encodesCredentials,
  positives: [
    [`{"auths": {"registry.meadow.test": {"auth": "${encoded}"}}}`, encoded],
    [`{ "registry.meadow.test": { "auth" : "${encoded}" } }`, encoded],
    [`//npm.meadow.test/:_auth=${encoded}\n`, encoded],
  ],
  negatives: [
    '{"auth": "required"}',
    "auth: oauth2client",
    '{"auths": {}}',
    `_auth=\n${encoded}`,
    `{"auth": "${Buffer.from("username:password").toString("base64")}"}`,
  ],
};
