import type { AgentClient } from "./client.ts";
import { claudeCode } from "./clients/claude-code.ts";
import { codex } from "./clients/codex.ts";
import { opencodeChat, opencodeMessages, opencodeResponses } from "./clients/opencode.ts";
import { qwenCodeChat, qwenCodeMessages } from "./clients/qwen-code.ts";
import * as loops from "./clients/sdk-loops.ts";
import { filesPrompt, type SessionOptions } from "./session.ts";

/** A client and the sessions that are kept of it. */
export interface Recorded {
  readonly client: AgentClient;
  readonly packageName: string;
  readonly sessions: readonly {
    readonly name: string;
    readonly prompts: readonly string[];
    readonly options?: SessionOptions;
  }[];
}

const files = { name: "files", prompts: [filesPrompt] };

const subagent = {
  name: "subagent",
  prompts: ["scenario:subagent Let another agent count the words."],
};

const hook = { hooks: [{ type: "command", command: "echo The hook saw the prompt." }] };

/** Every client, and what is recorded of it. */
export const recorded: readonly Recorded[] = [
  {
    client: claudeCode,
    packageName: "@anthropic-ai/claude-code",
    sessions: [
      files,
      subagent,
      { name: "compaction", prompts: [filesPrompt, "/compact", "scenario:files Read them again."] },
      { ...files, name: "files-older-model", options: { model: "claude-sonnet-4-5" } },
      { name: "fetch", prompts: ["scenario:fetch Read the page."], options: { web: true } },
      { name: "deferred", prompts: ["scenario:deferred Look for the tool."] },
      { name: "background", prompts: ["scenario:background Let another agent count."] },
      { name: "mention", prompts: ["scenario:files Read @notes.md and say what it holds."] },
      {
        name: "command-and-hook",
        prompts: ["/words notes.md"],
        options: {
          files: {
            ".claude/commands/words.md": "scenario:files Count the words of $ARGUMENTS.\n",
            "project/.claude/settings.json": JSON.stringify({
              hooks: { UserPromptSubmit: [hook] },
            }),
          },
        },
      },
    ],
  },
  {
    client: codex,
    packageName: "@openai/codex",
    sessions: [
      files,
      {
        name: "functions",
        prompts: ["scenario:functions Read the notes."],
        options: { model: "gpt-5.1" },
      },
      subagent,
      { name: "compaction", prompts: ["scenario:compaction Read the notes."] },
    ],
  },
  { client: opencodeChat, packageName: "opencode-ai", sessions: [files, subagent] },
  { client: opencodeMessages, packageName: "opencode-ai", sessions: [files, subagent] },
  { client: opencodeResponses, packageName: "opencode-ai", sessions: [files] },
  { client: qwenCodeChat, packageName: "@qwen-code/qwen-code", sessions: [files, subagent] },
  { client: qwenCodeMessages, packageName: "@qwen-code/qwen-code", sessions: [files] },
  { client: loops.anthropicToolRunner, packageName: "@anthropic-ai/sdk", sessions: [files] },
  { client: loops.openaiRunTools, packageName: "openai", sessions: [files] },
  { client: loops.openaiResponses, packageName: "openai", sessions: [files] },
  { client: loops.aiSdkAnthropic, packageName: "@ai-sdk/anthropic", sessions: [files] },
  { client: loops.aiSdkChat, packageName: "@ai-sdk/openai", sessions: [files] },
  { client: loops.aiSdkCompatible, packageName: "@ai-sdk/openai-compatible", sessions: [files] },
  { client: loops.aiSdkResponses, packageName: "@ai-sdk/openai", sessions: [files] },
  { client: loops.langchainAnthropic, packageName: "@langchain/anthropic", sessions: [files] },
  { client: loops.langchainChat, packageName: "@langchain/openai", sessions: [files] },
  { client: loops.langchainResponses, packageName: "@langchain/openai", sessions: [files] },
  { client: loops.openaiAgentsChat, packageName: "@openai/agents", sessions: [files] },
  { client: loops.openaiAgentsResponses, packageName: "@openai/agents", sessions: [files] },
];
