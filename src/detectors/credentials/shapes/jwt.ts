import type { EntityDetector } from "../../entity.ts";
import { isJsonWebToken } from "../json-web-token.ts";
import { tokenStart } from "../token-shape.ts";

const header = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString("base64url");
const payload = Buffer.from('{"sub":"7041","role":"ops","iat":1699999999}').toString("base64url");
const signature = "Qm7vTn4wLsd72JfQhVbE1mGtPuKo3XyR6HcWzD5iSgN";

/** A part, which some writers pad. */
const part = String.raw`[\w/+-]+={0,2}`;
/**
 * The parts after the header: the four of an encrypted token, or a payload and maybe a signature.
 */
const parts = String.raw`(?:\.(?:${part})?(?:\.${part}){3}|\.${part}(?:\.(?:${part})?)?)`;

export const jwt: EntityDetector = {
  id: "jwt",
  entityType: "JWT",
  label: "JWT",
  category: "credential",
  description: "JSON Web Token, signed, encrypted or bare.",
  keywords: ["eyj", "ewo", "eya", "eyi"],
  pattern: String.raw`${tokenStart}(ey[A-Za-z][\w-]{8,}={0,2}${parts})`,
  group: 1,
  score: 0.95,
  validate: isJsonWebToken,
  positives: [
    [`${header}.${payload}.${signature}`, `${header}.${payload}.${signature}`],
    [
      `Authorization: Bearer ${header}.${payload}.${signature}\n`,
      `${header}.${payload}.${signature}`,
    ],
    [`session=${header}.${payload}.; path=/`, `${header}.${payload}.`],
    [`It is ${header}.${payload}.${signature}.`, `${header}.${payload}.${signature}`],
    [`It is ${header}.${payload}.${signature}...`, `${header}.${payload}.${signature}`],
    [
      `key ${header}..${signature}.${payload}.${signature}.`,
      `${header}..${signature}.${payload}.${signature}`,
    ],
  ],
  negatives: [
    `eyNotAHeaderAtAll.${payload}.${signature}`,
    "they.agree.on.that",
    `${payload}.${header}`,
  ],
};
