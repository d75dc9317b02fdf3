import { fieldsOf } from "../stub/json.ts";
import { filler } from "./filler.ts";

/**
 * A request without its vendor's prose: members, tags, headings, names, numbers and short lines stay, and
 * what a person, a file or a command said. What is longer is our own text of the same length.
 */

/** Beginnings by which a harness's text is known for what it is; the rest of such a line is filled. */
const kept = [
  "Codebase and user instructions are shown below.",
  "As you answer the user's questions, you can use the following context:",
  "This is the git status at the start of the conversation.",
  "This session is being continued from a previous conversation",
  "Result of calling the ",
  "Web page content:",
  "The user named an",
  "Another language model started to solve this problem",
];
/** Lines that name a file or a call: they stay as they are. */
const wholeLines = /^(?:Contents of \/|# AGENTS\.md instructions for |Called the \w+ tool )/;
const shortLineMax = 60;

/**
 * @param ours lines that we have put there: prompts, files, what commands printed
 * @param prose gets the lines outside of system texts and tools that were filled, trimmed
 */
export function strip(body: unknown, ours: ReadonlySet<string>, prose: Set<string>): unknown {
  return stripped(body, { ours, prose, place: "data" }, null);
}

interface Context {
  readonly ours: ReadonlySet<string>;
  readonly prose: Set<string>;
  /** `vendor`: all prose is the vendor's. `own`: the script's, which stays. */
  readonly place: "vendor" | "data" | "own";
}

function stripped(value: unknown, context: Context, key: string | null): unknown {
  if (typeof value === "string") return text(value, contextAt(key, context), key);
  if (Array.isArray(value)) return value.map((item) => stripped(item, context, key));
  if (typeof value !== "object" || value === null) return value;
  const inner = contextOf(fieldsOf(value), context);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      stripped(member, contextAt(name, inner), name),
    ]),
  );
}

function contextOf({ role }: ReturnType<typeof fieldsOf>, context: Context): Context {
  if (role === "system" || role === "developer") return { ...context, place: "vendor" };
  if (role === "assistant") return { ...context, place: "own" };
  return context;
}

function contextAt(key: string | null, context: Context): Context {
  if (key === "system" || key === "instructions" || key === "tools") {
    return { ...context, place: "vendor" };
  }
  return context;
}

/** What is no prose, however long: ids, the script's own tool calls, opaque text. */
const opaque = new Set([
  ...[
    "arguments",
    "signature",
    "encrypted_content",
    "id",
    "call_id",
    "tool_use_id",
    "name",
    "type",
  ],
  ...[
    "user_id",
    "x-codex-turn-metadata",
    "model",
    "role",
    "pattern",
    "$schema",
    "enum",
    "required",
  ],
]);

function text(value: string, context: Context, key: string | null): string {
  if (key !== null && opaque.has(key)) return value;
  if (context.place === "own") return value;
  if (context.place === "vendor" && !value.includes("\n") && !/ /.test(value)) return value;
  return value
    .split("\n")
    .map((line, i) => lineOf(line, context, i))
    .join("\n");
}

function lineOf(line: string, context: Context, seed: number): string {
  const { ours, prose, place } = context;
  const trimmed = line.trim();
  if (trimmed === "" || /^(?:<[^<>]{1,80}>\s*)+$/.test(trimmed)) return line;
  if (ours.has(trimmed.replace(/^\d+[\t→]/, "").trim())) return line;
  if (place !== "vendor" && line.length <= shortLineMax) return line;
  if (place !== "vendor" && [...ours].some((own) => own.length > 12 && line.includes(own)))
    return line;
  if (wholeLines.test(line)) {
    if (place !== "vendor") prose.add(trimmed);
    return line;
  }
  if (line.startsWith("x-anthropic-billing-header:")) return line;
  const tagged = /^(\s*<([\w-]+)>)(.*)(<\/\2>\s*)$/.exec(line);
  if (tagged !== null) {
    const [, open = "", , inner = "", close = ""] = tagged;
    return open + (isNoProse(inner) ? inner : lineOf(inner, context, seed)) + close;
  }
  if (place !== "vendor") prose.add(trimmed);
  const known = place === "vendor" ? undefined : kept.find((words) => line.startsWith(words));
  const stays = known ?? /^\s*(?:[-*#>]+ |\d+\. )?(?:[`\w-]{1,30}: )?/.exec(line)?.[0] ?? "";
  const gap = known === undefined || line.length === known.length ? "" : " ";
  return stays + gap + filler(Math.max(0, line.length - stays.length - gap.length), seed);
}

/** A path, or elements that hold nothing but words without spaces. */
function isNoProse(text: string): boolean {
  return !text
    .replaceAll(/<[^<>]*>/g, "")
    .trim()
    .includes(" ");
}
