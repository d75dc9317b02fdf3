import { expect, test } from "vitest";
import { readCheckpoint, signCheckpoint } from "../../../src/store/audit/checkpoint.ts";
import { newSigningKey, noteSigner, verifiedText } from "../../../src/store/audit/signed-note.ts";

const root = Buffer.alloc(32, 7);
const signer = noteSigner("weir.example/log", newSigningKey());
const note = signCheckpoint(signer, 1234, root);

test("a checkpoint is a signed note of three lines", () => {
  expect(note.split("\n").slice(0, 4)).toEqual([
    "weir.example/log",
    "1234",
    root.toString("base64"),
    "",
  ]);
  expect(note).toMatch(/\n\n— weir\.example\/log [A-Za-z0-9+/=]+\n$/);
  expect(readCheckpoint(note, signer.verifierKey)).toEqual({
    origin: "weir.example/log",
    size: 1234,
    root,
  });
});

// The key and note that C2SP's reference implementation (golang.org/x/mod/sumdb/note) documents.
test("a note of the reference implementation verifies", () => {
  const key = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
  const text =
    "If you think cryptography is the answer to your problem,\n" +
    "then you don't know what your problem is.\n";
  const signed = `${text}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;
  expect(verifiedText(signed, key)).toBe(text);
  expect(verifiedText(signed.replace("answer", "Answer"), key)).toBeNull();
});

test("a verifier key whose id is another's verifies nothing", () => {
  const [name, id, key] = signer.verifierKey.split(/\+(.{8})\+/);
  expect(verifiedText(note, `${name}+${id}+${key}`)).not.toBeNull();
  expect(verifiedText(note, `${name}+${id === "00000000" ? "1" : "0"}0000000+${key}`)).toBeNull();
});

// Several notes, for what the last bits of base64 stand for differs.
test.each([1, 2, 3, 4, 5])("no byte of it can be another (%i)", (size) => {
  const note = signCheckpoint(signer, size, Buffer.alloc(32, size));
  for (let at = 0; at < note.length; at += 1) {
    const changed = note.slice(0, at) + (note[at] === "A" ? "B" : "A") + note.slice(at + 1);
    expect(readCheckpoint(changed, signer.verifierKey), `at ${at}`).toBeNull();
  }
});

test("another log's key does not verify it", () => {
  const other = noteSigner("weir.example/log", newSigningKey());
  expect(readCheckpoint(note, other.verifierKey)).toBeNull();
});

const rootText = root.toString("base64");

test.each<[what: string, text: string]>([
  ["of another log", `other.example/log\n3\n${rootText}\n`],
  ["with a root of other bytes", `${signer.name}\n3\n${root.toString("base64", 1)}\n`],
  // The last letter before the padding has two bits that stand for nothing.
  ["with a root in other letters", `${signer.name}\n3\n${rootText.replace(/c=$/, "d=")}\n`],
  ...["03", "-3", "3.5", "1e3", " 3", "", "10000000000000000"].map((size): [string, string] => [
    `with a size written ${JSON.stringify(size)}`,
    `${signer.name}\n${size}\n${rootText}\n`,
  ]),
])("what is signed and is no checkpoint: %s", (_, text) => {
  const signed = signer.sign(text);
  expect(verifiedText(signed, signer.verifierKey)).toBe(text);
  expect(readCheckpoint(signed, signer.verifierKey)).toBeNull();
});

test("a signature is written in one way", () => {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const last = note.at(-3) ?? "";
  const sameBytes = letters[letters.indexOf(last) ^ 1] ?? "";
  expect(note.slice(-2)).toBe("=\n");
  expect(readCheckpoint(`${note.slice(0, -3)}${sameBytes}=\n`, signer.verifierKey)).toBeNull();
  expect(readCheckpoint(note.slice(0, -1), signer.verifierKey)).toBeNull();
  expect(readCheckpoint(`${note}more`, signer.verifierKey)).toBeNull();
});

test("a text may have empty lines", () => {
  const text = "one\n\ntwo\n";
  expect(verifiedText(signer.sign(text), signer.verifierKey)).toBe(text);
});
