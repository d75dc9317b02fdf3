// The OpenAI SDK's runTools, streamed, on the chat wire.
import OpenAI from "openai";
import * as given from "./tools.mjs";

const { apiKey, gatewayUrl, headers: defaultHeaders, model, prompt } = given;
const client = new OpenAI({ apiKey, baseURL: `${gatewayUrl}/v1`, defaultHeaders });
const runner = client.chat.completions.runTools({
  model,
  max_completion_tokens: 1000,
  stream: true,
  messages: [
    { role: "system", content: given.system },
    { role: "user", content: prompt },
  ],
  tools: given.tools.map(({ name, description, schema, run }) => ({
    type: "function",
    function: { name, description, parameters: schema, parse: JSON.parse, function: run },
  })),
});
console.log(await runner.finalContent());
