import type { EntityDetector } from "../entity.ts";
import { regexLiteral } from "../regex-literal.ts";
import { isIdentifier } from "./identifier.ts";
import { isTyped } from "./sequence.ts";
import { mayBeDrawn, TokenShape, tokenStart } from "./token-shape.ts";
import { wordShare } from "./words.ts";

/** A kind of token that its own marks identify: a prefix, or a fixed part in its middle. */
export interface MarkedToken {
  readonly id: string;
  readonly entityType: string;
  /** The label, if it is shorter than the entity type. */
  readonly label?: string;
  readonly description: string;
  /**
   * The literal text that the token begins with. If there are several, the token begins with one of
   * them.
   */
  readonly prefix?: string | readonly string[];
  /** What follows the prefix, a `TokenShape`. */
  readonly body: string;
  /** The mark is a word. Such a mark does not count after a hyphen: `cache-key-…`. */
  readonly isWordMark?: true;
  /** Set if the marks say little. The default fits a shape that nothing else has. */
  readonly score?: number;
  /** Set if the text to search for is not the prefix. */
  readonly keywords?: readonly string[];
  /** A check beyond the shape, such as a checksum or a decoded part. */
  readonly validate?: (value: string) => boolean;
  /** Invented bodies. The first prefix and a body make a token. */
  readonly examples: readonly [string, ...string[]];
  readonly negatives?: readonly string[];
}

const scoreDefault = 0.95;

/**
 * The detector for such a token. There is no match if more such characters follow the end of the
 * token. There is no match either if the body is a placeholder, repeats itself, follows the alphabet
 * or the keyboard, or consists of words.
 */
export function markedToken(token: MarkedToken): EntityDetector {
  const { prefix = "" } = token;
  const prefixes = typeof prefix === "string" ? [prefix] : prefix;
  const shape = new TokenShape(`(?:${prefixes.map(regexLiteral).join("|")})(?:${token.body})`);
  // This alternative comes first and has no value, because RE2 can't look back.
  const wordsBefore = token.isWordMark === true ? String.raw`\w-${shape.pattern}|` : "";
  return {
    id: token.id,
    entityType: token.entityType,
    label: token.label ?? token.entityType,
    category: "credential",
    description: token.description,
    keywords: token.keywords ?? prefixes.map((literal) => literal.toLowerCase()),
    pattern: `${wordsBefore}${tokenStart}(${shape.pattern})`,
    group: 1,
    score: token.score ?? scoreDefault,
    validate: (value) =>
      shape.isWhole(value) &&
      isDrawnBody(withoutPrefix(prefixes, value)) &&
      (token.validate?.(value) ?? true),
    positives: token.examples.flatMap((body) => inPlaces((prefixes[0] ?? "") + body)),
    negatives: [...withoutToken(prefixes[0] ?? "", token), ...(token.negatives ?? [])],
  };
}

/** A shorter random body often looks like words. */
const wordsLengthMin = 16;
const wordShareMax = 0.7;

function isDrawnBody(body: string): boolean {
  return mayBeDrawn(body) && !isTyped(body) && !isWritten(body);
}

/**
 * Whether the body consists of words: `AVNS_CONFIGURATION_FLAG`, `hf_transformersPipeline…`,
 * `ghp_AccessTokenOfMine01`.
 */
function isWritten(body: string): boolean {
  if (body.length < wordsLengthMin) return false;
  if (!/\d/.test(body) && wordShare(body) >= wordShareMax) return true;
  // Random capitals often look like an identifier, so a small letter is needed.
  return /[a-z]/.test(body) && isIdentifier(body);
}

function withoutPrefix(prefixes: readonly string[], value: string): string {
  return value.slice(prefixes.find((prefix) => value.startsWith(prefix))?.length ?? 0);
}

function inPlaces(token: string): readonly (readonly [string, string])[] {
  return [
    [token, token],
    [`export TOKEN="${token}"; run`, token],
    [`{"config": "A=1\\n${token}\\nB=2"}`, token],
    [`Could you check why ${token}, the new one, is refused?`, token],
  ];
}

const typed = "1234567890abcdefghijklmnopqrstuvwxyz".repeat(8);

function withoutToken(mark: string, { examples, isWordMark }: MarkedToken): readonly string[] {
  const [body] = examples;
  return [
    `set ${mark}${"x".repeat(body.length)} here`,
    `set ${mark}${typed.slice(0, body.length)} here`,
    `it begins with ${mark} and goes on`,
    ...(isWordMark === true ? [`the entry cache-${mark}${body} is old`] : []),
  ];
}
