/** Text that is HTML already; everything else is escaped where it enters a page. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Insert = string | number | Markup | readonly Markup[];

/** HTML whose inserted strings and numbers are text, in elements and in quoted attributes alike. */
export function html(parts: TemplateStringsArray, ...inserts: readonly Insert[]): Markup {
  return new Markup(
    parts.reduce((text, part, index) => text + textOf(inserts[index - 1] ?? "") + part),
  );
}

function textOf(insert: Insert): string {
  if (insert instanceof Markup) return insert.text;
  if (typeof insert === "object") return insert.map(({ text }) => text).join("");
  return String(insert).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
