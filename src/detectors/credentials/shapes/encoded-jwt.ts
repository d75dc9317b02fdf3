import type { EntityDetector } from "../../entity.ts";
import { beginsAsJsonWebToken } from "../json-web-token.ts";

const header = Buffer.from('{"alg":"RS256","kid":"a7"}').toString("base64url");
const payload = Buffer.from('{"iss":"auth.meadow.test","sub":"7041"}').toString("base64url");
const encoded = Buffer.from(`${header}.${payload}.Qm7vTn4wLsd72JfQhVbE1mGtPu`).toString("base64");

export const encodedJwt: EntityDetector = {
  id: "encoded-jwt",
  entityType: "JWT",
  label: "JWT",
  category: "credential",
  description: "JSON Web Token that is encoded in base64 once more.",
  keywords: ["zxlk", "zxlb", "zxlc", "zxlm", "zxlo", "zxln"],
  pattern: String.raw`\b(ZXl[A-Za-z0-9_/+-]{40,}={0,2})`,
  group: 1,
  score: 0.95,
  validate: (value) => beginsAsJsonWebToken(Buffer.from(value, "base64").toString("latin1")),
  positives: [[`token: ${encoded}\n`, encoded]],
  negatives: [Buffer.from(`eyes.and.ears.${"lorem ipsum ".repeat(6)}`).toString("base64")],
};
