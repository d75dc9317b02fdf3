import { join } from "node:path";
import { credential, ownKeysHeaders, type AgentClient, type Setting } from "../client.ts";
import { binary } from "../install.ts";
import { models, type Mode } from "../lab.ts";

/** opencode without a terminal: `opencode run`. A provider's package says which wire it speaks. */

const wires = {
  chat: { package: "@ai-sdk/openai-compatible", model: models.openai },
  messages: { package: "@ai-sdk/anthropic", model: models.anthropic },
  responses: { package: "@ai-sdk/openai", model: models.openai },
} as const;

function opencode(wire: keyof typeof wires, modes: readonly Mode[]): AgentClient {
  return {
    name: `opencode-${wire}`,
    modes,
    writes: true,
    scenarios: (project) => {
      const read = { name: "read", arguments: { filePath: join(project, "notes.md") } };
      return {
        files: [
          {
            text: "The notes come first.",
            calls: [
              read,
              { name: "bash", arguments: { command: "git status", description: "Show the state" } },
            ],
          },
          { calls: [wire === "messages" ? write(project) : patch] },
          { text: "The notes hold seven words." },
        ],
        subagent: [
          {
            text: "Another agent looks.",
            calls: [
              {
                name: "task",
                arguments: {
                  description: "Count the words",
                  prompt: "scenario:child Count the words of notes.md.",
                  subagent_type: "general",
                },
              },
            ],
          },
          { text: "The other agent counted seven words." },
        ],
        child: [{ calls: [read] }, { text: "Seven words." }],
        compaction: [{ calls: [read], inputTokens: 195_000 }, { text: "Now it is short." }],
      };
    },
    command: (setting) => ({
      file: binary("opencode"),
      args: [
        ...["run", "--format", "json", "--auto", "--model", `weir/${wires[wire].model}`],
        ...(setting.continues ? ["--continue"] : []),
        setting.prompt,
      ],
      env: {
        OPENCODE_CONFIG: join(setting.home, "opencode.json"),
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_SHARE: "1",
        WEIR_KEY: credential(setting),
      },
      files: { "opencode.json": JSON.stringify(configuration(setting, wire)) },
    }),
  };
}

function configuration(setting: Setting, wire: keyof typeof wires): object {
  const { package: npm, model } = wires[wire];
  return {
    $schema: "https://opencode.ai/config.json",
    permission: "allow",
    provider: {
      weir: {
        npm,
        name: "Weir",
        options: {
          baseURL: `${setting.gatewayUrl}/v1`,
          apiKey: "{env:WEIR_KEY}",
          ...(setting.mode === "own keys" ? { headers: ownKeysHeaders(setting) } : {}),
        },
        models: {
          [model]: { name: model, tool_call: true, limit: { context: 200_000, output: 32_000 } },
        },
      },
    },
  };
}

const write = (project: string) => ({
  name: "write",
  arguments: { filePath: join(project, "copy.md"), content: "Seven words.\n" },
});
/** Models of OpenAI's are given this tool in place of `write`. */
const patch = {
  name: "apply_patch",
  arguments: {
    patchText: "*** Begin Patch\n*** Add File: copy.md\n+Seven words.\n*** End Patch",
  },
};

export const opencodeChat = opencode("chat", ["own keys", "pay-through"]);
export const opencodeMessages = opencode("messages", ["own keys", "pay-through"]);
export const opencodeResponses = opencode("responses", ["own keys", "pay-through"]);
