import type { AuditProof } from "../../src/contract/audit-api.ts";
import { isBeginning, joined, leafOf, rootOf, sha256 } from "./merkle.ts";

const pinPlace = "weir.verifier-key";
const seenPlace = "weir.checkpoint";

export interface Checked {
  readonly holds: boolean;
  /** What was found, for a person. */
  readonly why: string;
}

/**
 * Checks an inclusion proof here, in the browser: the leaf's hash, its way to the root, the signature of the
 * checkpoint that names the root, and that the key is the one which this browser saw first.
 */
export async function checkProof(proof: AuditProof, verifierKey: string): Promise<Checked> {
  const leaf = await leafOf(bytesOf(proof.leafData));
  if (text(leaf) !== text(bytesOf(proof.leafHash))) return bad("The event's hash is another one.");
  const checkpoint = await readCheckpoint(proof.checkpoint, verifierKey);
  if ("holds" in checkpoint) return checkpoint;
  if (checkpoint.size !== proof.treeSize) return bad("The checkpoint is of another log.");
  const reached = await rootOf(leaf, proof.index, proof.treeSize, proof.hashes.map(bytesOf));
  if (reached === null || text(reached) !== text(bytesOf(checkpoint.root)))
    return bad("The proof leads to another root.");
  return { holds: true, why: `Event ${proof.index} of ${proof.treeSize} is in the signed log.` };
}

/** The first `size` events have this root, base64. */
interface Checkpoint {
  readonly size: number;
  readonly root: string;
}

/** The checkpoint that this browser has seen last and found to hold; null: none. */
export function seenCheckpoint(): Checkpoint | null {
  return JSON.parse(localStorage.getItem(seenPlace) ?? "null") as Checkpoint | null;
}

/**
 * Checks a checkpoint here: its signature, its key, and that the log of the checkpoint seen last is its beginning.
 * `prove` gets the consistency proof of two sizes, base64.
 */
export async function checkCheckpoint(
  note: string,
  verifierKey: string,
  prove: (first: number, second: number) => Promise<readonly string[]>,
): Promise<Checked> {
  const now = await readCheckpoint(note, verifierKey);
  if ("holds" in now) return now;
  const seen = seenCheckpoint();
  if (seen !== null) {
    if (seen.size > now.size)
      return bad(`The log has ${now.size} events, and had ${seen.size}: some were taken away.`);
    const hashes =
      seen.size === now.size || seen.size === 0 ? [] : await prove(seen.size, now.size);
    const [before, after] = [bytesOf(seen.root), bytesOf(now.root)];
    if (!(await isBeginning(seen.size, before, now.size, after, hashes.map(bytesOf))))
      return bad(`The ${seen.size} events that this browser has seen are not its beginning.`);
  }
  localStorage.setItem(seenPlace, JSON.stringify(now));
  const grown =
    seen === null
      ? "Next time, this browser checks that the log has only grown."
      : `The ${seen.size} events that this browser has seen are its beginning.`;
  return { holds: true, why: `${now.size} events, signed. ${grown}` };
}

/** What a note says that the pinned key has signed. The first key that a browser sees is pinned. */
async function readCheckpoint(note: string, verifierKey: string): Promise<Checkpoint | Checked> {
  const key = verifierKey.trim();
  const pinned = localStorage.getItem(pinPlace) ?? key;
  if (pinned !== key)
    return bad("The log is signed with another key than the one this browser has pinned.");
  const signed = await signedText(note, key);
  if (typeof signed !== "string") return signed;
  const [origin = "", size = "", root = ""] = signed.split("\n");
  if (origin !== key.split("+")[0] || !/^\d{1,15}$/.test(size))
    return bad("The checkpoint is of another log.");
  localStorage.setItem(pinPlace, key);
  return { size: Number(size), root };
}

function bad(why: string): Checked {
  return { holds: false, why };
}

/** The text of a signed note (C2SP) if the key's owner signed it. */
async function signedText(note: string, verifierKey: string): Promise<string | Checked> {
  const [name = "", idHex = "", ...rest] = verifierKey.split("+");
  const encoded = bytesOf(rest.join("+"));
  if (encoded.length !== 33 || encoded[0] !== 1) return bad("The verifier key is no Ed25519 key.");
  const id = (await sha256(joined(new TextEncoder().encode(`${name}\n`), encoded))).subarray(0, 4);
  const hex = Array.from(id, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (hex !== idHex) return bad("The verifier key does not fit its own id.");
  const end = note.lastIndexOf("\n\n");
  const signed = note.slice(0, end + 1);
  const key = await importKey(encoded.slice(1));
  if (key === null) return bad("This browser can't check Ed25519 signatures; use npm run verify.");
  for (const line of note.slice(end + 2).split("\n")) {
    const [dash, signer, signature = ""] = line.split(" ");
    if (dash !== "—" || signer !== name) continue;
    const bytes = bytesOf(signature);
    if (text(bytes.slice(0, 4)) !== text(id)) continue;
    const data = new TextEncoder().encode(signed);
    if (await crypto.subtle.verify("Ed25519", key, bytes.slice(4), data)) return signed;
  }
  return bad("The checkpoint's signature is wrong.");
}

async function importKey(raw: Uint8Array<ArrayBuffer>): Promise<CryptoKey | null> {
  try {
    return await crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
  } catch {
    return null;
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

function text(bytes: Uint8Array): string {
  return bytes.join(",");
}
