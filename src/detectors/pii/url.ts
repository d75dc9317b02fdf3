import type { EntityDetector } from "../entity.ts";
import { urlPath } from "./url-path.ts";
import { isVocabulary } from "./vocabulary.ts";

const host = String.raw`(?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]*\.)+[\p{L}\p{N}-]*[\p{L}\p{N}]`;

/** A web address with its scheme, or that begins with `www.`. */
export const url: EntityDetector = {
  id: "url",
  entityType: "URL",
  label: "URL",
  category: "pii",
  description: "A web or FTP address that has its scheme or begins with www.",
  keywords: ["://", "www."],
  keywordPlace: "run",
  pattern:
    String.raw`\b(?:(?:https?|ftps?|wss?)://(?:[^\s/@<>"'\x60]{1,128}@)?` +
    String.raw`${host}|localhost|\[[0-9a-f:.]{2,45}\])|www\.${host}))(?::\d{1,5})?${urlPath}`,
  caseInsensitive: true,
  score: 0.6,
  validate: (value) => !isVocabulary(value),
  positives: [
    ["See https://shop.example.com/orders?id=77&x=1.", "https://shop.example.com/orders?id=77&x=1"],
    ["(www.example.org/a_b)", "www.example.org/a_b"],
    ["docs at http://localhost:8080/api, or", "http://localhost:8080/api"],
    ['{"u":"https://example.com/a\\nb"}', "https://example.com/a"],
    ["HTTPS://EXAMPLE.COM", "HTTPS://EXAMPLE.COM"],
  ],
  negatives: [
    ...["https://", "http:// nothing", "std::www", "the www is old"],
    '{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}',
    '<svg xmlns="http://www.w3.org/2000/svg">',
    '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/">',
    '{"system": "http://loinc.org", "code": "2160-0"}',
  ],
};
