/**
 * The name that readers which take names in any case read: simple case folding, as far as ASCII names
 * go. Go's JSON decoder takes the Kelvin sign for a k and the long s for an s.
 */
export function foldCase(name: string): string {
  return name.toLowerCase().replaceAll("\u017f", "s").replaceAll("\u212a", "k");
}
