import type { DemoAnswer } from "./answer.ts";
import { chatFormat } from "./chat-format.ts";
import type { Rendering, WireFormat } from "./rendering.ts";

/** What a request for embeddings asks for. */
export interface EmbeddingsAsked {
  /** Texts or token lists. */
  readonly inputs: number;
  readonly dimensions: number;
  readonly isBase64: boolean;
}

export const dimensionsUnlessSet = 8;

/** The embeddings wire, as OpenAI's API reference describes it. It never streams. */
export const embeddingsFormat: WireFormat = { ...chatFormat, json, stream: json };

function json(answer: DemoAnswer): Rendering {
  const { inputs, dimensions, isBase64 } = answer.embeddings ?? nothingAsked;
  const data = Array.from({ length: inputs }, (_, index) => {
    const vector = vectorOf(answer.fingerprint, index, dimensions);
    const embedding = isBase64 ? Buffer.from(vector.buffer).toString("base64") : [...vector];
    return { object: "embedding", index, embedding };
  });
  const { promptTokens, modelName: model } = answer;
  const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens };
  return {
    opening: [JSON.stringify({ object: "list", data, model, usage })],
    tokenCount: 0,
    token: () => "",
    closing: [],
  };
}

const nothingAsked: EmbeddingsAsked = { inputs: 0, dimensions: 0, isBase64: false };

/** Numbers that a 32-bit float holds exactly, the same for the same request. */
function vectorOf(fingerprint: string, index: number, dimensions: number): Float32Array {
  const seed = parseInt(fingerprint, 16) % 1_000;
  return Float32Array.from({ length: dimensions }, (_, i) => ((seed + index * 7 + i) % 64) / 64);
}
