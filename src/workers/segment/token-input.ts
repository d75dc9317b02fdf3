import { createRequire } from "node:module";
import { JsonReader } from "../../json/reader.ts";
import { decodeString } from "../../json/string.ts";

/**
 * The texts that the token lists in an embedding request's `input` stand for, a line each; "" if there are
 * none. Tokens are read as cl100k_base, the encoding of all models for which pay-through accepts tokens
 * (docs/decisions/0051-embeddings.md). A number that is no token is left out: no provider accepts it.
 */
export function textOfTokens(bytes: Uint8Array): string {
  const lists = tokenLists(bytes);
  if (lists.length === 0) return "";
  const decode = decoder();
  return lists.map((tokens) => decode(tokens)).join("\n");
}

/** Whether the value of `input` has tokens in it. The reader is at the value, and moves past it. */
export function holdsTokens(reader: JsonReader): boolean {
  const lists: number[][] = [];
  readInput(reader, lists);
  return lists.length > 0;
}

function tokenLists(bytes: Uint8Array): readonly (readonly number[])[] {
  const lists: number[][] = [];
  const reader = new JsonReader(bytes);
  if (reader.type() !== "object") return lists;
  reader.enter();
  while (reader.nextMember()) {
    const key = decodeString(bytes, reader.keyStart, reader.keyEnd).toLowerCase();
    if (key === "input") readInput(reader, lists);
    else reader.skip();
  }
  return lists;
}

/** A list of tokens, or a list of such lists. */
function readInput(reader: JsonReader, lists: number[][]): void {
  if (reader.type() !== "array") return reader.skip();
  let tokens: number[] | null = null;
  reader.enter();
  while (reader.nextItem()) {
    if (reader.type() === "array") readInput(reader, lists);
    else {
      const isNumber = reader.type() === "number";
      reader.skip();
      if (!isNumber) continue;
      if (tokens === null) lists.push((tokens = []));
      const token = Number(reader.view.toString("latin1", reader.start, reader.end));
      if (Number.isInteger(token) && token >= 0 && token < encodingSize) tokens.push(token);
    }
  }
}

/** Of cl100k_base without its control tokens, which stand for no text. */
const encodingSize = 100_256;

type Decode = (tokens: readonly number[]) => string;
let loaded: Decode | null = null;

/** The encoding takes 30 MB and a quarter of a second to load, and few gateways ever need it. */
function decoder(): Decode {
  if (loaded !== null) return loaded;
  const require = createRequire(import.meta.url);
  const encoding = require("gpt-tokenizer/encoding/cl100k_base") as {
    readonly decode: (tokens: Iterable<number>) => string;
  };
  loaded = (tokens) => encoding.decode(tokens);
  return loaded;
}
