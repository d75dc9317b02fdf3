import type { EntityDetector } from "../../entity.ts";
import { looksRandom } from "../randomness.ts";

const signature = "8faefeac5bba156c0673b08c8e238ef062fee3db418f34bf8e7f3421332beda5";

/** Anyone who has the URL can use the access that it grants until it expires. */
export const signedUrl: EntityDetector = {
  id: "signed-url",
  entityType: "URL_SIGNATURE",
  label: "URL_SIGNATURE",
  category: "credential",
  description: "Signature of an address that grants access to an object of S3 or Google's storage.",
  keywords: ["-signature="],
  pattern: String.raw`\bX-(?:Amz|Goog)-Signature=([0-9a-f]{64,1000})\b`,
  caseInsensitive: true,
  group: 1,
  score: 0.85,
  validate: looksRandom,
  positives: [
    [`https://s3.test/a.csv?X-Amz-Expires=600&X-Amz-Signature=${signature}`, signature],
    [`X-Goog-SignedHeaders=host&X-Goog-Signature=${signature.repeat(8)}`, signature.repeat(8)],
  ],
  negatives: [
    "?X-Amz-Signature=<signature>&X-Amz-Expires=600",
    `X-Amz-Signature=${"0".repeat(64)}`,
    `X-Hub-Signature=${signature}`,
  ],
};
