import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { ByteBudget } from "../../../src/proxy/listener/byte-budget.ts";
import { Listener } from "../../../src/proxy/listener/server.ts";

const listening = (port: number): Listener =>
  new Listener({
    host: "127.0.0.1",
    port,
    routes: { ownKeys: null, table: {} },
    bodyBytesMax: 1_024,
    budget: new ByteBudget(1_024),
    failed: () => undefined,
  });

test("a port that another process listens on is an error, not shared with it", async () => {
  // Linux never shares a port that it has picked itself.
  const picked = listening(0);
  const port = await picked.listen();
  await picked.drain(0);
  const first = listening(port);
  await first.listen();
  const source = new URL("../../../src/proxy/listener/server.ts", import.meta.url).href;
  const other = `
    const { Listener } = await import(${JSON.stringify(source)});
    const one = new Listener({ host: "127.0.0.1", port: ${port}, routes: { ownKeys: null, table: {} } });
    await one.listen().then(() => console.log("listens"), (error) => console.log(error.message));
    process.exit();`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", other]);
  expect(stdout.toString()).toContain(`cannot listen on 127.0.0.1:${port}; the port may be in use`);
  await first.drain(0);
});
