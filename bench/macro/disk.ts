import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const blockBytes = 4_096;
const blocks = 256;

/**
 * How long it takes to write a block to a file of fixed size and to flush it, in ms, `count` times. No
 * promise of durability can be faster. It uses the same disk as the gateways of the bench.
 */
export function flushTimes(count: number): readonly number[] {
  const directory = mkdtempSync(join(tmpdir(), "weir-bench-disk-"));
  const descriptor = openSync(join(directory, "blocks"), "w");
  try {
    writeSync(descriptor, Buffer.alloc(blocks * blockBytes));
    fsyncSync(descriptor);
    const block = Buffer.alloc(blockBytes, 1);
    return Array.from({ length: count }, (_, i) => {
      const beganMs = performance.now();
      writeSync(descriptor, block, 0, blockBytes, (i % blocks) * blockBytes);
      fdatasyncSync(descriptor);
      return performance.now() - beganMs;
    });
  } finally {
    closeSync(descriptor);
    rmSync(directory, { recursive: true });
  }
}
