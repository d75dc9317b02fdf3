import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  sign,
  verify,
  type KeyObject,
} from "node:crypto";

/** The number of Ed25519 in C2SP's signed notes. */
const ed25519 = 1;
/** The DER bytes before an Ed25519 public key of 32 bytes. */
const spkiPrefix = Buffer.from("302a300506032b6570032100", "hex");

/** Signs notes in the name of one audit log. */
export interface NoteSigner {
  /** C2SP: the log's name; no spaces, no plus sign. */
  readonly name: string;
  /** The key that verifies its notes: `name+keyid+key` (C2SP signed-note, verifier key). */
  readonly verifierKey: string;
  sign(text: string): string;
}

/** A new key pair; its private half as PEM. */
export function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

export function noteSigner(name: string, privateKeyPem: string): NoteSigner {
  const privateKey = createPrivateKey(privateKeyPem);
  const publicKey = rawPublicKey(createPublicKey(privateKeyPem));
  const id = keyId(name, publicKey);
  return {
    name,
    verifierKey: `${name}+${id.toString("hex")}+${encoded(publicKey).toString("base64")}`,
    sign(text) {
      const signature = sign(null, Buffer.from(text), privateKey);
      return `${text}\n— ${name} ${Buffer.concat([id, signature]).toString("base64")}\n`;
    },
  };
}

/** The text of a note if the verifier key's owner signed it, else null. */
export function verifiedText(note: string, verifierKey: string): string | null {
  const key = readVerifierKey(verifierKey);
  const end = note.lastIndexOf("\n\n");
  if (key === null || end < 0) return null;
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2).split("\n");
  if (lines.pop() !== "") return null;
  const isSigned = lines.some((line) => {
    const [dash, name, signature = ""] = line.split(" ");
    if (dash !== "—" || name !== key.name) return false;
    const bytes = Buffer.from(signature, "base64");
    // Base64 can be written in several ways; a signer writes only one of them.
    if (bytes.toString("base64") !== signature) return false;
    if (!bytes.subarray(0, 4).equals(key.id)) return false;
    return verify(null, Buffer.from(text), key.publicKey, bytes.subarray(4));
  });
  return isSigned ? text : null;
}

interface VerifierKey {
  readonly name: string;
  readonly id: Buffer;
  readonly publicKey: KeyObject;
}

function readVerifierKey(text: string): VerifierKey | null {
  const [name = "", idHex = "", ...rest] = text.trim().split("+");
  const bytes = Buffer.from(rest.join("+"), "base64");
  if (name === "" || bytes.length !== 33 || bytes[0] !== ed25519) return null;
  const raw = bytes.subarray(1);
  const id = keyId(name, raw);
  if (id.toString("hex") !== idHex) return null;
  const der = Buffer.concat([spkiPrefix, raw]);
  return { name, id, publicKey: createPublicKey({ key: der, format: "der", type: "spki" }) };
}

/** C2SP signed-note: the first four bytes of a hash over name and key. */
function keyId(name: string, publicKey: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(`${name}\n`), encoded(publicKey)]);
  return hash("sha256", named, "buffer").subarray(0, 4);
}

function encoded(publicKey: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(ed25519), publicKey]);
}

function rawPublicKey(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: "spki", format: "der" }).subarray(spkiPrefix.length);
}
