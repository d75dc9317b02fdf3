import type { EntityDetector } from "../../entity.ts";

/** The least of a key that is worth anything; certificates and public keys have other headers. */
const base64RunLengthMin = 40;

/** What a key's lines may hold: base64, the headers of an encrypted one, and JSON's line breaks. */
const body = String.raw`(?:[\w+/=\s\\:.,"'()@]|-[\w \s])`;

const block = (header: string, footer: string) =>
  String.raw`-{4,5} ?BEGIN ${header} ?-{4,5}${body}{40,}(?:-{4,5} ?END ${footer} ?-{4,5})?`;

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
  validate: (value) => longestBase64Run(value) >= base64RunLengthMin,
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
    "grep -r 'BEGIN PRIVATE KEY' . finds keys",
  ],
};

function pem(kind: string, lineBreak: string): string {
  return [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`].join(lineBreak);
}

function longestBase64Run(value: string): number {
  const runs = value.match(/[A-Za-z0-9+/=]+/g) ?? [];
  return Math.max(0, ...runs.map((run) => run.length));
}
