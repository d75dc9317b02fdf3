import { base64PrintableText } from "./base64.ts";
import { isExamplePair } from "./example-pair.ts";
import { isPlaceholder } from "./placeholder.ts";

/**
 * Whether base64 encodes a user and a password, as in HTTP Basic and in the files of registries.
 */
export function encodesCredentials(base64: string): boolean {
  const text = base64PrintableText(base64);
  if (text === null) return false;
  const colon = text.indexOf(":");
  const user = text.slice(0, Math.max(0, colon));
  const password = text.slice(colon + 1);
  if (user === password || isExamplePair(user, password)) return false;
  return colon >= 0 && password.length >= 3 && !isPlaceholder(password);
}
