/**
 * Called for every keyword in a text, in the order of their ends. `list` is the list that the
 * keyword belongs to.
 */
export type KeywordFound = (list: number, end: number, lengthBytes: number) => void;

interface Node {
  readonly next: Map<number, Node>;
  /** The keywords that end here, its suffixes' included. */
  readonly outputs: { list: number; lengthBytes: number }[];
  fail: Node | null;
  state: number;
}

/**
 * Finds many keywords in one pass over UTF-8 bytes, in upper or lower case (Aho and Corasick,
 * 1975). Words with letters beyond ASCII are found in lower case, upper case and capitalized. Each
 * byte of any text takes two table look-ups. An RE2 set of the same words is as fast on prose, but
 * it gives no positions, and hostile text makes it ten times slower
 * (docs/decisions/0009-the-search-for-entities.md).
 */
export class KeywordAutomaton {
  /** The class of each byte. Bytes that are the same to all keywords share a class. */
  readonly #classes: Uint8Array;
  readonly #classBits: number;
  /** `table[(state << classBits) | class]` is the next state. */
  readonly #table: Uint16Array;
  /** States with this number or a higher one have outputs. */
  readonly #outputsFrom: number;
  readonly #outputs: readonly Node["outputs"][];

  /** `lists[n]` are the keywords that are reported as `n`, in lower case. */
  constructor(lists: readonly (readonly string[])[]) {
    const root = newNode();
    for (const [list, words] of lists.entries()) {
      for (const word of words) {
        for (const bytes of foldedVariants(word)) add(root, bytes, list);
      }
    }
    const nodes = linked(root);
    const statesMax = 1 << 16;
    if (nodes.length > statesMax) throw new Error(`keywords need ${nodes.length} states`);
    // States with outputs come last, so that one comparison finds them.
    const silent = nodes.filter(({ outputs }) => outputs.length === 0);
    const speaking = nodes.filter(({ outputs }) => outputs.length > 0);
    const ordered = [...silent, ...speaking];
    for (const [state, node] of ordered.entries()) node.state = state;
    this.#outputsFrom = silent.length;
    this.#outputs = speaking.map(({ outputs }) => outputs);

    const { classes, count } = byteClasses(nodes);
    this.#classes = classes;
    this.#classBits = Math.ceil(Math.log2(count));
    this.#table = new Uint16Array(ordered.length << this.#classBits);
    for (const node of nodes) this.#fillRow(node);
  }

  scan(utf8: Uint8Array, found: KeywordFound): void {
    const table = this.#table;
    const classes = this.#classes;
    const classBits = this.#classBits;
    const outputsFrom = this.#outputsFrom;
    const length = utf8.length;
    let state = 0;
    for (let at = 0; at < length; at += 1) {
      state = table[(state << classBits) | (classes[utf8[at] ?? 0] ?? 0)] ?? 0;
      if (state < outputsFrom) continue;
      for (const { list, lengthBytes } of this.#outputs[state - outputsFrom] ?? []) {
        found(list, at + 1, lengthBytes);
      }
    }
  }

  /**
   * Nodes nearer to the root were filled before, and `node` copies the row of the one that it fails
   * to.
   */
  #fillRow(node: Node): void {
    const row = node.state << this.#classBits;
    if (node.fail) {
      const inherited = node.fail.state << this.#classBits;
      this.#table.copyWithin(row, inherited, inherited + (1 << this.#classBits));
    }
    for (const [byte, { state }] of node.next) {
      this.#table[row | (this.#classes[byte] ?? 0)] = state;
    }
  }
}

function newNode(): Node {
  return { next: new Map(), outputs: [], fail: null, state: 0 };
}

/** The word's bytes in each supported case, with their ASCII letters in lower case. */
function foldedVariants(word: string): readonly Buffer[] {
  const capitalized = word.charAt(0).toUpperCase() + word.slice(1);
  const folded = [word, capitalized, word.toUpperCase()].map((variant) =>
    variant.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  );
  return [...new Set(folded)].map((variant) => Buffer.from(variant));
}

function add(root: Node, bytes: Buffer, list: number): void {
  let node = root;
  for (const byte of bytes) {
    const next = node.next.get(byte) ?? newNode();
    node.next.set(byte, next);
    node = next;
  }
  if (node === root) throw new Error("an empty keyword");
  node.outputs.push({ list, lengthBytes: bytes.length });
}

/** All nodes, breadth first, with `fail` set and the outputs of suffixes added. */
function linked(root: Node): readonly Node[] {
  const nodes = [root];
  for (const node of nodes) {
    for (const [byte, child] of node.next) {
      child.fail = node === root ? root : longestSuffix(node.fail, byte, root);
      child.outputs.push(...child.fail.outputs);
      nodes.push(child);
    }
  }
  return nodes;
}

function longestSuffix(from: Node | null, byte: number, root: Node): Node {
  for (let node = from; node; node = node.fail) {
    const next = node.next.get(byte);
    if (next) return next;
  }
  return root;
}

function byteClasses(nodes: readonly Node[]): { classes: Uint8Array; count: number } {
  const classes = new Uint8Array(256);
  const used = new Set(nodes.flatMap(({ next }) => [...next.keys()]));
  let count = 1;
  for (const byte of used) classes[byte] = count++;
  const lettersApart = 0x20;
  for (let upper = 0x41; upper <= 0x5a; upper += 1)
    classes[upper] = classes[upper + lettersApart] ?? 0;
  return { classes, count };
}
