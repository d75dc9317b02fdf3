/** Names under which clouds serve a machine's own credentials. */
const metadataNames: ReadonlySet<string> = new Set([
  "metadata.goog",
  "metadata.packet.net",
  "metadata.platformequinix.com",
  "metadata.tencentyun.com",
]);

/** Top-level domains that are never public: reserved ones, and those that internal networks use. */
const internalDomains: readonly string[] = [
  "arpa",
  "corp",
  "home",
  "internal",
  "intranet",
  "lan",
  "local",
  "localdomain",
  "localhost",
  "private",
  "svc",
];

/**
 * True for a name that can only lead into the operator's network: a single label (`localhost`, a service in
 * the same network), an internal domain, or a metadata service. For any other name, the check of its
 * addresses decides. `name` must be in canonical form.
 */
export function isBlockedName(name: string): boolean {
  const bare = name.endsWith(".") ? name.slice(0, -1) : name;
  if (!bare.includes(".") || metadataNames.has(bare)) return true;
  return internalDomains.includes(bare.slice(bare.lastIndexOf(".") + 1));
}
