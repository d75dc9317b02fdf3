import type { AuditProof } from "../../src/contract/audit-api.ts";

const pinPlace = "weir.verifier-key";

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
  const key = verifierKey.trim();
  const pinned = localStorage.getItem(pinPlace) ?? key;
  if (pinned !== key)
    return bad("The log is signed with another key than the one this browser has pinned.");
  const leaf = await sha256(joined(Uint8Array.of(0), bytesOf(proof.leafData)));
  if (text(leaf) !== text(bytesOf(proof.leafHash))) return bad("The event's hash is another one.");
  const note = await signedText(proof.checkpoint, key);
  if (typeof note !== "string") return note;
  const [origin = "", size = "", root = ""] = note.split("\n");
  if (origin !== key.split("+")[0] || Number(size) !== proof.treeSize)
    return bad("The checkpoint is of another log.");
  const reached = await rootOf(leaf, proof.index, proof.treeSize, proof.hashes.map(bytesOf));
  if (reached === null || text(reached) !== text(bytesOf(root)))
    return bad("The proof leads to another root.");
  localStorage.setItem(pinPlace, key);
  return { holds: true, why: `Event ${proof.index} of ${proof.treeSize} is in the signed log.` };
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

/** RFC 9162, section 2.1.3.2. null: the proof has too many or too few hashes. */
async function rootOf(
  leaf: Uint8Array<ArrayBuffer>,
  index: number,
  size: number,
  hashes: readonly Uint8Array<ArrayBuffer>[],
): Promise<Uint8Array<ArrayBuffer> | null> {
  let [node, last, current] = [index, size - 1, leaf];
  if (node > last) return null;
  const half = (place: number) => Math.floor(place / 2);
  for (const sibling of hashes) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      current = await nodeOf(sibling, current);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else current = await nodeOf(current, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 ? current : null;
}

function nodeOf(left: Uint8Array<ArrayBuffer>, right: Uint8Array<ArrayBuffer>) {
  return sha256(joined(Uint8Array.of(1), left, right));
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

function joined(...parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

function text(bytes: Uint8Array): string {
  return bytes.join(",");
}
