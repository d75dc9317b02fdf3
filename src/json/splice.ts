import type { Member, TopLevel } from "./top-level.ts";

/** Replaces `[start, end)`; if both are equal, it inserts. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: Uint8Array;
}

/**
 * The edited bytes as pieces that share memory with `bytes` and the replacements; none is empty. Edits
 * may come in any order. Insertions at one offset keep their order and come before a replacement that
 * starts there. Throws on edits that overlap or lie outside of `bytes`, because those are bugs.
 */
export function splice(bytes: Uint8Array, edits: readonly Edit[]): readonly Uint8Array[] {
  const ordered = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const pieces: Uint8Array[] = [];
  let copiedUntil = 0;
  for (const { start, end, replacement } of ordered) {
    if (start < copiedUntil) throw new RangeError(`edits overlap at ${start}`);
    if (end < start || end > bytes.length)
      throw new RangeError(`no such range: ${start} to ${end}`);
    if (start > copiedUntil) pieces.push(bytes.subarray(copiedUntil, start));
    if (replacement.length > 0) pieces.push(replacement);
    copiedUntil = end;
  }
  if (copiedUntil < bytes.length) pieces.push(bytes.subarray(copiedUntil));
  return pieces;
}

/**
 * The edits that remove members from a top-level object, each with exactly one comma, and add others
 * (`"name": value`, valid JSON) at its end. The result is valid JSON, and the other bytes stay. An
 * object that loses all its members also loses the whitespace between its braces. The edits may share a
 * `splice` with edits inside the values of members that stay.
 */
export function memberEdits(
  top: TopLevel,
  removed: readonly Member[],
  added: readonly string[],
): readonly Edit[] {
  if (top.root !== "object") throw new TypeError("only an object has members");
  if (!removed.every((member) => top.members.includes(member))) {
    throw new RangeError("not a member of this object");
  }
  const leaving = new Set(removed);
  const firstKept = top.members.findIndex((member) => !leaving.has(member));
  if (firstKept === -1) {
    const inside = top.start + 1;
    return [textEdit(inside, leaving.size === 0 ? inside : top.end - 1, added.join(","))];
  }
  // Members before the first one that stays are removed with the comma after them, the others with the
  // comma before them.
  const edits = Array.from(leaving, (member) => {
    const index = top.members.indexOf(member);
    return index < firstKept
      ? textEdit(member.keyStart, memberAt(top, index + 1).keyStart, "")
      : textEdit(memberAt(top, index - 1).valueEnd, member.valueEnd, "");
  });
  if (added.length > 0) {
    const { valueEnd } = memberAt(top, top.members.length - 1);
    edits.push(textEdit(valueEnd, valueEnd, `,${added.join(",")}`));
  }
  return edits;
}

function memberAt(top: TopLevel, index: number): Member {
  const member = top.members[index];
  if (member === undefined) throw new RangeError(`no member ${index}`);
  return member;
}

function textEdit(start: number, end: number, text: string): Edit {
  return { start, end, replacement: Buffer.from(text, "utf8") };
}
