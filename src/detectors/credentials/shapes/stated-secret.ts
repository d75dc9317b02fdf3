import type { EntityDetector } from "../../entity.ts";
import { isDrawnSecret } from "../drawn-secret.ts";

export const statedSecret: EntityDetector = {
  id: "stated-secret",
  entityType: "SECRET",
  label: "SECRET",
  category: "credential",
  description: "Random text that follows the word for a key or token in a sentence or a log.",
  keywords: ["token", "api key", "api-key", "api_key", "apikey", "access key", "secret key"],
  keywordPlace: "start",
  // The match includes one character after the value that shows that code goes on, so that such a
  // match is refused.
  pattern: String.raw`\b(?:token|api[ _-]?key|access key|secret key)[ \t]{1,2}([\w+/=~-]{20,400}[!#-%(*/:=?@\[\^\x60{|]?)`,
  caseInsensitive: true,
  group: 1,
  score: 0.55,
  validate: (value) =>
    /\d/.test(value) && /[A-Za-z]/.test(value) && /[\w+/=~-]$/.test(value) && isDrawnSecret(value),
  positives: [
    ["Using API key v7Tq2Lxk81cQn4Vt90Zp for meadow", "v7Tq2Lxk81cQn4Vt90Zp"],
    ["connected with token v7Tq2Lxk81cQn4Vt90Zp.", "v7Tq2Lxk81cQn4Vt90Zp"],
  ],
  negatives: [
    "the API key configuration/of-a-service is read first",
    "an access token getAccessTokenSilently2024 returns",
    "a cache key v7Tq2Lxk81cQn4Vt90Zp was missed",
    "API key XXXXXXXXXXXXXXXXXXXXXXXX",
    "token 12345678901234567890 of 8192",
  ],
};
