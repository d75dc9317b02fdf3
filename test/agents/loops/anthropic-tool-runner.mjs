// The Anthropic SDK's tool runner, streamed, and a count of tokens.
import Anthropic from "@anthropic-ai/sdk";
import * as given from "./tools.mjs";

const { apiKey, gatewayUrl, headers: defaultHeaders, model, prompt } = given;
const client = new Anthropic({ apiKey, baseURL: gatewayUrl, defaultHeaders });
const messages = [{ role: "user", content: prompt }];

// The service pays for no count, and says 404.
const counted = await client.messages.countTokens({ model, messages }).then(
  ({ input_tokens }) => input_tokens,
  ({ status }) => `refused with ${status}`,
);
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
console.log(last.content.at(-1)?.text, `(tokens: ${counted})`);
