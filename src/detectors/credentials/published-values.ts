/** Keys and ids that a standard or a manual prints for everybody to use as they are. */
const published: ReadonlySet<string> = new Set([
  // RFC 6455, 1.3: what a WebSocket server joins to the key of a handshake.
  "258EAFA5-E914-47DA-95CA-C5AB0DC85B11",
  // The account devstoreaccount1 of every emulator of Azure Storage.
  "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
  // reCAPTCHA's keys for tests, site and secret.
  "6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI",
  "6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe",
]);

export function isPublished(value: string): boolean {
  return published.has(value);
}
