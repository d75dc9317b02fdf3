import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { areas, betweenGateways, fileOf, onBothStores } from "../both-stores.ts";

test.each(Object.entries({ ...areas, ...betweenGateways }))(
  "%s: its tests are there",
  (_, names) => {
    expect(names.map(fileOf).filter((file) => !existsSync(file))).toEqual([]);
  },
);

test.each(onBothStores)("%s starts its gateways where its project says", (file) => {
  const source = readFileSync(file, "utf8");
  // Processes of their own have the embedded store, whatever the project says.
  expect(source).not.toContain("startProcess");
  expect(source).toMatch(/startGateway|CachedGateway/);
});
