// The AI SDK's streamText with tools. VARIANT: which provider's package, which wire.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { isStepCount, jsonSchema, streamText, tool } from "ai";
import * as given from "./tools.mjs";

const { apiKey, headers, model } = given;
// All three append the path without `/v1`, Anthropic's too.
const options = { apiKey, baseURL: `${given.gatewayUrl}/v1`, headers };
const models = {
  anthropic: () => createAnthropic(options)(model),
  // Its default wire.
  responses: () => createOpenAI(options)(model),
  chat: () => createOpenAI(options).chat(model),
  compatible: () =>
    createOpenAICompatible({ name: "weir", includeUsage: true, ...options }).chatModel(model),
};
const result = streamText({
  model: models[process.env.VARIANT](),
  system: given.system,
  prompt: given.prompt,
  maxOutputTokens: 1000,
  stopWhen: isStepCount(10),
  tools: Object.fromEntries(
    given.tools.map(({ name, description, schema, run }) => [
      name,
      tool({ description, inputSchema: jsonSchema(schema), execute: run }),
    ]),
  ),
  onError: ({ error }) => {
    console.error(error);
    process.exitCode = 1;
  },
});
console.log(await result.text);
