/**
 * The name that readers see which take names in any case: simple case folding, as far as ASCII names
 * go. Go's JSON decoder takes the Kelvin sign for a k, as `toLowerCase` does, and the long s for an s.
 */
export function foldCase(name: string): string {
  // Nearly all names are folded as they are, and every member of a request is asked for.
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    const isCapital = code >= 0x41 && code <= 0x5a;
    if (isCapital || code > 0x7f) return name.toLowerCase().replaceAll("\u017f", "s");
  }
  return name;
}
