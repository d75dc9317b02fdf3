import type { EntityDetector } from "../../entity.ts";
import { isPlaceholder } from "../placeholder.ts";

/**
 * The least length of a key's own text, for a key that is cut off and for a key with its footer.
 */
const cutRunLengthMin = 40;
const wholeRunLengthMin = 8;

/**
 * The least number of different characters among base64's sixty-four. One letter over and over is
 * no key.
 */
const charactersMin = 6;

/**
 * Characters in a key's lines: base64, the headers of an encrypted key, and the characters that
 * JSON, source code, quotations and URLs put between the lines.
 */
const body = String.raw`(?:[\w+/=\s\\:.,"'()@&#;>%]|-[\w \s])`;

const block = (header: string, footer: string) =>
  String.raw`-{4,5} ?BEGIN ${header} ?-{4,5}${body}{10,}(?:-{4,5} ?END ${footer} ?-{4,5})?`;

const kinds = String.raw`(?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?`;

const lines = [
  "MIGkAgEBBDCr8vYxq0ZkTn4wLsd72JfQhVbE1mGtPuKo3XyR6HcWzD5iSgNaTjU0",
  "pBvMlq9eCnYfZ8sKwXo2Hd4rJgL7uTiV1aPbQxRmEyN3k6DzFcGh5SjWUtOo0AIB",
];

export const privateKey: EntityDetector = {
  id: "private-key",
  entityType: "PRIVATE_KEY",
  label: "PRIVATE_KEY",
  category: "credential",
  description: "Private key in PEM or OpenPGP armour, whole or cut off.",
  keywords: ["private key"],
  pattern: block(kinds, kinds),
  score: 0.98,
  validate: holdsKey,
  positives: ["PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY"]
    .map((kind) => pem(kind, "\n"))
    .flatMap((key): (readonly [string, string])[] => [
      [`Here it is:\n${key}\nPlease check it.`, key],
      [JSON.stringify({ private_key: key }), key.replaceAll("\n", "\\n")],
    ]),
  negatives: [
    pem("PUBLIC KEY", "\n"),
    pem("CERTIFICATE", "\n"),
    "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\nYOUR_PRIVATE_KEY_HERE\n-----END PRIVATE KEY-----",
    "grep -r 'BEGIN PRIVATE KEY' . finds keys",
    `-----BEGIN PRIVATE KEY-----\n${"x".repeat(64)}\n-----END PRIVATE KEY-----`,
  ],
};

function pem(kind: string, lineBreak: string): string {
  return [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`].join(lineBreak);
}

function holdsKey(value: string): boolean {
  const [, text = "", footer] = /KEY(?: BLOCK)? ?-{4,5}(.*?)(-{4,5} ?END .*)?$/s.exec(value) ?? [];
  const runs = text.match(/[A-Za-z0-9+/=]+/g) ?? [];
  const longest = Math.max(0, ...runs.map((run) => run.length));
  if (runs.every((run) => new Set(run).size < charactersMin)) return false;
  if (longest >= cutRunLengthMin) return true;
  return footer !== undefined && longest >= wholeRunLengthMin && !isPlaceholder(text);
}
