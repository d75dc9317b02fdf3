/** Bytes that JSON's grammar names (RFC 8259, sections 2 and 7). */
export const tab = 0x09;
export const lineFeed = 0x0a;
export const carriageReturn = 0x0d;
export const space = 0x20;
export const quote = 0x22;
export const comma = 0x2c;
export const openBracket = 0x5b;
export const backslash = 0x5c;
export const closeBracket = 0x5d;
export const lowerF = 0x66;
export const lowerN = 0x6e;
export const lowerT = 0x74;
export const lowerU = 0x75;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

/** Bytes below this one are control characters, which a string may hold only escaped. */
export const controlEnd = 0x20;
