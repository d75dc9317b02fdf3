import { link } from "./labels.ts";
import { gap, shape, type NameTokens } from "./tokens.ts";

/** How candidate `next` follows candidate `before`; `link.apart` if nothing joins them. */
export function linkBetween(tokens: NameTokens, before: number, next: number): number {
  const space = tokens.gap[next] ?? 0;
  if (next === before + 1) {
    if (space <= gap.wide) return link.next;
    return space === gap.line ? link.line : link.apart;
  }
  if (next !== before + 2 || tokens.shape[before + 1] !== shape.punctuation) return link.apart;
  const spaceBefore = tokens.gap[before + 1] ?? 0;
  switch (tokens.hash[before + 1]) {
    case 0x2d:
    case 0x2010:
    case 0x2011:
      return space === gap.none && spaceBefore === gap.none ? link.hyphen : link.apart;
    case 0x27:
    case 0x2019:
      return space === gap.none && spaceBefore === gap.none ? link.apostrophe : link.apart;
    case 0x2e:
      return space <= gap.space && spaceBefore === gap.none ? link.dot : link.apart;
    case 0x2c:
      if (space === gap.line || spaceBefore === gap.line) return link.commaLine;
      return space <= gap.space ? link.comma : link.apart;
    case 0x26:
      return space <= gap.space && spaceBefore <= gap.space ? link.ampersand : link.apart;
    default:
      return link.apart;
  }
}
