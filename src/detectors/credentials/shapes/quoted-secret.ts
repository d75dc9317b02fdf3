import { createHash } from "node:crypto";
import type { EntityDetector } from "../../entity.ts";
import { unquoted } from "../printable.ts";
import { adjacentQuoted, assignedQuoted, describedQuoted } from "../assignment.ts";
import { isDrawnSecret } from "../drawn-secret.ts";
import { publicName, secretName, secretNameKeywords } from "../secret-name.ts";

/** As long as the tokens of some identity providers. */
const longToken = createHash("sha512").update("meadow").digest("base64url").repeat(9);

export const quotedSecret: EntityDetector = {
  id: "quoted-secret",
  entityType: "SECRET",
  label: "SECRET",
  category: "credential",
  description: "Random text in quotes, assigned to the name of a key, token or secret.",
  keywords: secretNameKeywords,
  pattern: String.raw`${publicName}(?:${assignedQuoted}|${adjacentQuoted})${unquoted}+|${secretName}(?:${describedQuoted}|${assignedQuoted}|${adjacentQuoted})(${unquoted}{10,})\\{0,2}["'\x60]`,
  caseInsensitive: true,
  group: 1,
  score: 0.65,
  validate: isDrawnSecret,
  positives: [
    [`const apiKey = "v7Tq2Lxk81cQn4Vt90Zp";`, "v7Tq2Lxk81cQn4Vt90Zp"],
    [`{"client_secret": "9fk2-LxT7vq81cQn4"}`, "9fk2-LxT7vq81cQn4"],
    [`{\\"auth_token\\": \\"9fk2LxT7vq81cQn4Vt\\"}`, "9fk2LxT7vq81cQn4Vt"],
    [`SECRET_KEY = 'k#7v(q2)L@x81cQn4&Vt90'`, "k#7v(q2)L@x81cQn4&Vt90"],
    [`<add key="SigningKey" value="v7Tq2Lxk81cQn4Vt90Zp" />`, "v7Tq2Lxk81cQn4Vt90Zp"],
    [`{"name": "MEADOW_TOKEN", "value": "v7Tq2Lxk81cQn4Vt90Zp"}`, "v7Tq2Lxk81cQn4Vt90Zp"],
    [`config.put("encryption-key", "v7Tq2Lxk81cQn4Vt90Zp")`, "v7Tq2Lxk81cQn4Vt90Zp"],
    [`let meadow_token: &str = "v7Tq2Lxk81cQn4Vt90Zp";`, "v7Tq2Lxk81cQn4Vt90Zp"],
    [`const secret = process.env.JWT_SECRET || "v7Tq2Lxk81cQn4Vt90Zp";`, "v7Tq2Lxk81cQn4Vt90Zp"],
    [`os.environ.get("API_KEY") or 'v7Tq2Lxk81cQn4Vt90Zp'`, "v7Tq2Lxk81cQn4Vt90Zp"],
    [`proxy_set_header X-Api-Key "v7Tq2Lxk81cQn4Vt90Zp";`, "v7Tq2Lxk81cQn4Vt90Zp"],
    [`api_keys: ["v7Tq2Lxk81cQn4Vt90Zp"]`, "v7Tq2Lxk81cQn4Vt90Zp"],
    [`{"access_token":"${longToken}","expires_in":3600}`, longToken],
    [`define( 'SECRET_KEY',             'k#7v(q2)L@x81cQn4&Vt90' );`, "k#7v(q2)L@x81cQn4&Vt90"],
    [
      `variable "meadow_token" {\n  type    = string\n  default = "v7Tq2Lxk81cQn4Vt90Zp"\n}`,
      "v7Tq2Lxk81cQn4Vt90Zp",
    ],
  ],
  negatives: [
    `const apiKey = "YOUR_API_KEY";`,
    `const apiKey = "userKeyNotFound";`,
    `secret: "\${SECRET}"`,
    `token_url = "https://meadow.test/oauth/v2.0/token"`,
    `public_key = "v7Tq2Lxk81cQn4Vt90Zp"`,
    `{"nextPageToken": "v7Tq2Lxk81cQn4Vt90Zp"}`,
    `keyword: "v7Tq2Lxk81cQn4Vt90Zp"`,
    `const secret = process.env.JWT_SECRET || "development-only";`,
    `unexpected token "authenticate" at 12`,
    `request_id: "3f0c9a1e-7b52-4d8e-9c06-52d1b7e9a4f3"`,
    `tokenizer = "bert-base-uncased-v2-0_12"`,
    `{"integrity": "sha512-v7Tq2Lxk81cQn4Vt90Zp"}`,
    `API_KEY=\n"v7Tq2Lxk81cQn4Vt90Zp"`,
    `token =\n\n"v7Tq2Lxk81cQn4Vt90Zp"`,
    `const options = ["apiKey", "adminAPIKey"];`,
    `HEX_PAT = "[0-9A-Fa-f]{1,4}"`,
    `tokens = r"H{1,2}|h{1,2}|m{1,2}|YYYY"`,
    `input_key: str = "jpg;png;webp;mp4"`,
    `jwt_key: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE7Tq2Lxk81cQn4Vt90ZpWm5Ys3Hd6"`,
    `"ClientRequestToken": "a8ca07e4-61ec-4399-99f4-19853801bcd5"`,
  ],
};
