// The Anthropic SDK's tool runner, streamed, and a count of tokens.
import Anthropic from "@anthropic-ai/sdk";
import * as given from "./tools.mjs";

const { apiKey, gatewayUrl, headers: defaultHeaders, model, prompt } = given;
const client = new Anthropic({ apiKey, baseURL: gatewayUrl, defaultHeaders });
const messages = [{ role: "user", content: prompt }];

const betas = ["output-128k-2025-02-19"];
const counts = [
  await client.messages.countTokens({ model, messages }),
  await client.beta.messages.countTokens({ model, messages, betas }),
];
const runner = client.beta.messages.toolRunner({
  model,
  max_tokens: 1000,
  stream: true,
  system: given.system,
  messages,
  tools: given.tools.map(({ name, description, schema, run }) => ({
    name,
    description,
    input_schema: schema,
    parse: (input) => input,
    run,
  })),
});
for await (const stream of runner) await stream.finalMessage();
const last = await runner.done();
console.log(last.content.at(-1)?.text, `(tokens: ${counts.map((count) => count.input_tokens)})`);
