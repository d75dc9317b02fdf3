/**
 * The name that readers see which take names in any case: simple case folding, as far as ASCII names
 * go. Go's JSON decoder takes the Kelvin sign for a k, as `toLowerCase` does, and the long s for an s.
 */
export function foldCase(name: string): string {
  return name.toLowerCase().replaceAll("\u017f", "s");
}
