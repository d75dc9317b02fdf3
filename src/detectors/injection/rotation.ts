/** Shifts ASCII letters by thirteen places (rot13). */
export function rotate(text: string): string {
  const units = Buffer.from(text, "utf16le");
  for (let at = 0; at < units.length; at += 2) {
    const low = units[at] ?? 0;
    const place = (low | 0x20) - 0x61;
    if (units[at + 1] !== 0 || place < 0 || place > 25) continue;
    units[at] = place < 13 ? low + 13 : low - 13;
  }
  return units.toString("utf16le");
}
