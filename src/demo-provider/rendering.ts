import type { DemoAnswer } from "./answer.ts";
import type { ProviderError } from "./provider-error.ts";

/**
 * An answer in a wire's form: the text before the tokens, one string for each token (made on
 * request), and the text after them. Together, in order, they are the whole body. In a stream each
 * string is one event.
 */
export interface Rendering {
  readonly opening: readonly string[];
  readonly tokenCount: number;
  token(index: number): string;
  readonly closing: readonly string[];
}

/** The form of a wire's answers and errors. */
export interface WireFormat {
  json(answer: DemoAnswer): Rendering;
  stream(answer: DemoAnswer): Rendering;
  /** The body of an error answer. */
  errorJson(error: ProviderError, requestId: string): string;
  /** An error as an event of a stream that has begun with status 200. */
  errorEvent(error: ProviderError, requestId: string): string;
  /** Headers of a 429, flat. */
  rateLimitHeaders(): readonly string[];
  readonly requestIdHeader: string;
  /** The event that keeps an idle stream alive. */
  readonly pingEvent: string;
}

/** The body of a rendering, piece by piece, in flat memory. */
export function* piecesOf(rendering: Rendering): Generator<string, void, undefined> {
  yield* rendering.opening;
  for (let index = 0; index < rendering.tokenCount; index += 1) yield rendering.token(index);
  yield* rendering.closing;
}

/** A token in the form that it has inside a JSON string. */
export function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
