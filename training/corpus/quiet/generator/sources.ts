// Reads a kind's source file: blocks of honest text, users' requests, and pairs of an attack and its honest twin.

/** A group of blocks or requests: its language, its theme ("*": fits any) and where a block stands. */
export interface Group {
  readonly lang: string;
  readonly theme: string;
  readonly part: "head" | "body" | "foot" | "users";
  readonly items: readonly string[];
}

export interface Pair {
  readonly lang: string;
  readonly theme: string;
  readonly user: string;
  /** What stands around the instruction, which replaces `@@`. */
  readonly context: string;
  readonly attack: string;
  readonly twin: string;
}

export interface Source {
  readonly tools: readonly string[];
  /** What stands between two blocks. */
  readonly separator: string;
  readonly groups: readonly Group[];
  readonly pairs: readonly Pair[];
}

export function parseSource(text: string): Source {
  const [settings = "", ...sections] = text.split(
    /^(?=## \w+\/[\w*]+ (?:head|body|foot|users)$|=== \w+\/[\w*]+ \|)/m,
  );
  const { tools, separator } = JSON.parse(settings) as Pick<Source, "tools" | "separator">;
  return {
    tools,
    separator,
    groups: sections.filter((section) => section.startsWith("## ")).map(groupOf),
    pairs: sections.filter((section) => section.startsWith("=== ")).map(pairOf),
  };
}

/** `## lang/theme part`, then blocks between lines of `---`, or a request a line. */
function groupOf(section: string): Group {
  const match = /^## (\w+)\/([\w*]+) (head|body|foot|users)\n([\s\S]*)$/.exec(section);
  const [, lang, theme, part, text] = match ?? [];
  if (lang === undefined || theme === undefined || part === undefined || text === undefined) {
    throw new Error(`not a group: ${section.slice(0, 80)}`);
  }
  const items = text
    .split(part === "users" ? "\n" : /^---$/m)
    .map((item) => item.replace(/^\n+|\s+$/g, ""))
    .filter((item) => item !== "");
  return { lang, theme, part: part as Group["part"], items };
}

/** `=== lang/theme | request`, the context, `-a ` and the attack, `-t ` and the twin. */
function pairOf(section: string): Pair {
  const match = /^=== (\w+)\/([\w*]+) \| (.*)\n([\s\S]*?)^-a ([\s\S]*?)^-t ([\s\S]*)$/m.exec(
    section,
  );
  const [, lang, theme, user, context, attack, twin] = match ?? [];
  if (
    lang === undefined ||
    theme === undefined ||
    user === undefined ||
    context === undefined ||
    attack === undefined ||
    twin === undefined
  ) {
    throw new Error(`not a pair: ${section.slice(0, 80)}`);
  }
  return {
    lang,
    theme,
    user,
    context: context.trimEnd(),
    attack: attack.trimEnd(),
    twin: twin.trimEnd(),
  };
}
