/** Cloning a view clones its whole buffer; shared memory is read in place and costs nothing. */
export function ownsMemory({ buffer, byteLength }: Uint8Array): boolean {
  return buffer instanceof SharedArrayBuffer || buffer.byteLength === byteLength;
}

/** The bytes in a form that can be sent to a thread without other bytes of their buffer. */
export function ownMemory(bytes: Uint8Array): Uint8Array {
  return ownsMemory(bytes) ? bytes : Uint8Array.from(bytes);
}
