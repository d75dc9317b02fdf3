import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { quickScale } from "../../bench/macro/bench.ts";
import { runMacro } from "../../bench/macro/main.ts";
import { builtProgram } from "../support/built-program.ts";

const tiny = {
  ...quickScale,
  jsonMs: 30,
  latencyRequests: 3,
  pacedStreams: 2,
  pacedEvents: 20,
  burstEvents: 50,
  openStreams: 3,
  uploadBytes: { media: 1_000_000, prose: 150_000 },
  idleConnections: 3,
  slowReaderEvents: 5_000,
  steadyMs: 50,
};

test("every load runs, is answered as it should be, and leaves nothing behind", async () => {
  const figures = await runMacro({
    quick: true,
    only: [],
    progress: () => {},
    programs: [builtProgram],
    scale: tiny,
    withPeers: false,
  });
  const failed = figures.filter(({ id }) => id.startsWith("macro/failed/"));
  expect(failed.map(({ label, subject, note }) => `${label}, ${subject}: ${note}`)).toEqual([]);
  const loads = new Set(figures.map(({ id }) => id.split("/")[1]));
  expect([...loads]).toEqual([
    ...["json", "own-answers", "latency", "latency-rested", "paced", "burst", "steady"],
    ...["conversation", "idle", "open-streams", "slow-reader", "upload-media", "upload-prose"],
  ]);
  expect(figures.filter(({ rounds }) => rounds.some((value) => !Number.isFinite(value)))).toEqual(
    [],
  );
  expect(benchFolders()).toEqual([]);
}, 240_000);

function benchFolders(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`weir-macro-${process.pid}-`));
}
