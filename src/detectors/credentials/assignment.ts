import { regexLiteral } from "../regex-literal.ts";

/*
 * Fragments of patterns for a value that is given a name: an assignment of any language, a member of
 * JSON, YAML or INI, an XML element or attribute, an argument, a header, a sentence. They are for
 * patterns that ignore case, and capture nothing.
 */

/** Blanks that align the values of a list. */
const blanks = String.raw`[ \t]{0,40}`;

/**
 * What may close the name: Markdown's bold, quotes (escaped ones too) and brackets, as in `"name":`,
 * `["name"] =`.
 */
const nameEnd = String.raw`\*{0,2}[\\"'\x60\])]{0,4}${blanks}`;

/** `name: string = …`, `name: &'static str = …` */
const typeAnnotation = String.raw`:[ \t]{0,2}[&*]?'?[a-z][\w<>\[\]?&' ]{0,24}[ \t]=`;

const typeMember = String.raw`\\?["']type\\?["'][ \t]{0,4}:[ \t]{0,4}\\?["'][\w-]{1,20}\\?["'][ \t]{0,4},[ \t\r\n]{0,40}`;

/**
 * `<add key="name" value="…">`; `{"name": "NAME", "value": "…"}`, maybe with a type between the two; and the
 * same in YAML
 */
const valueMember = String.raw`(?:,[ \t\r\n]{0,40}(?:${typeMember})?|[ \t\r\n]{1,40})\\?["']?value\\?["']?[ \t]{0,4}[:=]`;

/**
 * The verb that links a name to its value in prose. A Latin verb must be a whole word: `passes` is
 * not `pass` with `es`.
 */
const verb = String.raw`(?:\b(?:is|was|ist|war|lautet|est|es|era)|[ \t][èé]|[是为為は])`;

/** `=`, `:=`, `::=`, `?=`, `.=`, `??=`, `==`, `=>`; the other signs of settings and commands. */
const equals = String.raw`[:?.+|&=]{0,3}=>?`;

/** `->`, `<-`, `:`, `>`, `is`, `%3D` … */
const otherOperator = String.raw`(?:[-<:]>|<-|[:：>]\*{0,2}|${verb}:?|—|%3D|${typeAnnotation}|${valueMember})`;

/**
 * A line break inside an assignment. The next line must begin with a blank; otherwise it is a line
 * of its own.
 */
const continuation = String.raw`${blanks}(?:\r?\n[ \t]{1,40})?`;

/** The operator before the default value of a name: `process.env.NAME || "…"`. */
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
 * The text between a name and its value in quotes. The value may stand on the next line, or be an
 * argument on the same line. Without quotes it would be another name.
 */
export const assignedQuoted = quotedAfter("[,(]");

/**
 * The same, but the value is never the next argument, because names may stand in a list: `join(pwd,
 * "page2.html")`.
 */
export const assignedQuotedAlone = quotedAfter(String.raw`\(`);

/**
 * The text between a name in quotes and its value in quotes, if the value is the next argument of a
 * call or the second item of a pair.
 */
export const listedQuoted = String.raw`\\?["'\x60]${blanks},${blanks}${quotes}`;

/**
 * The text between a name and its value in quotes with only blanks between them, as in the
 * configuration of web servers.
 */
export const adjacentQuoted = String.raw`${nameEnd}${brackets}${quotes}${scheme}`;

/**
 * The text between a name in quotes and its value if a description stands between them: a Terraform
 * variable and its default, or a Terraform output in JSON.
 */
export const describedQuoted =
  String.raw`\\?"[ \t]{0,8}:?\s{0,8}\{\s{0,16}` +
  String.raw`(?:["\\]{0,2}(?:type|description|sensitive|nullable|ephemeral)["\\]{0,2}[ \t]{0,20}[=:][^\n]{1,120}?[\n,]\s{0,16}){0,4}` +
  String.raw`["\\]{0,2}(?:default|value)["\\]{0,2}[ \t]{0,20}[=:][ \t]{0,8}\\?"`;

/** `textbox "Password" [active] [ref=e7]: …`: a browser's page as agents read it. */
const attributes = String.raw`(?:\[[a-z]{1,12}(?:=\w{1,12})?\][ \t]{0,2}){0,4}`;

/**
 * The text between a name and its value without quotes, on one line. A name at the end of a line
 * has no value there, such as `secrets:` in YAML. An XML element and a table's cell do have one.
 */
export const assignedPlain = String.raw`${nameEnd}${attributes}(?:(?:${equals}|${otherOperator}|\|[ \t])${blanks}|>\s{0,40})${brackets}${scheme}`;

/**
 * The text between a name and its value. The value may be in quotes, and may stand on one of the
 * next lines, as in XML.
 */
export const assigned =
  String.raw`${nameEnd}(?:(?:${equals}${blanks}|${otherOperator}\s{0,40})${brackets}${quotes}?|` +
  String.raw`(?:(?:${equals}|${fallback})${continuation}|[,(]${blanks}|)${brackets}${quotes})${scheme}`;

/** Words that mark a name as the name of a secret. */
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
 * A space in an owner's name, as in `new relic`, stands for any separator or none. A short name
 * counts only as a word of its own.
 */
function anySeparator(owner: string): string {
  const parts = owner.split(" ").map(regexLiteral);
  const boundary = owner.length <= shortOwnerLengthMax ? String.raw`(?:\b|_)` : "";
  return boundary + parts.join("[ _.-]?");
}

/** Keywords: a text that names one of the owners contains one of them. */
export function keywordsOf(owners: readonly string[]): readonly string[] {
  return owners.flatMap((owner) =>
    owner.includes(" ")
      ? ["", " ", "_", "-", "."].map((separator) => owner.replaceAll(" ", separator))
      : [owner],
  );
}
