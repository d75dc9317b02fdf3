import { base64PrintableText } from "./base64.ts";
import { isPlaceholder } from "./placeholder.ts";

/** Whether base64 encodes a user and a password, as HTTP Basic and registries have it. */
export function encodesCredentials(base64: string): boolean {
  const text = base64PrintableText(base64);
  if (text === null) return false;
  const colon = text.indexOf(":");
  const password = text.slice(colon + 1);
  return colon >= 0 && password.length >= 3 && !isPlaceholder(password);
}
