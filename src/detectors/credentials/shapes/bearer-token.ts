import type { EntityDetector } from "../../entity.ts";
import { isDrawnSecret } from "../drawn-secret.ts";

export const bearerToken: EntityDetector = {
  id: "bearer-token",
  entityType: "BEARER_TOKEN",
  label: "BEARER_TOKEN",
  category: "credential",
  description: "Token of an HTTP authorization header.",
  keywords: ["bearer", "authorization"],
  pattern: String.raw`(?:\bbearer|\bauthorization\\?["']?[ \t]{0,4}(?::|=|=>|,)[ \t]{0,4}\\?["']?(?:token|apikey|api-key|key|bot|digest|negotiate|sso-key|genie-?key)?)(?:[ \t:=]{1,4}|%20)\\?["']?([\w.~+/-]{16,}={0,2}[(\[]?)`,
  caseInsensitive: true,
  group: 1,
  score: 0.75,
  validate: (value) => !/[([]$/.test(value) && isDrawnSecret(value),
  positives: [
    ["Authorization: Bearer v7Tq2Lxk81cQn4Vt90Zp", "v7Tq2Lxk81cQn4Vt90Zp"],
    [`curl -H 'Authorization: token 9fk2LxT7vq81cQn4Vt90'`, "9fk2LxT7vq81cQn4Vt90"],
    [`headers={"Authorization": "Bearer v7Tq2Lxk81cQn4Vt90Zp"}`, "v7Tq2Lxk81cQn4Vt90Zp"],
  ],
  negatives: [
    "Authorization: Bearer <your-access-token>",
    "Authorization: Bearer YOUR_ACCESS_TOKEN_HERE",
    "Authorization: Bearer ${ACCESS_TOKEN}",
    "the bearer of-this-document-may-pass",
    "bearer authentication/authorization",
    "authorization = base64.b64encode(signature71)",
    "authorization: Bearer getOAuth2AccessToken",
  ],
};
