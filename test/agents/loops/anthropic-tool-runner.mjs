// The Anthropic SDK's tool runner, streamed, with two tools.
import Anthropic from "@anthropic-ai/sdk";
import { readFileSync } from "node:fs";

const { MODEL = "", PROMPT = "", HEADERS = "{}" } = process.env;
const client = new Anthropic({ maxRetries: 2, defaultHeaders: JSON.parse(HEADERS) });

const runner = client.beta.messages.toolRunner({
  model: MODEL,
  max_tokens: 1000,
  stream: true,
  system: "You look after the notes of a small project.",
  messages: [{ role: "user", content: PROMPT }],
  tools: [
    {
      name: "read_file",
      description: "Reads a file of the project.",
      input_schema: { type: "object", properties: { path: { type: "string" } } },
      parse: (input) => input,
      run: ({ path }) => readFileSync(path, "utf8"),
    },
    {
      name: "count_words",
      description: "Counts the words of a text.",
      input_schema: { type: "object", properties: { text: { type: "string" } } },
      parse: (input) => input,
      run: ({ text }) => [{ type: "text", text: `${text.split(" ").length} words` }],
    },
  ],
});
const { input_tokens } = await client.messages
  .countTokens({
    model: MODEL,
    messages: [{ role: "user", content: PROMPT }],
  })
  .catch((error) => ({ input_tokens: error.status }));
for await (const stream of runner) await stream.finalMessage();
const last = await runner.done();
console.log(JSON.stringify({ input_tokens, text: last.content.at(-1)?.text }));
