import type { EntityDetector } from "../../entity.ts";
import { base64Text } from "../base64.ts";

/**
 * `-----BEGIN ` in base64, without the last character, which also holds bits of the text that
 * follows.
 */
const encodedBegin = "LS0tLS1CRUdJTi";
const headerCharacters = 80;

const encoded = (kind: string) =>
  Buffer.from(
    `-----BEGIN ${kind}-----\nMIGkAgEBBDCr8vYxq0ZkTn4wLsd72JfQhVbE1mGtPuKo3XyR6HcWzD5iSgNa\n-----END ${kind}-----\n`,
  ).toString("base64");

export const encodedPrivateKey: EntityDetector = {
  id: "encoded-private-key",
  entityType: "PRIVATE_KEY",
  label: "PRIVATE_KEY",
  category: "credential",
  description: "PEM private key in base64, as in a kubeconfig's client-key-data.",
  keywords: [encodedBegin.toLowerCase()],
  pattern: String.raw`\b(${encodedBegin}[A-Za-z0-9+/]{64,}={0,2})`,
  group: 1,
  score: 0.98,
  validate: (value) =>
    base64Text(value.slice(0, headerCharacters))?.includes("PRIVATE KEY") ?? false,
  positives: [
    [`client-key-data: ${encoded("RSA PRIVATE KEY")}\n`, encoded("RSA PRIVATE KEY")],
    [`KEY_B64="${encoded("PRIVATE KEY")}"`, encoded("PRIVATE KEY")],
  ],
  negatives: [`client-certificate-data: ${encoded("CERTIFICATE")}\n`, encoded("PUBLIC KEY")],
};
