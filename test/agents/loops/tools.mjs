// What every loop offers its model, and what it is told of the gateway.
import { readFileSync } from "node:fs";

const { MODEL = "", PROMPT = "", BASE_URL = "", API_KEY = "", HEADERS = "{}" } = process.env;

export const model = MODEL;
export const prompt = PROMPT;
/** Without `/v1`. */
export const gatewayUrl = BASE_URL;
export const apiKey = API_KEY;
/** Empty in pay-through mode. */
export const headers = JSON.parse(HEADERS);

export const system = "You look after the notes of a small project.";

export const readFile = {
  name: "read_file",
  description: "Reads a file of the project.",
  schema: {
    type: "object",
    properties: { path: { type: "string", description: "Where it is." } },
    required: ["path"],
    additionalProperties: false,
  },
  run: ({ path }) => readFileSync(path, "utf8"),
};

export const countWords = {
  name: "count_words",
  description: "Counts the words of a text.",
  schema: {
    type: "object",
    properties: { text: { type: "string", description: "The text." } },
    required: ["text"],
    additionalProperties: false,
  },
  run: ({ text }) => `${text.split(" ").length} words`,
};

export const tools = [readFile, countWords];
