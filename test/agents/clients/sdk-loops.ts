import { join } from "node:path";
import { credential, ownKeysHeaders, type AgentClient } from "../client.ts";
import { installDir } from "../install.ts";
import { models } from "../lab.ts";
import type { Scenarios } from "../stub/script.ts";

/** The loops that SDKs bring: each is a short program of `loops/`. */

type Wire = "chat" | "messages" | "responses";

const scenarios: Scenarios = {
  files: [
    {
      text: "The notes come first.",
      calls: [{ name: "read_file", arguments: { path: "notes.md" } }],
    },
    {
      calls: [
        { name: "count_words", arguments: { text: "One two three four five six seven." } },
        { name: "read_file", arguments: { path: "CLAUDE.md" } },
      ],
    },
    { text: "The notes hold seven words." },
  ],
};

function loop(name: string, program: string, wire: Wire, variant = ""): AgentClient {
  return {
    name,
    modes: ["own keys", "pay-through"],
    writes: false,
    scenarios: () => scenarios,
    command: (setting) => ({
      file: process.execPath,
      args: [join(installDir, "loops", program)],
      env: {
        API_KEY: credential(setting),
        BASE_URL: setting.gatewayUrl,
        HEADERS: JSON.stringify(setting.mode === "own keys" ? ownKeysHeaders(setting) : {}),
        MODEL: wire === "messages" ? models.anthropic : models.openai,
        PROMPT: setting.prompt,
        VARIANT: variant,
      },
    }),
  };
}

export const anthropicToolRunner = loop(
  "anthropic-tool-runner",
  "anthropic-tool-runner.mjs",
  "messages",
);
export const openaiRunTools = loop("openai-run-tools", "openai-run-tools.mjs", "chat");
export const openaiResponses = loop("openai-responses", "openai-responses.mjs", "responses");
export const aiSdkAnthropic = loop("ai-sdk-anthropic", "ai-sdk.mjs", "messages", "anthropic");
export const aiSdkChat = loop("ai-sdk-chat", "ai-sdk.mjs", "chat", "chat");
export const aiSdkCompatible = loop("ai-sdk-compatible", "ai-sdk.mjs", "chat", "compatible");
export const aiSdkResponses = loop("ai-sdk-responses", "ai-sdk.mjs", "responses", "responses");
export const langchainAnthropic = loop(
  "langchain-anthropic",
  "langchain.mjs",
  "messages",
  "anthropic",
);
export const langchainChat = loop("langchain-chat", "langchain.mjs", "chat", "chat");
export const langchainResponses = loop(
  "langchain-responses",
  "langchain.mjs",
  "responses",
  "responses",
);
export const openaiAgentsChat = loop("openai-agents-chat", "openai-agents.mjs", "chat", "chat");
export const openaiAgentsResponses = loop(
  "openai-agents-responses",
  "openai-agents.mjs",
  "responses",
  "responses",
);
