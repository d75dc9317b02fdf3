import { join } from "node:path";
import { credential, ownKeysHeaders, type AgentClient } from "../client.ts";
import { binary } from "../install.ts";
import { models } from "../lab.ts";

/** Claude Code without a terminal: `claude -p`. */
export const claudeCode: AgentClient = {
  name: "claude-code",
  modes: ["own keys", "pay-through"],
  writes: true,
  scenarios: (project) => {
    const notes = join(project, "notes.md");
    const read = { name: "Read", arguments: { file_path: notes } };
    return {
      files: [
        {
          text: "The notes come first.",
          calls: [
            read,
            { name: "Bash", arguments: { command: "git status", description: "Show the state" } },
          ],
        },
        {
          calls: [
            {
              name: "Write",
              arguments: { file_path: join(project, "copy.md"), content: "Seven words.\n" },
            },
          ],
        },
        { text: "The notes hold seven words." },
      ],
      // The agent asks another one, in the foreground.
      subagent: [
        {
          text: "Another agent looks.",
          calls: [
            {
              name: "Agent",
              arguments: {
                description: "Count the words",
                prompt: "scenario:child Count the words of notes.md.",
                subagent_type: "general-purpose",
                run_in_background: false,
              },
            },
          ],
        },
        { text: "The other agent counted seven words." },
      ],
      child: [{ calls: [read] }, { text: "Seven words." }],
      fetch: [
        {
          calls: [
            {
              name: "WebFetch",
              arguments: { url: "https://docs.example.org/page", prompt: "What does it say?" },
            },
          ],
        },
        { text: "The page is about weirs." },
      ],
      // A tool whose schema is not sent before it is searched for: its result is a `tool_reference`.
      deferred: [
        {
          calls: [
            { name: "ToolSearch", arguments: { query: "select:NotebookEdit", max_results: 1 } },
          ],
        },
        { text: "The tool is there." },
      ],
      // The agent's answer comes later, in the user's role.
      background: [
        {
          calls: [
            {
              name: "Agent",
              arguments: {
                description: "Count the words",
                prompt: "scenario:child Count the words of notes.md.",
                subagent_type: "general-purpose",
                run_in_background: true,
              },
            },
          ],
        },
        { text: "It counts in the background." },
      ],
    };
  },
  command: (setting) => ({
    file: binary("claude"),
    args: [
      ...["-p", setting.prompt, "--output-format", "stream-json", "--verbose"],
      "--dangerously-skip-permissions",
      ...(setting.continues ? ["--continue"] : []),
    ],
    env: {
      ANTHROPIC_BASE_URL: setting.gatewayUrl,
      ANTHROPIC_API_KEY: credential(setting),
      ANTHROPIC_MODEL: setting.model ?? models.anthropic,
      ANTHROPIC_SMALL_FAST_MODEL: models.anthropicSmall,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: models.anthropicSmall,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_TELEMETRY: "1",
      // It refuses to skip permissions as root without it.
      IS_SANDBOX: "1",
      ...(setting.mode === "own keys"
        ? {
            ANTHROPIC_CUSTOM_HEADERS: Object.entries(ownKeysHeaders(setting))
              .map(([name, value]) => `${name}: ${value}`)
              .join("\n"),
          }
        : {}),
    },
    files: {
      ".claude/settings.json": JSON.stringify({ skipWebFetchPreflight: true }),
    },
  }),
};
