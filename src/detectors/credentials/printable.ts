/*
 * Character classes for patterns: the ASCII characters that can be typed. They contain no others, because
 * the work of a search grows with the number of bytes that a character may take.
 */

/** All but blanks, quotes, backslash and angle brackets. */
export const unquoted = String.raw`[!#-&(-;=?-\[\]-_a-~]`;

/** The same without what ends a value in code: comma, semicolon, brackets, bar. */
export const bare = String.raw`[!#-&*+\--:=?-Z^_a-z~]`;

/** What a password in a URL may have: no blank, quote, angle bracket, bar or slash. */
export const inUrl = String.raw`[!#-&(-.0-;=?-\[\]-_a-{}~]`;
