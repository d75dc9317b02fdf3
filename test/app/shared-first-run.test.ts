import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { loadConfiguration } from "../../src/config/configuration.ts";
import { start, type RunningGateway } from "../../src/main.ts";
import { describeWithPostgres, TestDatabase } from "../store/shared/database.ts";
import { startProcess } from "../support/gateway-process.ts";
import { environmentOf } from "../support/gateway.ts";

const config = { store: { type: "postgres", url: { env: "WEIR_TEST_DATABASE" } } };

describeWithPostgres("the first start of gateways that share a store", () => {
  const database = new TestDatabase();
  afterEach(() => database.empty());

  function folder(): string {
    const path = mkdtempSync(join(tmpdir(), "weir-"));
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    return path;
  }

  const envOf = (more: Readonly<Record<string, string>> = {}) => {
    return { WEIR_TEST_DATABASE: database.url, ...more };
  };

  /** A gateway in this process that has shown no keys yet. */
  async function started(log: string[] = []): Promise<RunningGateway> {
    const path = folder();
    const env = environmentOf(path, { config, env: envOf() });
    const loaded = loadConfiguration(env, path);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
    const logger = pino({ base: null }, { write: (line: string) => log.push(line) });
    const running = await start(loaded.value, logger, env);
    let stopping: Promise<void> | null = null;
    const stop = () => (stopping ??= running.stop());
    onTestFinished(stop);
    return { ...running, stop };
  }

  async function isServed({ keys, firstRun }: RunningGateway): Promise<boolean> {
    const authorization = `Bearer ${firstRun?.operatorSecret}`;
    const response = await fetch(`${keys}/api/v1/gateway/orgs`, { headers: { authorization } });
    return response.status === 200;
  }

  test("one that starts waits until another has shown the keys, and shows none", async () => {
    const first = await started();
    const log: string[] = [];
    const starting = started(log);
    await expect.poll(() => log.join("")).toContain("that is to print the first keys");
    await first.keysShown();
    expect((await starting).firstRun).toBeNull();
    expect(await isServed(first)).toBe(true);
  });

  test("one that starts shows keys that work, if the other ends without having shown any", async () => {
    const first = await started();
    const log: string[] = [];
    const starting = started(log);
    await expect.poll(() => log.join("")).toContain("that is to print the first keys");
    await first.stop();
    expect(await isServed(await starting)).toBe(true);
  });

  test("one that can't listen leaves, and the next one shows keys without waiting for its end", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const failing = startProcess({ config, env: envOf({ GATEWAY_PORT: `${port}` }) }, folder());
    await expect(failing).rejects.toThrow(/the port may be in use/);
    const log: string[] = [];
    expect(await isServed(await started(log))).toBe(true);
    expect(log.join("")).not.toContain("that is to print the first keys");
  });
});
