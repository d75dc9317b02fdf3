/** A clone takes a view's whole buffer along; shared memory is read in place, and costs nothing. */
export function ownsMemory({ buffer, byteLength }: Uint8Array): boolean {
  return buffer instanceof SharedArrayBuffer || buffer.byteLength === byteLength;
}

/** The bytes as they may be sent to a thread: nothing goes with them that is not theirs. */
export function ownMemory(bytes: Uint8Array): Uint8Array {
  return ownsMemory(bytes) ? bytes : Uint8Array.from(bytes);
}
