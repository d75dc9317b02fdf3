import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startGateway } from "./gateway.ts";
import { onSharedStore } from "./shared-database.ts";

test("a gateway has the store of its project", async ({ task }) => {
  const gateway = await startGateway();
  onTestFinished(() => gateway.stop());
  if (task.file.projectName === "shared") expect(onSharedStore).toBe(true);
  if (!onSharedStore) return expect(gateway.database).toBeNull();
  const client = new Client({ connectionString: gateway.database ?? "" });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query("SELECT state FROM weir.gateway");
  expect(rows).toEqual([{ state: "live" }]);
});
