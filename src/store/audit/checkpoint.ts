import { verifiedText, type NoteSigner } from "./signed-note.ts";

/** A checkpoint's statement: the first `size` events have this root (C2SP tlog-checkpoint). */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

export function signCheckpoint(signer: NoteSigner, size: number, root: Uint8Array): string {
  return signer.sign(`${signer.name}\n${size}\n${Buffer.from(root).toString("base64")}\n`);
}

/** The checkpoint in a note that the verifier key's owner signed, else null. */
export function readCheckpoint(note: string, verifierKey: string): Checkpoint | null {
  const text = verifiedText(note, verifierKey);
  const lines = text?.split("\n") ?? [];
  const [origin = "", size = "", root = ""] = lines;
  if (!/^(0|[1-9]\d{0,15})$/.test(size) || origin !== verifierKey.split("+")[0]) return null;
  const bytes = Buffer.from(root, "base64");
  // Base64 can be written in several ways; only one of them was signed as this root.
  if (bytes.length !== 32 || bytes.toString("base64") !== root) return null;
  return { origin, size: Number(size), root: bytes };
}
