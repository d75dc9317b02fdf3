/** Turns ASCII letters by thirteen places. */
export function rotate(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const code = letter.charCodeAt(0);
    const first = code < 0x61 ? 0x41 : 0x61;
    return String.fromCharCode(first + ((code - first + 13) % 26));
  });
}
