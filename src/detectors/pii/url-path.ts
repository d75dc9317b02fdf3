/** What ends an address in running text: spaces, quotation marks, an escape, an ellipsis. */
const ends = String.raw`\s<>"'\x60{}|\\^\x{a0}\x{ab}\x{bb}\x{2000}-\x{200a}\x{2018}-\x{201f}\x{2026}\x{202f}\x{3000}-\x{3002}`;

/** As the last character it belongs to the sentence. */
const punctuation = String.raw`.,;:!?)\]*`;

const rest = `[^${ends}]*[^${ends}${punctuation}]`;

/** Path, query and fragment behind a host, if any; RE2 syntax. */
export const urlPath = String.raw`(?:/(?:${rest})?|[?#]${rest})?`;
