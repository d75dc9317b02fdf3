import { regexLiteral } from "../regex-literal.ts";

/*
 * Fragments of patterns for a value that is given a name: an assignment of any language, a member of
 * JSON, YAML or INI, an XML element or attribute, an argument, a header, a sentence. They are for
 * patterns that ignore case, and capture nothing.
 */

/** What aligns the values of a list below each other. */
const blanks = String.raw`[ \t]{0,40}`;

/**
 * What may close the name: Markdown's bold, quotes (escaped ones too) and brackets, as in `"name":`,
 * `["name"] =`.
 */
const nameEnd = String.raw`\*{0,2}[\\"'\x60\])]{0,4}${blanks}`;

/** `name: string = …`, `name: &'static str = …` */
const typeAnnotation = String.raw`:[ \t]{0,2}[&*]?'?[a-z][\w<>\[\]?&' ]{0,24}[ \t]=`;

const typeMember = String.raw`\\?["']type\\?["'][ \t]{0,4}:[ \t]{0,4}\\?["'][\w-]{1,20}\\?["'][ \t]{0,4},[ \t\r\n]{0,40}`;

/** `<add key="name" value="…">`, `{"name": "NAME", "value": "…"}`, with a type between, and the same in YAML */
const valueMember = String.raw`(?:,[ \t\r\n]{0,40}(?:${typeMember})?|[ \t\r\n]{1,40})\\?["']?value\\?["']?[ \t]{0,4}[:=]`;

/** What says in prose which one it is; a Latin word of its own: `passes` is no `pass` with `es`. */
const verb = String.raw`(?:\b(?:is|was|ist|war|lautet|est|es|era)|[ \t][èé]|[是为為は])`;

/** `=`, `:=`, `::=`, `?=`, `.=`, `??=`, `==`, `=>`; what settings and commands have besides ends a line. */
const equals = String.raw`[:?.+|&=]{0,3}=>?`;

/** `->`, `<-`, `:`, `>`, `is`, `%3D` … */
const otherOperator = String.raw`(?:[-<:]>|<-|[:：>]\*{0,2}|${verb}:?|—|%3D|${typeAnnotation}|${valueMember})`;

/** Where code goes on, deeper than it began; a line without a blank before it is one of its own. */
const continuation = String.raw`${blanks}(?:\r?\n[ \t]{1,40})?`;

/** What gives a value to a name that has none: `process.env.NAME || "…"`. */
const fallback = String.raw`(?:\|\||\?\?|\bor\b)`;

/** Brackets before the value, or the sign of a verbatim string. */
const brackets = String.raw`[({\[@]{0,3}`;
/** Quotes, escaped ones too, and the letter of a raw, byte, formatted or national string before them. */
const quotes = String.raw`(?:(?:\b[bfnru])?(?:\\{0,2}["'\x60]){1,3})`;

/** `Bearer …`, `Token …`, `base64:…` */
const scheme = String.raw`(?:(?:bearer|basic|token|bot|apikey|api-key|key)[ \t]{1,4}|base64:)?`;

const quotedAfter = (opening: string): string =>
  String.raw`${nameEnd}(?:${otherOperator}\s{0,40}|(?:${equals}|${fallback})${continuation}|${opening}${blanks})${brackets}${quotes}${scheme}`;

/**
 * Between a name and its value in quotes, which may stand on the next line, or be an argument on
 * the same one; without quotes it would be another name.
 */
export const assignedQuoted = quotedAfter("[,(]");

/** The same without an argument behind the name, because names may stand in a list: `join(pwd, "page2.html")`. */
export const assignedQuotedAlone = quotedAfter(String.raw`\(`);

/** Between a name in quotes and its value in quotes, the next argument of a call or item of a pair. */
export const listedQuoted = String.raw`\\?["'\x60]${blanks},${blanks}${quotes}`;

/** Between a name and its value in quotes, with nothing but blanks, as web servers are configured. */
export const adjacentQuoted = String.raw`${nameEnd}${brackets}${quotes}${scheme}`;

/**
 * Between a name in quotes and its value, where a description of it lies between: a variable of
 * Terraform and its default, an output of Terraform in JSON.
 */
export const describedQuoted =
  String.raw`\\?"[ \t]{0,8}:?\s{0,8}\{\s{0,16}` +
  String.raw`(?:["\\]{0,2}(?:type|description|sensitive|nullable|ephemeral)["\\]{0,2}[ \t]{0,20}[=:][^\n]{1,120}?[\n,]\s{0,16}){0,4}` +
  String.raw`["\\]{0,2}(?:default|value)["\\]{0,2}[ \t]{0,20}[=:][ \t]{0,8}\\?"`;

/** `textbox "Password" [active] [ref=e7]: …`: a browser's page as agents read it. */
const attributes = String.raw`(?:\[[a-z]{1,12}(?:=\w{1,12})?\][ \t]{0,2}){0,4}`;

/**
 * Between a name and its value without quotes, on one line. A name that ends a line has no value
 * there, as `secrets:` in YAML, but an XML element has, and a table's cell.
 */
export const assignedPlain = String.raw`${nameEnd}${attributes}(?:(?:${equals}|${otherOperator}|\|[ \t])${blanks}|>\s{0,40})${brackets}${scheme}`;

/** Between a name and its value, in quotes or not, and maybe on one of the next lines, as in XML. */
export const assigned =
  String.raw`${nameEnd}(?:(?:${equals}${blanks}|${otherOperator}\s{0,40})${brackets}${quotes}?|` +
  String.raw`(?:(?:${equals}|${fallback})${continuation}|[,(]${blanks}|)${brackets}${quotes})${scheme}`;

/** Words of which a name of a secret has one. */
export const secretWord =
  "(?:key|token|secret|passw|pwd|auth|cred|api|access|client|account|bearer|sid)";

const nameRest = String.raw`[\w .-]{0,24}`;

/**
 * A name that tells whose secret it is: one of `owners` and one of the words that `what` matches,
 * in either order, within one identifier or phrase: `squarespaceToken`, `API_KEY_FOR_SQUARESPACE`.
 */
export function nameOf(owners: readonly string[], what: string | null): string {
  const owner = `(?:${owners.map(anySeparator).join("|")})`;
  if (what === null) return owner + nameRest;
  const between = String.raw`[\w .-]{0,20}`;
  return `(?:${owner}${between}${what}|${what}${between}${owner})${nameRest}`;
}

const shortOwnerLengthMax = 4;

/**
 * A space in an owner's name stands for any separator, or none: `new relic`. A short name is not
 * looked for within words.
 */
function anySeparator(owner: string): string {
  const parts = owner.split(" ").map(regexLiteral);
  const boundary = owner.length <= shortOwnerLengthMax ? String.raw`(?:\b|_)` : "";
  return boundary + parts.join("[ _.-]?");
}

/** What a text holds that names one of the owners. */
export function keywordsOf(owners: readonly string[]): readonly string[] {
  return owners.flatMap((owner) =>
    owner.includes(" ")
      ? ["", " ", "_", "-", "."].map((separator) => owner.replaceAll(" ", separator))
      : [owner],
  );
}
