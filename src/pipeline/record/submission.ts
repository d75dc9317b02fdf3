import { hash, webcrypto } from "node:crypto";
import { bodyBytesUnreserved } from "../../contract/limits.ts";
import type { KeptBody } from "../../store/content/content.ts";
import { pooledRandomBytes } from "../../runtime/random-bytes.ts";
import { keptBody } from "./kept-bodies.ts";

/** What remains of a scan's submission (spec: Privacy of scans): its text, or a hash and its salt. */
export type KeptSubmission =
  | { readonly kind: "text"; readonly body: KeptBody }
  | { readonly kind: "hash"; readonly sha256: string; readonly salt: string };

export async function keepSubmission(
  content: Uint8Array,
  storeInput: boolean,
): Promise<KeptSubmission> {
  if (storeInput) return { kind: "text", body: keptBody(content) };
  const salt = pooledRandomBytes(16);
  const salted = Buffer.concat([salt, content]);
  const sha256 =
    salted.length <= bodyBytesUnreserved
      ? hash("sha256", salted, "hex")
      : // Off the loop, because megabytes would block it for milliseconds.
        Buffer.from(await webcrypto.subtle.digest("SHA-256", salted)).toString("hex");
  return { kind: "hash", sha256, salt: salt.toString("hex") };
}
