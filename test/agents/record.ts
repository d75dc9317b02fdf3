import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOfLine, harnessLinesFile } from "../../src/workers/segment/harness-lines.ts";
import type { AgentClient } from "./client.ts";
import { recorded, type Recorded } from "./clients.ts";
import { install, installDir } from "./install.ts";
import { recordingsDir, type RecordedRequest } from "./recording/recordings.ts";
import { Names } from "./recording/names.ts";
import { share } from "./recording/share.ts";
import { strip } from "./recording/strip.ts";
import { projectFiles, runSession, type Session } from "./session.ts";
import type { Scenarios } from "./stub/script.ts";
import { decoded } from "./stub/server.ts";
import { headerOf, type TappedExchange } from "./tap.ts";

/** `npm run record:agents [CLIENT …]`: makes test/fixtures/agents/ anew. */

install();
mkdirSync(recordingsDir, { recursive: true });
const asked = process.argv.slice(2);
for (const recording of recorded) {
  if (asked.length > 0 && !asked.includes(recording.client.name)) continue;
  await record(recording);
}

async function record({ client, packageName, sessions }: Recorded): Promise<void> {
  const made: { name: string; requests: readonly RecordedRequest[] }[] = [];
  const prose = new Set<string>();
  for (const { name, prompts, options = {} } of sessions) {
    // What is recorded must not depend on what is blocked today.
    const config = { security: { defaultPolicy: { injection: { action: "flag" } } } };
    const session = await runSession(client, "own keys", { prompts, config, ...options });
    const failed = session.runs.find(({ code }) => code !== 0);
    if (failed !== undefined) {
      throw new Error(`${client.name} failed: ${failed.stdout}${failed.stderr}`);
    }
    const files = { ...projectFiles, ...options.files };
    made.push({ name, requests: requestsOf(session, client, prompts, files, prose) });
    await session.close();
  }
  const { version } = JSON.parse(
    readFileSync(join(installDir, "node_modules", packageName, "package.json"), "utf8"),
  ) as { version: string };
  const content = { client: client.name, package: `${packageName} ${version}`, sessions: made };
  const file = join(recordingsDir, `${client.name}.json`);
  writeFileSync(file, `${JSON.stringify(share(content), null, 1)}\n`);
  keepDigests(client.name, prose);
  const count = made.map(({ name, requests }) => `${name} ${requests.length}`).join(", ");
  console.log(`${client.name}: ${count}`);
}

function requestsOf(
  session: Session,
  client: AgentClient,
  prompts: readonly string[],
  files: Readonly<Record<string, string>>,
  prose: Set<string>,
): readonly RecordedRequest[] {
  const names = new Names(session.setting);
  const ours = ownLines(client.scenarios(session.setting.project), prompts, files, names);
  return session.lab.tap.exchanges
    .filter(({ method }) => method === "POST")
    .map((exchange) => requestOf(exchange, names, ours, prose));
}

function requestOf(
  exchange: TappedExchange,
  names: Names,
  ours: ReadonlySet<string>,
  prose: Set<string>,
): RecordedRequest {
  const { method, url, rawHeaders } = exchange;
  const headers: [string, string][] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    headers.push([rawHeaders[i] ?? "", names.in(rawHeaders[i + 1] ?? "")]);
  }
  const plain = decoded(exchange.body, headerOf(rawHeaders, "content-encoding"));
  const body = strip(JSON.parse(names.in(plain.toString())), ours, prose);
  return { method, url: names.in(url), headers, body: body as RecordedRequest["body"] };
}

/** Every line that we have put into a session. */
function ownLines(
  scenarios: Scenarios,
  prompts: readonly string[],
  files: Readonly<Record<string, string>>,
  names: Names,
): ReadonlySet<string> {
  const texts: string[] = [...prompts, ...Object.values(files), "The hook saw the prompt."];
  for (const turn of Object.values(scenarios).flat()) {
    texts.push(turn.text ?? "");
    for (const call of turn.calls ?? []) {
      const values: unknown[] = Object.values(call.arguments);
      texts.push(...values.filter((value) => typeof value === "string"), call.text ?? "");
    }
  }
  return new Set(texts.flatMap((text) => names.in(text).split("\n")).map((line) => line.trim()));
}

/** What stands in every session of a client word for word, by its digest: harness-lines.ts. */
function keepDigests(client: string, prose: ReadonlySet<string>): void {
  const digests = JSON.parse(readFileSync(harnessLinesFile, "utf8")) as Record<string, string[]>;
  digests[client] = [...new Set([...prose].map(digestOfLine))].sort();
  writeFileSync(harnessLinesFile, `${JSON.stringify(digests, null, 2)}\n`);
}
