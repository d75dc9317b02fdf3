import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { recordedPast } from "../support/recorded-past.ts";
import { browserPath } from "./browser.ts";
import { Dashboard } from "./dashboard.ts";

/** `WEIR_EXPORT_ROWS=1000000` for a million. */
const rows = Number(process.env["WEIR_EXPORT_ROWS"] ?? 100_000);
const start = Date.parse("2025-06-01T00:00:00Z");

function* moments(): Generator<number> {
  for (let i = 0; i < rows; i += 1) yield start + i * 1_000;
}

async function linesOf(path: string): Promise<number> {
  let lines = 0;
  for await (const line of createInterface(createReadStream(path))) lines += line === "" ? 0 : 1;
  return lines;
}

describe.skipIf(browserPath === undefined)("a large export", () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.open({}, await recordedPast(moments()));
    // Its records are read from the log first.
    await vi.waitFor(
      async () => {
        const { status } = await dashboard.api.call("GET", "records?limit=1&team=none");
        expect(status).toBe(200);
      },
      { timeout: 240_000, interval: 500 },
    );
  }, 300_000);
  afterAll(() => dashboard.close());

  test("is made while the gateway serves, and downloaded whole", { timeout: 120_000 }, async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/messages?since=2025-06-01T00:00:00Z&until=2025-07-01T00:00:00Z");
    await page.click("text=Export as CSV");
    await page.waitForURL(/\/exports/);
    const served = Promise.all(Array.from({ length: 20 }, () => dashboard.chat()));
    // The messages' table says "completed" too, and stands until the page has changed.
    const made = page.getByRole("table", { name: "Exports" }).locator("tbody tr").first();
    await made.getByText("completed").waitFor({ timeout: 60_000 });
    await served;
    expect(await made.locator("td").nth(3).textContent()).toBe(
      rows.toLocaleString("en").replaceAll(",", "\u202f"),
    );
    const downloads = page.waitForEvent("download");
    await page.click("text=Download");
    const path = await (await downloads).path();
    expect(await linesOf(path)).toBe(rows + 1);
  });

  test("is cancelled from the page", { timeout: 120_000 }, async () => {
    const page = await dashboard.signedIn();
    // One is made after the other, so the newest waits.
    for (let i = 0; i < 20; i += 1) {
      await dashboard.api.data(202, "POST", "exports", { format: "csv" });
    }
    await dashboard.go(page, "/exports");
    const newest = page.locator("tbody tr").first();
    await newest.locator("text=Cancel").click();
    await newest.locator("text=cancelled").waitFor();
  });
});
