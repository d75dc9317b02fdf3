import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { loadConfiguration } from "../../src/config/configuration.ts";
import { gatewayVariables } from "../../src/config/environment.ts";
import { unknownVariables, warnOfUnknown } from "../../src/config/unknown-variables.ts";

test.each([
  ["GATEWAY_LOGLEVEL", "GATEWAY_LOG_LEVEL"],
  ["GATEWAY_DATADIR", "GATEWAY_DATA_DIR"],
  ["GATEWAY_PROT", "GATEWAY_PORT"],
  ["GATEWAY_KEY_PORT", "GATEWAY_KEYS_PORT"],
  ["GATEWAY_DRAIN_SECS", "GATEWAY_DRAIN_SECONDS"],
  ["GATEWAY_Log_Level", "GATEWAY_LOG_LEVEL"],
  ["GATEWAY_TIMEOUT", null],
  ["GATEWAY_", null],
])("%s is told, and perhaps %s was meant", (name, meant) => {
  expect(unknownVariables({ [name]: "1" }, [])).toEqual([{ name, meant }]);
});

test("what is read, blank or another's is not told", () => {
  const known = Object.fromEntries(gatewayVariables.map((name) => [name, "1"]));
  expect(
    unknownVariables({ ...known, GATEWAY_OLD: " ", PORT: "1", MY_GATEWAY_X: "1" }, []),
  ).toEqual([]);
});

test("what Kubernetes sets for a service called gateway is not told", () => {
  const env = {
    GATEWAY_SERVICE_HOST: "10.0.0.1",
    GATEWAY_SERVICE_PORT: "8787",
    GATEWAY_SERVICE_PORT_HTTP: "8787",
    GATEWAY_PORT_8787_TCP: "tcp://10.0.0.1:8787",
    GATEWAY_PORT_8787_TCP_PROTO: "tcp",
    GATEWAY_PORT_8787_TCP_PORT: "8787",
    GATEWAY_PORT_8787_TCP_ADDR: "10.0.0.1",
    GATEWAY_ADMIN_PORT: "tcp://10.0.0.2:8788",
    GATEWAY_ADMIN_SERVICE_HOST: "10.0.0.2",
  };
  expect(unknownVariables(env, [])).toEqual([]);
});

test("a credential's variable that the file names is read; lines have names and no values", () => {
  const folder = mkdtempSync(join(tmpdir(), "weir-variables-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const account = { name: "p", type: "openai", baseUrl: "https://a.example", models: ["m"] };
  const providers = [{ ...account, apiKey: { env: "GATEWAY_OF_P" } }];
  writeFileSync(join(folder, "weir.config.json"), JSON.stringify({ providers }));
  const env = { GATEWAY_OF_P: "sk-1", GATEWAY_OPERATORKEY: "sk-gw-secret", GATEWAY_X: "sk-2" };
  const loaded = loadConfiguration(env, folder);
  if (!loaded.ok) throw new Error("faulty");
  const lines: string[] = [];
  const logger = pino({ base: null }, { write: (line: string) => lines.push(line) });
  warnOfUnknown(loaded.unknownVariables, logger);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 40, variable: "GATEWAY_OPERATORKEY", meant: "GATEWAY_OPERATOR_KEY" },
    { level: 40, variable: "GATEWAY_X" },
  ]);
  expect(lines.join("")).not.toContain("sk-");
});
