import type { EntityDetector } from "../entity.ts";
import { regexLiteral } from "../regex-literal.ts";
import { mayBeDrawn, TokenShape, tokenStart } from "./token-shape.ts";

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
 * neither is a body that is a placeholder or repeats itself.
 */
export function markedToken(token: MarkedToken): EntityDetector {
  const { prefix = "" } = token;
  const prefixes = typeof prefix === "string" ? [prefix] : prefix;
  const shape = new TokenShape(`(?:${prefixes.map(regexLiteral).join("|")})(?:${token.body})`);
  return {
    id: token.id,
    entityType: token.entityType,
    label: token.label ?? token.entityType,
    category: "credential",
    description: token.description,
    keywords: token.keywords ?? prefixes.map((literal) => literal.toLowerCase()),
    pattern: `${tokenStart}(${shape.pattern})`,
    group: 1,
    score: token.score ?? scoreDefault,
    validate: (value) =>
      shape.isWhole(value) &&
      mayBeDrawn(withoutPrefix(prefixes, value)) &&
      (token.validate?.(value) ?? true),
    positives: token.examples.flatMap((body) => inPlaces((prefixes[0] ?? "") + body)),
    negatives: [
      `set ${prefixes[0] ?? ""}${"x".repeat(token.examples[0].length)} here`,
      `it begins with ${prefixes[0] ?? ""} and goes on`,
      ...(token.negatives ?? []),
    ],
  };
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
