import type { ModelEndpoint } from "../contract/endpoints/endpoint.ts";
import type { Wire } from "../contract/wire.ts";
import type { ReceivedBody } from "./body.ts";
import { dimensionsUnlessSet, type EmbeddingsAsked } from "./embeddings-format.ts";
import { readConversation, textOf, type Conversation } from "./conversation.ts";
import { parseModelName, type NamedModel } from "./parameters.ts";
import { fail, succeed, type Result } from "./provider-error.ts";

/** The parts of a request, of either wire, that the provider uses. */
export interface DemoRequest extends NamedModel {
  readonly wire: Wire;
  /** The model's name in the request, with its parameters. The answer repeats it. */
  readonly modelName: string;
  readonly stream: boolean;
  /** Chat: `stream_options.include_usage`. */
  readonly includeUsage: boolean;
  /** Null: no cap. */
  readonly outputTokensMax: number | null;
  /** Chat: `n`. */
  readonly choices: number;
  readonly conversation: Conversation;
  readonly promptTokens: number;
  readonly body: ReceivedBody;
  /** null on every other wire. */
  readonly embeddings: EmbeddingsAsked | null;
}

const choicesMax = 128;
/** A rule of thumb of both providers; a message costs a few tokens beside its text. */
const charsPerToken = 4;
const tokensPerMessage = 4;

/** Reads a body's members. Errors: `invalid_request`, as the providers answer them. */
export function readRequest(endpoint: ModelEndpoint, body: ReceivedBody): Result<DemoRequest> {
  const { wire } = endpoint;
  const { fields, oversized } = body;
  const modelName = fields["model"];
  if (typeof modelName !== "string") {
    return fail("invalid_request", "you must provide a model parameter");
  }
  const named = parseModelName(modelName);
  if (!named.ok) return named;
  if (wire === "embeddings") return readEmbeddings(named.value, modelName, body);
  const list = wire === "responses" ? "input" : "messages";
  const messages = messagesIn(fields[list]);
  if (!Array.isArray(messages) && !oversized.has(list)) {
    return fail("invalid_request", `${list}: Field required`);
  }
  if (Array.isArray(messages) && messages.length === 0) {
    return fail("invalid_request", "messages: at least one message is required");
  }
  const stream = fields["stream"] ?? false;
  if (typeof stream !== "boolean") return fail("invalid_request", "stream: expected a boolean");
  const outputTokensMax = endpoint.isBilled ? outputCap(wire, fields) : succeed(null);
  if (!outputTokensMax.ok) return outputTokensMax;
  const choices = wire === "chat" ? (fields["n"] ?? 1) : 1;
  if (!isCount(choices) || choices > choicesMax) {
    return fail("invalid_request", `n: expected an integer from 1 to ${String(choicesMax)}`);
  }
  const conversation = readConversation(Array.isArray(messages) ? messages : []);
  return succeed({
    ...named.value,
    wire,
    modelName,
    stream,
    includeUsage: includesUsage(fields["stream_options"]),
    outputTokensMax: outputTokensMax.value,
    choices,
    conversation,
    promptTokens: promptTokens(body, conversation),
    body,
    embeddings: null,
  });
}

/** A text, a list of texts, a list of tokens, or a list of such lists. */
function readEmbeddings(
  named: NamedModel,
  modelName: string,
  body: ReceivedBody,
): Result<DemoRequest> {
  const { input, encoding_format: encoding, dimensions = dimensionsUnlessSet } = body.fields;
  const list: unknown[] = Array.isArray(input) ? input : [input];
  const isTokens = list.every((item) => typeof item === "number");
  const inputs = isTokens ? [list] : list;
  if (list.length === 0 || !inputs.every(isEmbeddable)) {
    return fail("invalid_request", "'$.input' is invalid.");
  }
  if (!isCount(dimensions) || dimensions > dimensionsMax) {
    return fail("invalid_request", `dimensions: expected an integer to ${String(dimensionsMax)}`);
  }
  const texts = inputs.map((item) => (typeof item === "string" ? item : ""));
  const conversation = readConversation(texts.map((content) => ({ role: "user", content })));
  const promptTokens = inputs.reduce<number>((sum, item) => sum + tokensOf(item), 0);
  return succeed({
    ...named,
    wire: "embeddings",
    modelName,
    stream: false,
    includeUsage: false,
    outputTokensMax: null,
    choices: 1,
    conversation,
    promptTokens,
    body,
    embeddings: { inputs: inputs.length, dimensions, isBase64: encoding === "base64" },
  });
}

const dimensionsMax = 4_096;

function isEmbeddable(item: unknown): boolean {
  if (typeof item === "string") return item !== "";
  return Array.isArray(item) && item.length > 0 && item.every((one) => typeof one === "number");
}

function tokensOf(item: unknown): number {
  if (Array.isArray(item)) return item.length;
  return typeof item === "string" ? Math.ceil(item.length / charsPerToken) : 0;
}

/** A text is the user's message. */
function messagesIn(value: unknown): unknown {
  return typeof value === "string" ? [{ role: "user", content: value }] : value;
}

function outputCap(wire: Wire, fields: ReceivedBody["fields"]): Result<number | null> {
  const cap = wire === "chat" ? fields["max_completion_tokens"] : fields["max_output_tokens"];
  const tokens = cap ?? fields["max_tokens"] ?? null;
  if (tokens === null) {
    return wire !== "messages"
      ? succeed(null)
      : fail("invalid_request", "max_tokens: Field required");
  }
  if (!isCount(tokens)) return fail("invalid_request", "max_tokens: expected a positive integer");
  return succeed(tokens);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

function includesUsage(options: unknown): boolean {
  return (
    typeof options === "object" &&
    options !== null &&
    "include_usage" in options &&
    options.include_usage === true
  );
}

function promptTokens(body: ReceivedBody, conversation: Conversation): number {
  if (body.oversized.has("messages") || body.oversized.has("input"))
    return Math.ceil(body.byteCount / charsPerToken);
  const textLength =
    conversation.textLength + textOf(body.fields["system"] ?? body.fields["instructions"]).length;
  return Math.ceil(textLength / charsPerToken) + tokensPerMessage * conversation.messageCount;
}
