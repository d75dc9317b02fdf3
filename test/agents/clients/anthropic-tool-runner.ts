import { join } from "node:path";
import { credential, ownKeysHeaders, type AgentClient } from "../client.ts";
import { installDir } from "../install.ts";
import { models } from "../lab.ts";

/** `client.beta.messages.toolRunner` of the Anthropic SDK. */
export const anthropicToolRunner: AgentClient = {
  name: "anthropic-tool-runner",
  modes: ["own keys", "pay-through"],
  writes: false,
  scenarios: () => ({
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
  }),
  command: (setting) => ({
    file: process.execPath,
    args: [join(installDir, "loops", "anthropic-tool-runner.mjs")],
    env: {
      ANTHROPIC_BASE_URL: setting.gatewayUrl,
      ANTHROPIC_API_KEY: credential(setting),
      MODEL: models.anthropic,
      PROMPT: setting.prompt,
      ...(setting.mode === "own keys" ? { HEADERS: JSON.stringify(ownKeysHeaders(setting)) } : {}),
    },
  }),
};
