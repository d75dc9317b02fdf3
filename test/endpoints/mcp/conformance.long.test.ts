import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../../support/gateway.ts";

let gateway: TestGateway;
let withKey: Server;
beforeAll(async () => {
  gateway = await startGateway();
  withKey = await startKeyProxy(gateway);
});
afterAll(async () => {
  withKey.close();
  await gateway.stop();
});

/** The suites of the official conformance tool, by the revisions that each knows best. */
const suites = [
  {
    package: "@modelcontextprotocol/conformance",
    revision: "2025-06-18",
    applicable: ["server-initialize", "ping", "tools-list"],
  },
  {
    package: "@modelcontextprotocol/conformance",
    revision: "2025-11-25",
    applicable: ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"],
  },
  {
    package: "mcp-conformance-2026",
    revision: "2026-07-28",
    applicable: [
      "server-stateless",
      "tools-list",
      "dns-rebinding-protection",
      "caching",
      "http-header-validation",
    ],
  },
] as const;

/** Why the other scenarios of the tool do not apply to a server with one tool of its own. */
const notApplicable: readonly (readonly [RegExp, string])[] = [
  [/^tools-call-/, "calls a tool of the suite's own example server"],
  [/^input-required-result-/, "calls a tool of the suite's own example server"],
  [/^(tasks-|sep-2640-)/, "an extension that is not offered"],
  [/^json-schema-2020-12$/, "looks for a tool of the suite's own example server"],
  [/^http-custom-header-server-validation$/, "no argument of the tool is mirrored in a header"],
  [/^(resources-|sep-2164-)/, "there are no resources"],
  [/^prompts-/, "there are no prompts"],
  [/^(completion-complete|logging-set-level)$/, "there is nothing to complete, and no log"],
  [/^elicitation-/, "nothing is asked back"],
  [/^(server-session-lifecycle|server-sse-)/, "there are no sessions and no streams to resume"],
];

/** Checks of applicable scenarios that need what a server with one tool does not have, and what. */
const inapplicableChecks: Readonly<Record<string, string>> = {
  "sep-2575-server-rejects-undeclared-capability": "the suite's tool test_missing_capability",
  "sep-2575-missing-capability-http-400": "the suite's tool test_missing_capability",
  "sep-2575-http-server-no-independent-requests-on-stream":
    "the suite's tool test_streaming_elicitation",
  "sep-2575-server-no-log-without-loglevel": "the suite's tool test_logging_tool",
  "sep-2549-prompts-list-caching-hints": "prompts",
  "sep-2549-resources-list-caching-hints": "resources",
  "sep-2549-resources-templates-list-caching-hints": "resources",
};

describe.each(suites)("$package, $revision", ({ package: name, revision, applicable }) => {
  test("every scenario either runs or has its reason not to", async () => {
    const { output } = await conformance(name, ["list", "--server", "--spec-version", revision]);
    const scenarios = [...output.matchAll(/^ +- ([\w-]+)/gm)].map(([, scenario = ""]) => scenario);
    expect(scenarios).toEqual(expect.arrayContaining([...applicable]));
    const others = scenarios.filter((one) => !applicable.some((scenario) => scenario === one));
    const unexplained = others.filter((one) => !notApplicable.some(([names]) => names.test(one)));
    expect(unexplained).toEqual([]);
  });

  test.each(applicable)("%s", async (scenario) => {
    const folder = mkdtempSync(join(tmpdir(), "weir-conformance-"));
    const { port } = withKey.address() as AddressInfo;
    const { output } = await conformance(name, [
      ...["server", "--url", `http://localhost:${port}/v1/security/mcp`],
      ...["--scenario", scenario, "--spec-version", revision, "--output-dir", folder],
    ]);
    const checks = checksIn(folder);
    rmSync(folder, { recursive: true });
    expect(checks.length, output).toBeGreaterThan(0);
    expect(checks.filter(failed)).toEqual([]);
  });
});

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

function failed({ id, status }: Check): boolean {
  const isFailure = status !== "SUCCESS" && status !== "INFO" && status !== "SKIPPED";
  return isFailure && !Object.hasOwn(inapplicableChecks, id);
}

function checksIn(folder: string): readonly Check[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("checks.json"))
    .flatMap((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Check[]);
}

function conformance(name: string, given: readonly string[]): Promise<{ readonly output: string }> {
  const program = join(import.meta.dirname, "../../../node_modules", name, "dist/index.js");
  const child = spawn(process.execPath, [program, ...given], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (bytes: Buffer) => (output += bytes.toString()));
  child.stderr.on("data", (bytes: Buffer) => (output += bytes.toString()));
  return new Promise((resolve) => child.on("close", () => resolve({ output })));
}

/** The tool can't send a key, so this adds one; everything else goes through as it comes. */
async function startKeyProxy({ url, key }: TestGateway): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const sent = request(
      new URL(path ?? "/", url),
      {
        ...(method === undefined ? {} : { method }),
        headers: { ...headers, authorization: `Bearer ${key}` },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    sent.on("error", () => outgoing.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
