import * as ascii from "../../json/ascii.ts";
import { decodeString } from "../../json/string.ts";
import { isHarnessLine } from "./harness-lines.ts";

/** A part of a text, and whether the user wrote it or a coding agent's harness put it there. */
export interface WrapperPart {
  readonly isHarness: boolean;
  /** Bytes of the JSON string's contents, the end exclusive. */
  readonly start: number;
  readonly end: number;
}

/**
 * Tags that harnesses put around text from outside: reminders, rule files, files, the output of
 * commands. The user's own words are in none of them. Sources: requests of Claude Code 2.1, Codex
 * 0.169, opencode and qwen-code (test/fixtures/agents); Cline's and Roo Code's published prompts.
 */
const tags = [
  "INSTRUCTIONS",
  "bash-stderr",
  "bash-stdout",
  "environment_context",
  "environment_details",
  "file_content",
  "folder_content",
  "git_status",
  "ide_diagnostics",
  "ide_opened_file",
  "ide_selection",
  "local-command-caveat",
  "local-command-stderr",
  "local-command-stdout",
  "skill",
  "subagent_notification",
  "system-reminder",
  "task-notification",
  "tools-used-before-summary",
  "turn_aborted",
  "url_content",
  "user-prompt-submit-hook",
  "user_instructions",
];

/** A tag at the beginning of a line, or the line before a page that Claude Code has fetched. */
const opening = new RegExp(
  String.raw`^[ \t]*<(${tags.join("|")})([ \t][^<>\n]{0,200})?>|^Web page content:\n---\n`,
  "gm",
);
const pageEnd = "\n---\n";

/** If a text has more wrappers, the rest is read as the user's text. */
const wrappersMax = 1_000;

/**
 * Splits a user's text into the user's own words and the texts of a harness, by structure alone. Lines
 * of a harness's own prose, which are always the same, are in no part. null: the text has no wrapper.
 * `start` and `end`: the contents of a JSON string.
 */
export function splitWrappers(
  bytes: Buffer,
  start: number,
  end: number,
): readonly WrapperPart[] | null {
  if (!mayHaveWrapper(bytes.subarray(start, end))) return null;
  const text = decodeString(bytes, start, end);
  const wrappers = wrappersOf(text);
  const [first] = text.split("\n", 1);
  if (wrappers.length === 0 && !isHarnessLine((first ?? "").trim())) return null;
  const offsets = new Offsets(bytes, start);
  const parts: WrapperPart[] = [];
  const add = (isHarness: boolean, from: number, until: number): void => {
    for (const stretch of withoutHarnessLines(text, from, until, isHarness)) {
      const [begin, end] = trimmed(text, stretch);
      if (begin < end) parts.push({ isHarness, start: offsets.at(begin), end: offsets.at(end) });
    }
  };
  let at = 0;
  for (const { start: tag, from, until, end: behind } of wrappers) {
    add(false, at, tag);
    add(true, from, until);
    at = behind;
  }
  add(false, at, text.length);
  return parts;
}

/**
 * Checks the bytes, so that texts without a wrapper, which are nearly all texts, are not decoded.
 */
function mayHaveWrapper(view: Buffer): boolean {
  return (
    view.includes("</") ||
    view.includes(String.raw`<\/`) ||
    // ASCII that is escaped, as some clients write `<`.
    view.includes(String.raw`\u00`) ||
    view.includes("Web page content:") ||
    isHarnessLine(firstLine(view))
  );
}

function firstLine(view: Buffer): string {
  const end = view.indexOf(String.raw`\n`);
  return end === -1 || end > 2_000 ? "" : view.toString("utf8", 0, end).trim();
}

interface Wrapper {
  /** Where its tag begins. */
  readonly start: number;
  /** The range of its content, including the tag's attributes; the end is exclusive. */
  readonly from: number;
  readonly until: number;
  /** The offset after its end tag. */
  readonly end: number;
}

/**
 * The wrappers in their order. A tag without an end is no wrapper. The text in a wrapper is not
 * searched again.
 */
function wrappersOf(text: string): Wrapper[] {
  const wrappers: Wrapper[] = [];
  const endsKnown = new Map<string, number>();
  let next = 0;
  for (const match of text.matchAll(opening)) {
    if (match.index < next || wrappers.length === wrappersMax) continue;
    const [whole, tag, attributes] = match;
    const behind = match.index + whole.length;
    const from = attributes === undefined ? behind : behind - attributes.length - ">".length;
    const endTag = tag === undefined ? pageEnd : `</${tag}>`;
    const until = endOf(text, endTag, behind, endsKnown);
    if (until === -1) continue;
    next = until + endTag.length;
    wrappers.push({ start: match.index, from, until: Math.max(from, until), end: next });
  }
  return wrappers;
}

/**
 * For a tag the first end counts; for a page the last one, because a page may contain lines like its
 * end. `known` keeps results, so that many tags without an end do not each search the rest of the text.
 */
function endOf(text: string, endTag: string, from: number, known: Map<string, number>): number {
  let end = known.get(endTag);
  if (endTag === pageEnd) {
    end ??= text.lastIndexOf(pageEnd);
    known.set(pageEnd, end);
    // The end of an empty page is the line break right before its beginning.
    return end >= from - 1 ? end : -1;
  }
  if (end === undefined || (end !== -1 && end < from)) {
    end = text.indexOf(endTag, from);
    known.set(endTag, end);
  }
  return end;
}

type Stretch = readonly [from: number, until: number];

/** White space around a text has no meaning, but it lowers some scores. */
function trimmed(text: string, [from, until]: Stretch): Stretch {
  let begin = from;
  let end = until;
  while (begin < end && /\s/.test(text[begin] ?? "")) begin++;
  while (end > begin && /\s/.test(text[end - 1] ?? "")) end--;
  return [begin, end];
}

/** `<cwd>/home/ada</cwd>`: one word between tags, as in a list of settings. */
const setting = /^<([a-z_]{1,40})>[^\s<>]{0,256}<\/\1>$/;

/** The parts between lines that a harness always writes. */
function* withoutHarnessLines(
  text: string,
  from: number,
  until: number,
  isHarness: boolean,
): Generator<Stretch> {
  let begun = from;
  for (let at = from; at < until;) {
    const found = text.indexOf("\n", at);
    const lineEnd = found === -1 || found > until ? until : found;
    const line = text.slice(at, lineEnd).trim();
    if (isHarnessLine(line) || (isHarness && setting.test(line))) {
      yield [begun, at];
      begun = lineEnd;
    }
    at = lineEnd + 1;
  }
  yield [begun, until];
}

/**
 * Translates UTF-16 offsets in a decoded JSON string into byte offsets. Ask in ascending order.
 */
class Offsets {
  readonly #bytes: Buffer;
  #byte: number;
  #unit = 0;

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#byte = start;
  }

  at(unit: number): number {
    while (this.#unit < unit) {
      const byte = this.#bytes[this.#byte] ?? 0;
      if (byte === ascii.backslash) {
        this.#byte += this.#bytes[this.#byte + 1] === ascii.lowerU ? 6 : 2;
        this.#unit++;
      } else {
        const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
        this.#byte += length;
        this.#unit += length === 4 ? 2 : 1;
      }
    }
    return this.#byte;
  }
}
