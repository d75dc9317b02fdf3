import { isAscii } from "node:buffer";

/**
 * Characters that show nothing and split words: joiners, soft hyphens, direction marks, fillers,
 * variation selectors, the byte order mark, and the tag characters, which spell ASCII unseen.
 */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Text as the patterns see it: NFKC, without what is invisible, in UTF-8. Case is left to them.
 * ASCII is returned as it is, not copied.
 */
export function normalize(utf8: Buffer): Buffer {
  if (isAscii(utf8)) return utf8;
  return Buffer.from(utf8.toString("utf8").normalize("NFKC").replace(invisible, ""), "utf8");
}
