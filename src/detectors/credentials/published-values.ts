/** Keys and ids that a standard or a manual publishes for everybody's use. */
const published: ReadonlySet<string> = new Set([
  // RFC 6455, 1.3: a WebSocket server appends this value to the key of a handshake.
  "258EAFA5-E914-47DA-95CA-C5AB0DC85B11",
  // The key of the account devstoreaccount1 in every emulator of Azure Storage.
  "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
  // reCAPTCHA's keys for tests, site and secret.
  "6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI",
  "6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe",
]);

export function isPublished(value: string): boolean {
  return published.has(value);
}
