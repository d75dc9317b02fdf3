import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/**
 * The file lies beside the sources. The path is right from src/ and from dist/, because both lie in
 * the project's root.
 */
const modelUrl = new URL("../../../src/detectors/injection/injection.bin", import.meta.url);

/**
 * The bytes of the model file, in memory that all threads share, so the file is read once. Throws
 * if the file is missing.
 */
export function loadModelFile(file: URL | string = modelUrl): Uint8Array {
  const descriptor = openSync(file, "r");
  try {
    const { size } = fstatSync(descriptor);
    const bytes = new Uint8Array(new SharedArrayBuffer(size));
    let length = 0;
    while (length < size) {
      const read = readSync(descriptor, bytes, length, size - length, length);
      if (read === 0) throw new RangeError("the injection model is cut off");
      length += read;
    }
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}
