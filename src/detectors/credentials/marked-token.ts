import type { EntityDetector } from "../entity.ts";
import { regexLiteral } from "../regex-literal.ts";
import { isIdentifier } from "./identifier.ts";
import { isTyped } from "./sequence.ts";
import { mayBeDrawn, TokenShape, tokenStart } from "./token-shape.ts";
import { wordShare } from "./words.ts";

/** A kind of token that its own marks give away: how it begins, or what it has in its midst. */
export interface MarkedToken {
  readonly id: string;
  readonly entityType: string;
  /** Where it is shorter than the entity type. */
  readonly label?: string;
  readonly description: string;
  /** What it begins with, literally; one of these where there are several. */
  readonly prefix?: string | readonly string[];
  /** What follows the prefix, a `TokenShape`. */
  readonly body: string;
  /** The mark is a word, which says nothing behind a hyphen: `cache-key-…`. */
  readonly isWordMark?: true;
  /** Where the marks say little; the default suits a shape that nothing else has. */
  readonly score?: number;
  /** Where the prefix is not what to search for. */
  readonly keywords?: readonly string[];
  /** Beyond the shape: a checksum, a decoded part. */
  readonly validate?: (value: string) => boolean;
  /** Invented bodies; the first prefix makes tokens of them. */
  readonly examples: readonly [string, ...string[]];
  readonly negatives?: readonly string[];
}

const scoreDefault = 0.95;

/**
 * The detector for such a token. A run that goes on where the token should end is no match, and
 * neither is a body that is a placeholder, repeats itself, was typed along the alphabet or is words.
 */
export function markedToken(token: MarkedToken): EntityDetector {
  const { prefix = "" } = token;
  const prefixes = typeof prefix === "string" ? [prefix] : prefix;
  const shape = new TokenShape(`(?:${prefixes.map(regexLiteral).join("|")})(?:${token.body})`);
  // It comes first, without a value, for RE2 can't look back.
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

/** Shorter words without a number are drawn too often. */
const wordsLengthMin = 16;
const wordShareMax = 0.7;

function isDrawnBody(body: string): boolean {
  return mayBeDrawn(body) && !isTyped(body) && !isWritten(body);
}

/** Whether it is words: `AVNS_CONFIGURATION_FLAG`, `hf_transformersPipeline…`, `ghp_AccessTokenOfMine01`. */
function isWritten(body: string): boolean {
  if (body.length < wordsLengthMin) return false;
  if (!/\d/.test(body) && wordShare(body) >= wordShareMax) return true;
  // Random capitals are too often such a name.
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
