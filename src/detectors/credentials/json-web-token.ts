import { base64Text } from "./base64.ts";

/**
 * Whether a text is a JSON Web Token in compact form: a header of JSON that names its algorithm,
 * and a payload of JSON (or, encrypted, the five parts of RFC 7516, 7.1). Its signature isn't
 * checked, and may be missing.
 */
export function isJsonWebToken(text: string): boolean {
  const parts = text.replaceAll("=", "").split(".");
  const [header = "", payload = ""] = parts;
  const algorithm = jsonObject(header)?.["alg"];
  if (typeof algorithm !== "string" || algorithm === "") return false;
  if (parts.length === 5) return true;
  return parts.length <= 3 && jsonObject(payload) !== null;
}

function jsonObject(base64: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(base64Text(base64) ?? "");
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
