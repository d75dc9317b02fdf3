import { isPlainObject, type PlainObject } from "../../contract/plain-object.ts";
import { base64Text } from "./base64.ts";

/**
 * Whether a text is a JSON Web Token in compact form. It needs a JSON header that names its
 * algorithm and a JSON payload, or the five parts of an encrypted token (RFC 7516, 7.1). The
 * signature isn't checked and may be missing.
 */
export function isJsonWebToken(text: string): boolean {
  const parts = text.replaceAll("=", "").split(".");
  const [header = "", payload = ""] = parts;
  if (parts.length === 5) return isHeader(header);
  return parts.length <= 3 && isHeader(header) && jsonObject(payload) !== null;
}

function isHeader(base64: string): boolean {
  const algorithm = jsonObject(base64)?.["alg"];
  return typeof algorithm === "string" && algorithm !== "";
}

/**
 * The same if only the beginning of the token is known. The first name in its header must be a known
 * one.
 */
export function beginsAsJsonWebToken(text: string): boolean {
  const [header = ""] = text.split(".", 1);
  const beginning = Buffer.from(header, "base64").toString("latin1");
  return /^\{\s*"(?:alg|typ|kid|enc|zip|cty|crit|jku|jwk|x5u|x5c|x5t|apu|apv|epk|iv|tag|p2s|p2c|iss|sub|aud|ppt|svt|url|nonce|b64|org|app|client|device|appid|tenant|v|ver)"\s*:/.test(
    beginning,
  );
}

function jsonObject(base64: string): PlainObject | null {
  try {
    const value: unknown = JSON.parse(base64Text(base64) ?? "");
    return isPlainObject(value) ? value : null;
  } catch {
    return null;
  }
}
