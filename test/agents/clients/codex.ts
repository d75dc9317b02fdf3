import { credential, ownKeysHeaders, type AgentClient, type Setting } from "../client.ts";
import { binary } from "../install.ts";
import { models } from "../lab.ts";

/** Codex without a terminal: `codex exec`. It speaks the Responses wire alone. */
export const codex: AgentClient = {
  name: "codex",
  modes: ["own keys"],
  writes: true,
  scenarios: () => {
    const shell = (command: string) => ({ name: "exec_command", arguments: { cmd: command } });
    return {
      files: [
        { text: "The notes come first.", calls: [shell("cat notes.md"), shell("git status")] },
        {
          calls: [
            {
              name: "apply_patch",
              arguments: {},
              text: "*** Begin Patch\n*** Add File: copy.md\n+Seven words.\n*** End Patch\n",
            },
          ],
        },
        { text: "The notes hold seven words." },
      ],
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
    env: { PROVIDER_KEY: credential(setting), SERVICE_KEY: setting.serviceKey },
    files: { ".codex/config.toml": configuration(setting) },
  }),
};

function configuration(setting: Setting): string {
  const headers = Object.entries(ownKeysHeaders(setting))
    .map(([name, value]) => `${JSON.stringify(name)} = ${JSON.stringify(value)}`)
    .join(", ");
  return `model = "${models.openai}"
model_provider = "weir"

[model_providers.weir]
name = "Weir"
base_url = "${setting.gatewayUrl}/v1"
env_key = "PROVIDER_KEY"
wire_api = "responses"
http_headers = { ${headers} }

[analytics]
enabled = false

[otel]
exporter = "none"
`;
}
