import type { EntityDetector } from "../../entity.ts";
import { hasEncodedSecret } from "../kubernetes-manifest.ts";

const encoded = Buffer.from("frosty-lake-71").toString("base64");

const member = String.raw`["']?[\w.-]+["']?:[ \t]*(?:[|>][+-]?\s+)?["']?[A-Za-z0-9+/]{4,}={0,2}["']?`;

export const kubernetesSecretData: EntityDetector = {
  id: "kubernetes-secret-data",
  entityType: "KUBERNETES_SECRET",
  label: "KUBERNETES_SECRET",
  category: "credential",
  description:
    "Encoded data in the manifest of a Kubernetes Secret that names its kind afterwards.",
  keywords: [
    "kind: secret",
    "kind:secret",
    "kind: 'secret'",
    'kind: "secret"',
    'kind": "secret"',
    'kind":"secret"',
  ],
  pattern:
    String.raw`\bdata["']?:\s{0,4}[{]?\s{0,40}(?:#[^\n]*\s+)*(${member}(?:,?\s+${member})*)` +
    String.raw`\s{0,4}[}]?,?\s[^{}]{0,400}?\bkind["']?:[ \t]{0,4}["']?secret\b`,
  caseInsensitive: true,
  group: 1,
  score: 0.85,
  validate: hasEncodedSecret,
  positives: [
    [`data:\n  password: ${encoded}\nkind: Secret\n`, `password: ${encoded}`],
    [
      `data:\n  password: ${encoded}\napiVersion: v1\nmetadata:\n  name: db\nkind: Secret\n`,
      `password: ${encoded}`,
    ],
  ],
  negatives: [`data:\n  password: ${encoded}\nkind: ConfigMap\n`, "data:\n  a: b\nkind: Secret\n"],
};
