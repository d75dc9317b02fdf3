import { emptyRoot, nodeHash, type Hash } from "./merkle.ts";

/**
 * The root of leaves that are added one after the other. It keeps one hash for each level (RFC 6962,
 * section 2.1).
 */
export class GrowingRoot {
  /** Roots of full subtrees, the largest first; their sizes are the bits of `size`. */
  readonly #full: Hash[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  append(leaf: Hash): void {
    let node = leaf;
    for (let rest = this.#size; rest % 2 === 1; rest = Math.floor(rest / 2)) {
      node = nodeHash(this.#full.pop() ?? emptyRoot, node);
    }
    this.#full.push(node);
    this.#size += 1;
  }

  root(): Hash {
    const [last, ...larger] = this.#full.toReversed();
    return larger.reduce((right, left) => nodeHash(left, right), last ?? emptyRoot);
  }
}
