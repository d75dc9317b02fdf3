// A LangChain agent with tools. VARIANT: which provider's package, which wire.
import { ChatAnthropic } from "@langchain/anthropic";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, tool } from "langchain";
import * as given from "./tools.mjs";

const { apiKey, gatewayUrl, headers: defaultHeaders, model } = given;
// Streamed chat counts tokens itself, with a table from the net; so its answers are JSON here.
const openai = (useResponsesApi) =>
  new ChatOpenAI({
    ...{ apiKey, model, maxTokens: 1000, streaming: useResponsesApi, useResponsesApi },
    configuration: { baseURL: `${gatewayUrl}/v1`, defaultHeaders },
  });
const models = {
  chat: () => openai(false),
  responses: () => openai(true),
  anthropic: () =>
    new ChatAnthropic({
      ...{ apiKey, model, maxTokens: 1000, streaming: true },
      ...{ anthropicApiUrl: gatewayUrl, clientOptions: { defaultHeaders } },
    }),
};
const agent = createAgent({
  model: models[process.env.VARIANT](),
  systemPrompt: given.system,
  tools: given.tools.map(({ name, description, schema, run }) =>
    tool(run, { name, description, schema }),
  ),
});
const { messages } = await agent.invoke({ messages: [{ role: "user", content: given.prompt }] });
console.log(messages.at(-1).text);
