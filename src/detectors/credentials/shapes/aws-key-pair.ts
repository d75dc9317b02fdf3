import type { EntityDetector } from "../../entity.ts";
import { isDrawn } from "../token-shape.ts";

const keyId = "AKIA" + "Q3ZT6YLM5WBN2XKD";
const secret = "kT7vq2Lx/81cQn4Vt90ZpWm5+Ys3Hd6Rb1Gf0Uja";

export const awsKeyPair: EntityDetector = {
  id: "aws-key-pair",
  entityType: "AWS_SECRET_KEY",
  label: "AWS_SECRET_KEY",
  category: "credential",
  description: "Secret access key of Amazon Web Services just behind its key id, as in a CSV file.",
  keywords: ["akia", "asia"],
  pattern: String.raw`\b(?:AKIA|ASIA)[A-Z2-7]{16}[^\w+]{1,20}(?:[\w ]{0,24}[^\w+/]{1,12})?([A-Za-z0-9+/]{40}[\w+/=-]?)`,
  group: 1,
  score: 0.9,
  validate: (value) => value.length === 40 && isDrawn(value),
  positives: [
    [`Access key ID,Secret access key\n${keyId},${secret}\n`, secret],
    [`${keyId} / ${secret}`, secret],
    [`("${keyId}", "${secret}")`, secret],
  ],
  negatives: [`${keyId} and nothing else`, `${secret},${keyId}`],
};
