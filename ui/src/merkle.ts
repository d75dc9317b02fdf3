/** Hashes of a Merkle tree (RFC 9162), in WebCrypto. */
export type Hash = Uint8Array<ArrayBuffer>;

/** The hash of an event. */
export function leafOf(data: Hash): Promise<Hash> {
  return sha256(joined(Uint8Array.of(0), data));
}

/** RFC 9162, section 2.1.3.2. null: the proof has too many or too few hashes. */
export async function rootOf(
  leaf: Hash,
  index: number,
  size: number,
  hashes: readonly Hash[],
): Promise<Hash | null> {
  let [node, last, current] = [index, size - 1, leaf];
  if (node > last) return null;
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

/**
 * Whether the tree of `first` events with its root is the beginning of the tree of `second` (RFC 9162, section
 * 2.1.4.2). Equal sizes and an empty tree need no proof.
 */
export async function isBeginning(
  first: number,
  firstRoot: Hash,
  second: number,
  secondRoot: Hash,
  proof: readonly Hash[],
): Promise<boolean> {
  if (first > second) return false;
  if (first === second) return proof.length === 0 && isSame(firstRoot, secondRoot);
  if (first === 0) return proof.length === 0;
  let [node, last] = [first - 1, second - 1];
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  // The root of a whole tree is its own first hash, and not sent.
  const [start, ...hashes] = node === 0 ? [firstRoot, ...proof] : proof;
  if (start === undefined) return false;
  let [before, after] = [start, start];
  for (const hash of hashes) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      [before, after] = [await nodeOf(hash, before), await nodeOf(hash, after)];
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else after = await nodeOf(after, hash);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && isSame(before, firstRoot) && isSame(after, secondRoot);
}

function half(place: number): number {
  return Math.floor(place / 2);
}

function isSame(one: Hash, other: Hash): boolean {
  return one.join() === other.join();
}

function nodeOf(left: Hash, right: Hash): Promise<Hash> {
  return sha256(joined(Uint8Array.of(1), left, right));
}

export async function sha256(bytes: Hash): Promise<Hash> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

export function joined(...parts: readonly Hash[]): Hash {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
