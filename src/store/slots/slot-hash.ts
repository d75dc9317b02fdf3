import { hash as digest } from "node:crypto";

/** Four 32-bit words. */
export type Hash128 = readonly [number, number, number, number];

/** A part of SHA-256 over a secret seed and the id, so that outsiders can't choose ids that collide. */
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
export function nameOfHash([first, second, third, fourth]: Hash128): string {
  nameBytes.writeInt32BE(first, 0);
  nameBytes.writeInt32BE(second, 4);
  nameBytes.writeInt32BE(third, 8);
  nameBytes.writeInt32BE(fourth, 12);
  return nameBytes.toString("hex");
}

const nameBytes = Buffer.alloc(16);

export function hashOfName(name: string): Hash128 {
  const at = (i: number): number => Number.parseInt(name.slice(i * 8, i * 8 + 8), 16) | 0;
  return [at(0), at(1), at(2), at(3)];
}
