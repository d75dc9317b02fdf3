/**
 * The name in the form in which readers that ignore case compare it: simple case folding, limited to
 * what matters for ASCII names. Go's JSON decoder reads the Kelvin sign as a k, as `toLowerCase` does,
 * and the long s as an s.
 */
export function foldCase(name: string): string {
  // A fast path: nearly all names are already folded, and this runs for every member of a request.
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    const isCapital = code >= 0x41 && code <= 0x5a;
    if (isCapital || code > 0x7f) return name.toLowerCase().replaceAll("\u017f", "s");
  }
  return name;
}
