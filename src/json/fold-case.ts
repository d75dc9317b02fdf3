/**
 * The name as seen by readers that ignore case: simple case folding, as far as it matters for ASCII
 * names. Go's JSON decoder reads the Kelvin sign as a k, as `toLowerCase` does, and the long s as an s.
 */
export function foldCase(name: string): string {
  // A fast path: nearly all names are already folded, and every member of a request comes here.
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    const isCapital = code >= 0x41 && code <= 0x5a;
    if (isCapital || code > 0x7f) return name.toLowerCase().replaceAll("\u017f", "s");
  }
  return name;
}
