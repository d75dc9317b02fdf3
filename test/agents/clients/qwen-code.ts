import { join } from "node:path";
import { credential, ownKeysHeaders, type AgentClient } from "../client.ts";
import { binary } from "../install.ts";
import { models } from "../lab.ts";

/** Qwen Code without a terminal: `qwen PROMPT`. */

const wires = {
  chat: { authType: "openai", model: models.openai, path: "/v1" },
  messages: { authType: "anthropic", model: models.anthropic, path: "" },
} as const;

function qwenCode(wire: keyof typeof wires): AgentClient {
  const { authType, model, path } = wires[wire];
  return {
    name: `qwen-code-${wire}`,
    modes: ["own keys", "pay-through"],
    writes: true,
    scenarios: (project) => {
      const read = { name: "read_file", arguments: { file_path: join(project, "notes.md") } };
      return {
        files: [
          {
            text: "The notes come first.",
            calls: [
              read,
              {
                name: "run_shell_command",
                arguments: { command: "git status", description: "Show", is_background: false },
              },
            ],
          },
          {
            calls: [
              {
                name: "write_file",
                arguments: { file_path: join(project, "copy.md"), content: "Seven words.\n" },
              },
            ],
          },
          { text: "The notes hold seven words." },
        ],
        subagent: [
          {
            text: "Another agent looks.",
            calls: [
              {
                name: "agent",
                arguments: {
                  description: "Count the words",
                  prompt: "scenario:child Count the words of notes.md.",
                  subagent_type: "general-purpose",
                },
              },
            ],
          },
          { text: "The other agent counted seven words." },
        ],
        child: [{ calls: [read] }, { text: "Seven words." }],
      };
    },
    command: (setting) => ({
      file: binary("qwen"),
      args: [
        ...["--yolo", "--auth-type", authType, "--output-format", "stream-json"],
        ...(setting.continues ? ["--continue"] : []),
        setting.prompt,
      ],
      env:
        wire === "chat"
          ? {
              OPENAI_API_KEY: credential(setting),
              OPENAI_BASE_URL: setting.gatewayUrl + path,
              OPENAI_MODEL: model,
            }
          : {
              ANTHROPIC_API_KEY: credential(setting),
              ANTHROPIC_BASE_URL: setting.gatewayUrl + path,
              ANTHROPIC_MODEL: model,
            },
      files: {
        ".qwen/settings.json": JSON.stringify({
          general: { enableAutoUpdate: false, disableAutoUpdate: true },
          model: {
            name: model,
            generationConfig: {
              ...(setting.mode === "own keys" ? { customHeaders: ownKeysHeaders(setting) } : {}),
            },
          },
          privacy: { usageStatisticsEnabled: false },
          security: { auth: { selectedType: authType } },
          telemetry: { enabled: false },
        }),
      },
    }),
  };
}

export const qwenCodeChat = qwenCode("chat");
export const qwenCodeMessages = qwenCode("messages");
