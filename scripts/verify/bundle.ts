import { Compile } from "typebox/compile";
import { AuditProof, BundleEnd, BundleHeader, BundleRecord } from "../../src/contract/audit-api.ts";
import { readEvent } from "../../src/contract/audit.ts";
import { readCheckpoint, type Checkpoint } from "../../src/store/audit/checkpoint.ts";
import { inclusionHolds, leafHash } from "../../src/store/audit/merkle.ts";
import { linesOf, type Chunks } from "./lines.ts";
import { GrowingRoot } from "../../src/store/audit/growing-root.ts";

/** The verified facts, or the first fault. */
export type Verdict =
  | { readonly ok: true; readonly summary: string; readonly verifierKey: string }
  | { readonly ok: false; readonly fault: string };

const header = Compile(BundleHeader);
const record = Compile(BundleRecord);
const end = Compile(BundleEnd);
const proof = Compile(AuditProof);

/**
 * Verifies an exported bundle, or one proof as the API gives it. `key` is the log's verifier key; null
 * takes the key that a bundle names, which shows only that the bundle is consistent with itself.
 */
export async function verifyAudit(chunks: Chunks, key: string | null): Promise<Verdict> {
  const lines = linesOf(chunks);
  const first = await lines.next();
  if (first.done === true) return fault("the file is empty");
  const bundle = canonical(header, first.value);
  return bundle === null ? verifyProof(first.value, lines, key) : verifyBundle(bundle, lines, key);
}

async function verifyBundle(
  { kind, orgId, treeSize, verifierKey, checkpoint }: BundleHeader,
  lines: AsyncGenerator<Buffer>,
  key: string | null,
): Promise<Verdict> {
  if (key !== null && key !== verifierKey) return fault("the bundle names another verifier key");
  const signed = readCheckpoint(checkpoint, verifierKey);
  if (signed === null) return fault("the checkpoint is not signed with the verifier key");
  if (signed.size !== treeSize) return fault("the bundle's size is not the checkpoint's");
  const found =
    kind === "log" ? await wholeLog(signed, orgId, lines) : await someRecords(signed, orgId, lines);
  if (typeof found === "string") return fault(found);
  const of = orgId === null ? "" : ` of the organization ${orgId}`;
  const what =
    kind === "log"
      ? `all ${treeSize} events of the log, none altered, removed or reordered`
      : `${found} events${of}, each one in the log at its place`;
  return { ok: true, summary: `${what}; checkpoint of ${treeSize} events`, verifierKey };
}

/** The number of events, or the fault. */
async function wholeLog(
  { size, root }: Checkpoint,
  orgId: string | null,
  lines: AsyncGenerator<Buffer>,
): Promise<number | string> {
  if (orgId !== null) return "a whole log is of no single organization";
  const tree = new GrowingRoot();
  for await (const line of lines) tree.append(leafHash(line));
  if (tree.size !== size) return `there are ${tree.size} events, and the checkpoint covers ${size}`;
  if (!tree.root().equals(root)) return "an event was altered, removed, added or reordered";
  return size;
}

async function someRecords(
  { size, root }: Checkpoint,
  orgId: string | null,
  lines: AsyncGenerator<Buffer>,
): Promise<number | string> {
  let records = 0;
  let last = -1;
  for await (const line of lines) {
    const trailer = canonical(end, line);
    if (trailer !== null) {
      if (trailer.records !== records)
        return `${trailer.records} events were exported, ${records} are there`;
      const more = await lines.next();
      return more.done === true ? records : "something follows the last line";
    }
    const one = canonical(record, line);
    if (one === null) return `line ${records + 2} is not a record`;
    const hashes = one.hashes.map(hashOf);
    const leaf = leafHash(Buffer.from(one.leaf));
    if (
      !hashes.every((hash) => hash !== null) ||
      !inclusionHolds(leaf, one.index, size, hashes, root)
    ) {
      return `the event at ${one.index} is not the one that was recorded`;
    }
    if (one.index <= last) return `the event at ${one.index} is out of order`;
    if (orgId !== null && readEvent(one.leaf).org_id !== orgId) {
      return `the event at ${one.index} is of another organization`;
    }
    last = one.index;
    records += 1;
  }
  return "the end of the bundle is missing";
}

async function verifyProof(
  first: Buffer,
  rest: AsyncGenerator<Buffer>,
  key: string | null,
): Promise<Verdict> {
  const lines = [first];
  for await (const line of rest) lines.push(line);
  const value = parsed(lines.map(String).join("\n"));
  if (!proof.Check(value)) return fault("the file is neither a bundle nor a proof");
  if (key === null) return fault("a proof is verified with the log's key: add --key VERIFIER_KEY");
  const signed = readCheckpoint(value.checkpoint, key);
  if (signed === null) return fault("the checkpoint is not signed with the verifier key");
  const { index, treeSize } = value;
  if (signed.size !== treeSize) return fault("the proof's size is not the checkpoint's");
  const leaf = leafHash(Buffer.from(value.leafData, "base64"));
  const isSpelled = isCanonicalBase64(value.leafData);
  if (!isSpelled || leaf.toString("base64") !== value.leafHash) {
    return fault("the event is not the one that was recorded");
  }
  const hashes = value.hashes.map(hashOf);
  const holds =
    hashes.every((hash) => hash !== null) &&
    inclusionHolds(leaf, index, treeSize, hashes, signed.root);
  if (!holds) return fault("the proof does not hold");
  const summary = `the event at ${index} is in the log; checkpoint of ${treeSize} events`;
  return { ok: true, summary, verifierKey: key };
}

interface Check<T> {
  Check(value: unknown): value is T;
}

/**
 * The value of a line, if the line has exactly the form of the export. JSON has many forms of one
 * value.
 */
function canonical<T>(schema: Check<T>, line: Buffer): T | null {
  const value = parsed(line.toString());
  if (!schema.Check(value)) return null;
  return Buffer.from(JSON.stringify(value)).equals(line) ? value : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function hashOf(base64: string): Buffer | null {
  const bytes = Buffer.from(base64, "base64");
  return bytes.length === 32 && isCanonicalBase64(base64) ? bytes : null;
}

function isCanonicalBase64(base64: string): boolean {
  return Buffer.from(base64, "base64").toString("base64") === base64;
}

function fault(what: string): Verdict {
  return { ok: false, fault: what };
}
