import type { EntityDetector } from "../entity.ts";
import { assigned, keywordsOf, nameOf, secretWord } from "./assignment.ts";
import { isPublished } from "./published-values.ts";
import { isTyped } from "./sequence.ts";
import { isDrawn, TokenShape } from "./token-shape.ts";

/**
 * A kind of token without a mark of its own. Only the name that it is assigned to shows what it is.
 */
export interface AssignedToken {
  readonly id: string;
  readonly entityType: string;
  /** The label, if it is shorter than the entity type. */
  readonly label?: string;
  readonly description: string;
  /** What the service is called in such names, in lower case; a space is any separator or none. */
  readonly owners: readonly [string, ...string[]];
  /** What else the name says, RE2 syntax in lower case; null: the owner is enough. */
  readonly what?: string | null;
  /**
   * Names of values of the same shape that are not secret, such as a public key. RE2 syntax in
   * lower case.
   */
  readonly otherNames?: string;
  /** The value, a `TokenShape`. */
  readonly value: string;
  readonly score?: number;
  readonly validate?: (value: string) => boolean;
  /** What the examples' names end with; it satisfies `what`. */
  readonly exampleName?: string;
  /** Invented values. */
  readonly examples: readonly [string, ...string[]];
  readonly negatives?: readonly string[];
}

const scoreDefault = 0.85;

/** The detector for such a token: its service's name, an assignment, and a value of its shape. */
export function assignedToken(token: AssignedToken): EntityDetector {
  const shape = new TokenShape(token.value);
  const name = nameOf(token.owners, token.what === undefined ? secretWord : token.what);
  const { otherNames } = token;
  // These alternatives come first and have no value, because RE2 can't exclude them.
  const others = otherNames === undefined ? "" : `${otherNames}${assigned}${shape.pattern}|`;
  return {
    id: token.id,
    entityType: token.entityType,
    label: token.label ?? token.entityType,
    category: "credential",
    description: token.description,
    keywords: keywordsOf(token.owners),
    pattern: `${others}${name}${assigned}(${shape.pattern})`,
    caseInsensitive: true,
    group: 1,
    score: token.score ?? scoreDefault,
    validate: (value) =>
      shape.isWhole(value) &&
      !isPublished(value) &&
      isDrawn(value) &&
      !isTyped(value) &&
      (token.validate?.(value) ?? true),
    positives: token.examples.flatMap((value) => inAssignments(exampleName(token), value)),
    negatives: [...unassigned(exampleName(token), token.examples[0]), ...(token.negatives ?? [])],
  };
}

/** Words, spaces between them: `new relic api key`. */
function exampleName({ owners: [owner], exampleName: rest = "api_key" }: AssignedToken): string {
  return `${owner} ${rest.replaceAll("_", " ")}`.trim();
}

function inAssignments(name: string, value: string): readonly (readonly [string, string])[] {
  const snake = name.replaceAll(" ", "_");
  const camel = name.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
  return [
    [`export ${snake.toUpperCase()}=${value}`, value],
    [`{"${camel}": "${value}"}`, value],
    [`const ${camel}: string = '${value}';`, value],
    [`<${camel}>\n    ${value}\n</${camel}>`, value],
    [`My ${name} is ${value}, why does it fail?`, value],
  ];
}

function unassigned(name: string, value: string): readonly string[] {
  const snake = name.replaceAll(" ", "_");
  return [
    `commit ${value}`,
    `${snake}="${value.replace(/[A-Za-z0-9]/g, "x")}"`,
    `${snake}=\${${snake.toUpperCase()}}`,
    `${snake} = <your ${name}>`,
    `${snake.toUpperCase()}=\n${value} app.js`,
  ];
}
