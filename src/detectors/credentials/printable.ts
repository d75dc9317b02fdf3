/*
 * Character classes for patterns: the ASCII characters that can be typed. They contain no others, because
 * the work of a search grows with the number of bytes that a character may take.
 */

/** All of them except blanks, quotes, backslash and angle brackets. */
export const unquoted = String.raw`[!#-&(-;=?-\[\]-_a-~]`;

/** The same without the characters that end a value in code: comma, semicolon, brackets, bar. */
export const bare = String.raw`[!#-&*+\--:=?-Z^_a-z~]`;

/** Characters of a password in a URL: all except blank, quote, angle bracket, bar and slash. */
export const inUrl = String.raw`[!#-&(-.0-;=?-\[\]-_a-{}~]`;
