import { credential, type AgentClient, type Setting } from "../client.ts";
import { binary } from "../install.ts";
import { models } from "../lab.ts";

/** Codex without a terminal: `codex exec`. It speaks the Responses wire alone. */
export const codex: AgentClient = {
  name: "codex",
  modes: ["own keys", "pay-through"],
  writes: true,
  scenarios: () => {
    const patch = "*** Begin Patch\n*** Add File: copy.md\n+Seven words.\n*** End Patch\n";
    const exec = (text: string) => ({ name: "exec", arguments: {}, text });
    const shell = (cmd: string) =>
      exec(`text(await tools.exec_command(${JSON.stringify({ cmd })}))`);
    return {
      // Newer models write programs that call tools.
      files: [
        { text: "The notes come first.", calls: [shell("cat notes.md"), shell("git status")] },
        { calls: [exec(`text(await tools.apply_patch(${JSON.stringify(patch)}))`)] },
        { text: "The notes hold seven words." },
      ],
      // Others call them themselves.
      functions: [
        {
          text: "The notes come first.",
          calls: [
            { name: "exec_command", arguments: { cmd: "cat notes.md" } },
            { name: "exec_command", arguments: { cmd: "git status" } },
          ],
        },
        { text: "The notes hold seven words." },
      ],
      subagent: [
        {
          calls: [
            {
              name: "spawn_agent",
              namespace: "collaboration",
              arguments: {
                task_name: "count",
                message: "scenario:child Count the words of notes.md.",
                fork_turns: "none",
              },
            },
          ],
        },
        {
          calls: [
            { name: "wait_agent", namespace: "collaboration", arguments: { timeout_ms: 20_000 } },
          ],
        },
        { text: "The other agent counted seven words." },
      ],
      child: [{ calls: [shell("cat notes.md")] }, { text: "Seven words." }],
      compaction: [
        { calls: [shell("cat notes.md")], inputTokens: 400_000 },
        { text: "Now it is short." },
      ],
    };
  },
  command: (setting) => ({
    file: binary("codex"),
    args: [
      ...["exec", ...(setting.continues ? ["resume", "--last"] : [])],
      ...["--json", "--dangerously-bypass-approvals-and-sandbox", setting.prompt],
    ],
    env: { OPENAI_API_KEY: credential(setting), WEIR_KEY: setting.serviceKey },
    files: { ".codex/config.toml": configuration(setting) },
  }),
};

/** Codex with its built-in provider and the gateway's address. It tries a WebSocket first. */
export const codexBuiltIn: AgentClient = {
  ...codex,
  name: "codex-built-in",
  modes: ["pay-through"],
  command: (setting) => ({
    ...codex.command(setting),
    env: { CODEX_API_KEY: credential(setting) },
    files: {
      ".codex/config.toml": `model = "${models.openai}"
openai_base_url = "${setting.gatewayUrl}/v1"
web_search = "disabled"

${quiet}`,
    },
  }),
};

const quiet = `[analytics]
enabled = false

[otel]
exporter = "none"
`;

/**
 * A provider of its own: the built-in one ignores headers. Under pay-through its search is off, because its
 * cost has no bound.
 */
function configuration(setting: Setting): string {
  const isPaid = setting.mode === "pay-through";
  return `model = "${setting.model ?? models.openai}"
model_provider = "weir"
${isPaid ? 'web_search = "disabled"\n' : ""}
[model_providers.weir]
name = "Weir"
base_url = "${setting.gatewayUrl}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
${isPaid ? "" : ownHeaders(setting)}
${quiet}`;
}

function ownHeaders({ upstreamUrl }: Setting): string {
  return `http_headers = { "X-Svc-Upstream-Url" = "${upstreamUrl}" }
env_http_headers = { "X-Svc-Api-Key" = "WEIR_KEY" }
`;
}
