// The OpenAI SDK's responses: a stored conversation that goes on by `previous_response_id`.
import OpenAI from "openai";
import * as given from "./tools.mjs";

const { apiKey, gatewayUrl, headers: defaultHeaders, model, prompt } = given;
const client = new OpenAI({ apiKey, baseURL: `${gatewayUrl}/v1`, defaultHeaders });
const tools = given.tools.map(({ name, description, schema }) => ({
  ...{ type: "function", name, description, parameters: schema, strict: true },
}));

let input = prompt;
let previous_response_id = null;
for (let turn = 0; turn < 10; turn += 1) {
  const stream = client.responses.stream({
    ...{ model, instructions: given.system, input, tools, previous_response_id },
    max_output_tokens: 1000,
  });
  const response = await stream.finalResponse();
  const calls = response.output.filter(({ type }) => type === "function_call");
  if (calls.length === 0) {
    console.log(response.output_text);
    break;
  }
  previous_response_id = response.id;
  input = calls.map(({ call_id, name, arguments: text }) => ({
    type: "function_call_output",
    call_id,
    output: given.tools.find((tool) => tool.name === name).run(JSON.parse(text)),
  }));
}
