/**
 * Characters that end an address in running text: spaces, quotation marks, an escape, an ellipsis.
 */
const ends = String.raw`\s<>"'\x60{}|\\^\x{a0}\x{ab}\x{bb}\x{2000}-\x{200a}\x{2018}-\x{201f}\x{2026}\x{202f}\x{3000}-\x{3002}`;

/** Characters that belong to the sentence if they stand last. */
const punctuation = String.raw`.,;:!?)\]*`;

const rest = `[^${ends}]*[^${ends}${punctuation}]`;

/** Path, query and fragment after a host, if any; RE2 syntax. */
export const urlPath = String.raw`(?:/(?:${rest})?|[?#]${rest})?`;
