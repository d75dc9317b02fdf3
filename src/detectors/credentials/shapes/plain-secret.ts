import { createHash } from "node:crypto";
import type { EntityDetector } from "../../entity.ts";
import { assignedPlain } from "../assignment.ts";
import { isDrawnSecret } from "../drawn-secret.ts";
import { publicName, secretName, secretNameKeywords } from "../secret-name.ts";

/** As long as the tokens of some identity providers. */
const longToken = createHash("sha512").update("meadow").digest("base64url").repeat(9);

/**
 * `arn:aws:secretsmanager:eu-west-1:7182:secret:db-x7`: the name of the place that keeps a secret.
 */
const resourceName = String.raw`\barn:[\w:/.+=@*-]+`;

/** The address of an image in a README. Its token gives access to this image only. */
const badge = String.raw`(?:\.svg|\bshields\.io/[\w./-]+)\?[\w.=&%/+-]+`;

/** The fingerprint of a key, which is not secret. */
const fingerprint = String.raw`(?:gpg|pgp)[ _.-]?key${assignedPlain}(?:0x)?(?:[0-9a-f]{40}|[0-9a-f]{16})\b`;

export const plainSecret: EntityDetector = {
  id: "plain-secret",
  entityType: "SECRET",
  label: "SECRET",
  category: "credential",
  description: "Random text, assigned to the name of a key, token or secret.",
  keywords: secretNameKeywords,
  // The match includes one character after the value that shows that code goes on, so that such a
  // match is refused.
  pattern: String.raw`${resourceName}|${badge}|${fingerprint}|${publicName}${assignedPlain}[\w.+/=~-]+|${secretName}${assignedPlain}([\w.+/=~-]{9,}[\w+/=~-][!#-%(*+/-:=?-\[^_a-{~-]?)`,
  caseInsensitive: true,
  group: 1,
  score: 0.6,
  validate: (value) => /\d/.test(value) && /[\w+/=~-]$/.test(value) && isDrawnSecret(value),
  positives: [
    ["APP_KEY=base64:v7Tq2Lxk81cQn4Vt90Zp=\n", "v7Tq2Lxk81cQn4Vt90Zp="],
    ["MEADOW_API_KEY=v7Tq2Lxk81cQn4Vt90Zp\n", "v7Tq2Lxk81cQn4Vt90Zp"],
    ["jwt_secret: v7Tq2Lxk81cQn4Vt90Zp", "v7Tq2Lxk81cQn4Vt90Zp"],
    ["https://meadow.test/v1?access_token=v7Tq2Lxk81cQn4Vt90Zp&page=2", "v7Tq2Lxk81cQn4Vt90Zp"],
    ["X-Api-Key: v7Tq2Lxk81cQn4Vt90Zp\r\n", "v7Tq2Lxk81cQn4Vt90Zp"],
    ["My token is v7Tq2Lxk81cQn4Vt90Zp.", "v7Tq2Lxk81cQn4Vt90Zp"],
    ["<apiToken>v7Tq2Lxk81cQn4Vt90Zp</apiToken>", "v7Tq2Lxk81cQn4Vt90Zp"],
    ["- name: MEADOW_TOKEN\n  value: v7Tq2Lxk81cQn4Vt90Zp\n", "v7Tq2Lxk81cQn4Vt90Zp"],
    ["Der API-Schlüssel lautet v7Tq2Lxk81cQn4Vt90Zp.", "v7Tq2Lxk81cQn4Vt90Zp"],
    ["Clé API : v7Tq2Lxk81cQn4Vt90Zp", "v7Tq2Lxk81cQn4Vt90Zp"],
    ["APIキー：v7Tq2Lxk81cQn4Vt90Zp", "v7Tq2Lxk81cQn4Vt90Zp"],
    [`refresh_token=${longToken}&scope=openid`, longToken],
    ["MEADOW_API_KEYS=v7Tq2Lxk81cQn4Vt90Zp,", "v7Tq2Lxk81cQn4Vt90Zp"],
    ["meadow_api_key                 = v7Tq2Lxk81cQn4Vt90Zp", "v7Tq2Lxk81cQn4Vt90Zp"],
  ],
  negatives: [
    "API_KEY=$MEADOW_API_KEY",
    "token = response.data.accessToken",
    "secret = generate_secret_v2(32)",
    "api_key: your-api-key-goes-here-1",
    "token: rc-0.15.0_20231217_1420",
    "author = james.meadow-1984",
    "publicKey: v7Tq2Lxk81cQn4Vt90Zp",
    "Version=4.0.0.0, PublicKeyToken=b77a5c561934e089",
    "Sec-WebSocket-Key: dGhlIHN2bXBsZSBub25jZQ==",
    "cache-key: linux-modules-a1b7c3d4e5f6",
    "monkey = v7Tq2Lxk81cQn4Vt90Zp",
    "token=abcdef1234567890",
    "access key id: see the console",
    "key: CryptoKey | Uint8Array;",
    "resource: arn:aws:secretsmanager:eu-west-1:718203645091:secret:MeadowDb1-d4e5f6",
    "https://meadow.test/app/graph/badge.svg?token=lWZ9OBQ7GM",
    "https://img.shields.io/build/meadow?logo=s&token=5de2f8dc2a0dd78438520575431aa533150806e3",
    "gpg_key: 9A038989604E8DA62ECDDBE2094B16CE1B778BE1",
    "ssh_key: AAAAC3NzaC1lZDI1NTE5AAAAIK7Tq2Lxk81cQn4Vt90ZpWm5Ys3Hd6Rb1Gf0Uja4NkT7",
    "store.writeKey = writeUint32Key;",
    "credential: X509Credential | undefined;",
    "API_KEY=a1b2c3d4e5f6g7h8",
    "api_key: projects/718203645091/secrets/meadow71/versions/4",
    "private_key: keys/3f0c9a1e7b524d8e9c06.pem",
  ],
};
