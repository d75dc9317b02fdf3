// The OpenAI Agents SDK, streamed. VARIANT: which wire.
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from "@openai/agents";
import OpenAI from "openai";
import * as given from "./tools.mjs";

setTracingDisabled(true);
const { apiKey, gatewayUrl, headers: defaultHeaders } = given;
const openAIClient = new OpenAI({ apiKey, baseURL: `${gatewayUrl}/v1`, defaultHeaders });
const useResponses = process.env.VARIANT === "responses";
const runner = new Runner({ modelProvider: new OpenAIProvider({ openAIClient, useResponses }) });
const agent = new Agent({
  name: "Notes",
  instructions: given.system,
  model: given.model,
  modelSettings: { maxTokens: 1000 },
  tools: given.tools.map(({ name, description, schema, run }) =>
    tool({ name, description, parameters: schema, strict: true, execute: run }),
  ),
});
const result = await runner.run(agent, given.prompt, { stream: true });
await result.completed;
console.log(result.finalOutput);
