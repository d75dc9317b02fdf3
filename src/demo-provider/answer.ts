import { hashModel } from "./body.ts";
import type { EmbeddingsAsked } from "./embeddings-format.ts";
import type { AnswerParameters } from "./parameters.ts";
import { succeed, type Result } from "./provider-error.ts";
import type { DemoRequest } from "./request.ts";
import { generatedTokens, textTokens, truncatedTokens, type TokenText } from "./token-text.ts";
import { chooseToolCall, type ToolCall } from "./tool-call.ts";

/**
 * The model's answer, before it has the form of a wire. The same request always has the same answer.
 */
export interface DemoAnswer {
  readonly modelName: string;
  /**
   * Eight hex digits for ids. They come from the request, so that the bytes of an answer are
   * predictable.
   */
  readonly fingerprint: string;
  /** The text, or the tool's arguments. */
  readonly tokens: TokenText;
  readonly toolName: string | null;
  readonly stop: "end" | "length" | "tool";
  readonly choices: number;
  readonly includeUsage: boolean;
  readonly promptTokens: number;
  /** The tokens of all choices together. */
  readonly completionTokens: number;
  readonly embeddings: EmbeddingsAsked | null;
}

/** The model that calls a tool whenever one is offered. */
export const toolsModel = "echo-tools";
const sentenceWithoutPrompt = "Hello from the demo provider.";
const tokensUnlessSet = 16;
const tokenBytesUnlessSet = 4;

/** Echoes the last user message, calls a tool, or makes as many tokens as the parameters ask for. */
export function answerTo(request: DemoRequest): Result<DemoAnswer> {
  const { conversation, parameters } = request;
  let toolCall: ToolCall | null = null;
  if (conversation.toolResultText === null && request.body.fields["tools"] !== undefined) {
    const always = request.model === toolsModel;
    const { userText } = conversation;
    const chosen = chooseToolCall(request.wire, request.body.fields, userText, always);
    if (!chosen.ok) return chosen;
    toolCall = chosen.value;
  }
  const text = toolCall?.argumentsJson ?? textOfAnswer(request);
  const generate = toolCall === null && isGenerated(parameters);
  return succeed(answerOf(request, generate ? generated(parameters) : textTokens(text), toolCall));
}

/** An answer of given tokens, cut at the request's cap. */
export function answerOf(
  request: DemoRequest,
  allTokens: TokenText,
  toolCall: ToolCall | null,
): DemoAnswer {
  const tokens = truncatedTokens(allTokens, request.outputTokensMax ?? Infinity);
  const whole = tokens.count === allTokens.count;
  return {
    modelName: request.modelName,
    fingerprint: fingerprint(request.modelName + request.conversation.userText),
    tokens,
    toolName: toolCall?.name ?? null,
    stop: !whole ? "length" : toolCall === null ? "end" : "tool",
    choices: request.choices,
    includeUsage: request.includeUsage,
    promptTokens: request.promptTokens,
    completionTokens: tokens.count * request.choices,
    embeddings: request.embeddings,
  };
}

/** True if the parameters, and not the prompt, decide the tokens. */
export function isGenerated(parameters: AnswerParameters): boolean {
  return parameters.tokens !== null || parameters.tokenBytes !== null;
}

export function generated(parameters: AnswerParameters): TokenText {
  return generatedTokens(
    parameters.tokens ?? tokensUnlessSet,
    parameters.tokenBytes ?? tokenBytesUnlessSet,
  );
}

function textOfAnswer(request: DemoRequest): string {
  const { userText, toolResultText } = request.conversation;
  if (request.model === hashModel) return request.body.sha256() ?? sentenceWithoutPrompt;
  if (toolResultText !== null) return `The tool answered: ${toolResultText}`;
  return userText === "" ? sentenceWithoutPrompt : userText;
}

/** FNV-1a of the first 256 characters: cheap, and different for different prompts. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length && i < 256; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}
