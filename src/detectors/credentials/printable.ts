/*
 * Classes of the ASCII characters that can be typed, for patterns; in a class of its own each. ASCII
 * alone, for what a search may have to look at grows with the bytes that a character may have.
 */

/** All but blanks, quotes, backslash and angle brackets. */
export const unquoted = String.raw`[!#-&(-;=?-\[\]-_a-~]`;

/** The same without what ends a value in code: comma, semicolon, brackets, bar. */
export const bare = String.raw`[!#-&*+\--:=?-Z^_a-z~]`;

/** What a password in a URL may have: no blank, quote, angle bracket, bar or slash. */
export const inUrl = String.raw`[!#-&(-.0-;=?-\[\]-_a-{}~]`;
