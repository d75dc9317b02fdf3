/** The regular expression, in the syntax of RE2 and of JavaScript, that matches just this text. */
export function regexLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
