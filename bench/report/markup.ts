/** Text that is already HTML. All other text is escaped in a page. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Insert = string | number | Markup | readonly Markup[];

/** Makes HTML. Inserted strings and numbers are escaped for elements and quoted attributes. */
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
