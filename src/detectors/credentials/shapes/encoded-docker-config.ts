import type { EntityDetector } from "../../entity.ts";
import { base64Text } from "../base64.ts";

/** The beginnings of Docker's config.json, for each usual indentation. */
const beginnings = ['{"auths":', '{ "auths"', '{\n\t"auths"', '{\n  "auths"', '{\n    "auths"'].map(
  // The last base64 character also holds bits of the text that follows.
  (text) => Buffer.from(text).toString("base64").replaceAll("=", "").slice(0, -1),
);

const encoded = Buffer.from(
  JSON.stringify({ auths: { "registry.meadow.test": { auth: "bWVhZG93LWNpOnRaNzF2THE5" } } }),
).toString("base64");

export const encodedDockerConfig: EntityDetector = {
  id: "encoded-docker-config",
  entityType: "REGISTRY_CREDENTIALS",
  label: "REGISTRY_CREDENTIALS",
  category: "credential",
  description: "Docker's config.json with its credentials, encoded in base64.",
  keywords: beginnings.map((beginning) => beginning.toLowerCase()),
  pattern: String.raw`\b(?:${beginnings.join("|")})[A-Za-z0-9+/]{16,}={0,2}`,
  score: 0.95,
  validate: (value) =>
    /"(?:auth|password|identitytoken)"\s*:\s*"[^"]/.test(base64Text(value) ?? ""),
  positives: [
    [`  .dockerconfigjson: ${encoded}\n`, encoded],
    [`DOCKER_AUTH_CONFIG=${encoded}`, encoded],
  ],
  negatives: [
    Buffer.from('{"auths":{"registry.meadow.test":{}},"credsStore":"desktop"}').toString("base64"),
  ],
};
