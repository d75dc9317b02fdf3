import { hash as digest } from "node:crypto";

/** Four 32-bit words. */
export type Hash128 = readonly [number, number, number, number];

/** Of SHA-256 over a secret seed and the id: ids that strangers choose can't be made to collide. */
export function hashOfId(seed: string, id: string): Hash128 {
  const bytes = digest("sha256", seed + id, "binary");
  const at = (i: number): number =>
    (bytes.charCodeAt(i) << 24) |
    (bytes.charCodeAt(i + 1) << 16) |
    (bytes.charCodeAt(i + 2) << 8) |
    bytes.charCodeAt(i + 3);
  return [at(0), at(4), at(8), at(12)];
}

/** 32 hex digits. */
export function nameOfHash(hash: Hash128): string {
  return hash.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

export function hashOfName(name: string): Hash128 {
  const at = (i: number): number => Number.parseInt(name.slice(i * 8, i * 8 + 8), 16) | 0;
  return [at(0), at(1), at(2), at(3)];
}
