import type { EntityDetector } from "../../entity.ts";
import { hasEncodedSecret } from "../kubernetes-manifest.ts";

const encoded = Buffer.from("frosty-lake-71").toString("base64");
const user = Buffer.from("meadow").toString("base64");

/** A member of `data` with its line break, or in JSON its comma. */
const member = String.raw`["']?[\w.-]+["']?:[ \t]*(?:[|>][+-]?\s+)?["']?[A-Za-z0-9+/]{4,}={0,2}["']?`;

export const kubernetesSecret: EntityDetector = {
  id: "kubernetes-secret",
  entityType: "KUBERNETES_SECRET",
  label: "KUBERNETES_SECRET",
  category: "credential",
  description: "Encoded data in the manifest of a Kubernetes Secret.",
  keywords: [
    "kind: secret",
    "kind:secret",
    "kind: 'secret'",
    'kind: "secret"',
    'kind": "secret"',
    'kind":"secret"',
  ],
  pattern:
    String.raw`\bkind["']?:[ \t]{0,4}["']?secret\b["']?[^{}]{0,400}?\bdata["']?:\s{0,4}[{]?\s{0,40}` +
    String.raw`(?:#[^\n]*\s+)*(${member}(?:,?\s+${member})*)`,
  caseInsensitive: true,
  group: 1,
  score: 0.85,
  validate: hasEncodedSecret,
  positives: [
    [
      `apiVersion: v1\nkind: Secret\ndata:\n  user: ${user}\n  password: ${encoded}\n`,
      `user: ${user}\n  password: ${encoded}`,
    ],
    [
      `kind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n    "pw": '${encoded}'\n`,
      `"pw": '${encoded}'`,
    ],
    [`{"kind": "Secret", "data": {"pw": "${encoded}"}}`, `"pw": "${encoded}"`],
  ],
  negatives: [
    `apiVersion: v1\nkind: ConfigMap\ndata:\n  password: ${encoded}\n`,
    "apiVersion: v1\nkind: Secret\nmetadata:\n  name: mysecret\n  namespace: meadowproduction\n",
    "kind: Secret\ndata:\n  password: ${PASSWORD}\n",
    'kind: Secret\ndata:\n  password: ""\n',
    `kind: Secret\ndata:\n  password: ${Buffer.from("password").toString("base64")}\n`,
    `kind: Secret\ndata:\n  password: ${Buffer.from("your-password-here").toString("base64")}\n`,
  ],
};
