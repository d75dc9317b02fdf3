import type { AgentClient } from "./client.ts";
import { anthropicToolRunner } from "./clients/anthropic-tool-runner.ts";
import { claudeCode } from "./clients/claude-code.ts";
import { codex } from "./clients/codex.ts";
import { filesPrompt, type SessionOptions } from "./session.ts";

/** A client and the sessions that are kept of it. */
export interface Recorded {
  readonly client: AgentClient;
  readonly packageName: string;
  readonly sessions: readonly {
    readonly name: string;
    readonly prompts: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly options?: SessionOptions;
  }[];
}

const files = { name: "files", prompts: [filesPrompt] };

/** Every client, and what is recorded of it. */
export const recorded: readonly Recorded[] = [
  {
    client: claudeCode,
    packageName: "@anthropic-ai/claude-code",
    sessions: [
      files,
      { name: "subagent", prompts: ["scenario:subagent Let another agent count the words."] },
      { name: "compaction", prompts: [filesPrompt, "/compact", "scenario:files Read them again."] },
    ],
  },
  { client: anthropicToolRunner, packageName: "@anthropic-ai/sdk", sessions: [files] },
  { client: codex, packageName: "@openai/codex", sessions: [files] },
];
