import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserPath } from "./browser.ts";
import { Dashboard, rowsOf } from "./dashboard.ts";

describe.skipIf(browserPath === undefined)("messages in the dashboard", () => {
  let dashboard: Dashboard;
  let requestId: string;
  let failedId: string;
  beforeAll(async () => {
    const models = [{ id: "echo", alias: "quick" }];
    const config = { providers: [{ name: "demo", type: "demo", models }] };
    dashboard = await Dashboard.open({ config });
    requestId = await dashboard.chat("demo/echo", "Hello", { "x-svc-tags": "feature=rag" });
    failedId = await dashboard.chat("nobody's");
  });
  afterAll(() => dashboard.close());

  test("a message is found by its id, explained, and its proof is checked here", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/keys");
    await page.keyboard.press("/");
    await page.waitForSelector("#search:focus");
    await page.keyboard.type(requestId);
    await page.keyboard.press("Enter");
    await page.waitForSelector("text=Receipt");
    expect(new URL(page.url()).pathname).toBe(`/messages/${requestId}`);
    expect(await page.textContent("main")).toContain("demo/echo");
    await page.click("text=Check the proof");
    await page.waitForSelector("text=is in the signed log");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.click("text=File for npm run verify"),
    ]);
    expect(readFileSync(await file.path(), "utf8")).toContain("weir-audit-bundle/1");
    await page.goBack();
    await page.waitForSelector("#search");
  });

  test("what can't be answered yet is asked again", async () => {
    const page = await dashboard.signedIn();
    let refusals = 0;
    await page.route("**/records/lookup*", async (route) => {
      refusals += 1;
      const error = { code: "records_unavailable", message: "The records are being read." };
      if (refusals > 1) await route.continue();
      else await route.fulfill({ status: 503, json: { error } });
    });
    await dashboard.go(page, `/messages/${requestId}`);
    await page.waitForSelector("text=The records are being read.");
    await page.waitForSelector("text=Receipt");
    expect(refusals).toBe(2);
  });

  test("a message has its time by part, and the way from its tokens to the balance", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, `/messages/${requestId}`);
    const parts = await page.locator(".fall tbody th").allTextContents();
    expect(parts).toEqual([
      ...["Body", "Queue for the scan", "Scan", "Hold", "Attempt 1: demo, 200"],
      ...["Until the first byte", "Total"],
    ]);
    const times = await page.locator(".fall tbody td:last-child").allTextContents();
    expect(times.filter((text) => !/^\d+(\.\d)? m?s$/.test(text))).toEqual([]);
    const { lines, cost_usd: cost } = await dashboard.api.data(
      ...([200, "GET", `records/receipt?request_id=${requestId}`] as const),
    );
    const shown = await page.locator(".lines tbody tr").allTextContents();
    expect(shown).toHaveLength((lines as unknown[]).length + 1);
    expect(shown.at(-1)).toContain(`$${String(cost).replace(/0+$/, "")}`);
    await page.waitForSelector("text=Units × rates are the recorded cost.");
    const receipt = await page.textContent("section:has(> h2:text('Receipt'))");
    expect(receipt).toMatch(/Hold\$0\.\d+ → \$9\.\d+ available then/);
    expect(receipt).toMatch(/Debit\$0\.0000\d+ → \$9\.\d+ balance after/);
    // What did not happen has no time, and says so.
    await dashboard.go(page, `/messages/${failedId}`);
    expect(await page.textContent(".fall")).toContain("Holdnot reported");
  });

  test("filters have the values that there are, with counts, and stand in the address", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/messages");
    await page.click("button:has-text('Filters')");
    await page.click("fieldset:has-text('Status') button:has-text('failed 1')");
    await page.waitForURL(/status=failed/);
    await expect.poll(() => rowsOf(page, "Messages")).toHaveLength(1);
    expect((await rowsOf(page, "Messages")).join()).toContain("no_route");
    await page.reload();
    await page.waitForSelector("button:has-text('Status: failed')");
    await expect.poll(() => rowsOf(page, "Messages")).toHaveLength(1);
    await page.goBack();
    await expect.poll(async () => (await rowsOf(page, "Messages")).join()).toContain("completed");
    await page.fill("#filter-tag", "feature:rag");
    await page.keyboard.press("Enter");
    await page.waitForURL(/tag=feature/);
    await expect.poll(() => rowsOf(page, "Messages")).toHaveLength(1);
    await page.click("button:has-text('Tag: feature:rag')");
    await expect.poll(() => rowsOf(page, "Messages")).toHaveLength(2);
  });

  test("columns are chosen, and stand in the address", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/messages?panel=columns");
    expect(await page.locator("th").allTextContents()).not.toContain("Tags");
    await page.check("label:has-text('Tags') input");
    await page.waitForURL(/columns=/);
    await expect.poll(async () => (await rowsOf(page, "Messages")).join()).toContain("feature:rag");
    await page.uncheck("label:has-text('First byte') input");
    await expect.poll(() => page.locator("th").allTextContents()).not.toContain("First byte");
    await page.reload();
    await expect.poll(() => page.locator("th").allTextContents()).toContain("Tags");
  });

  test("a step of the histogram leads to its messages by the keyboard", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/messages");
    await page.locator("summary").focus();
    await page.keyboard.press("Enter");
    const table = page.locator(".numbers");
    expect(await table.locator("th[scope=col]").allTextContents()).toEqual([
      ...["From", "completed", "blocked", "failed"],
    ]);
    // The quarter of an hour in which the first request came; a second one may have begun since.
    const row = table.locator("tbody tr").first();
    expect(await row.locator("td").first().textContent()).toBe("1");
    await row.locator("a").focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/since=.*until=/);
    await expect
      .poll(async () => (await rowsOf(page, "Messages")).join())
      .toContain("completed 200");
  });

  test("what is shown is exported, and the file is fetched once with a ticket", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/messages?status=failed");
    await page.click("text=Export as CSV");
    await page.waitForURL(/\/exports/);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.click("button:has-text('Download')"),
    ]);
    const lines = readFileSync(await file.path(), "utf8")
      .trimEnd()
      .split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain("no_route");
    const again = await fetch(file.url());
    expect(again.status).toBe(401);
    await page.click("button:has-text('Remove')");
    await page.waitForSelector("text=There is no export.");
  });

  test("the model that served is named where it is not the one that was asked for", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, `/messages/${await dashboard.chat("quick")}`);
    expect(await page.textContent(".facts.wide")).toMatch(/Modelquick.*Served by the modelecho/);
    await dashboard.go(page, `/messages/${requestId}`);
    expect(await page.textContent(".facts.wide")).not.toContain("Served by");
  });

  test("the log's checkpoint is checked against the key and the checkpoint that were seen before", async () => {
    const page = await dashboard.signedIn();
    const said = () => page.textContent("section[aria-label=Checkpoint] .mark");
    await dashboard.go(page, "/audit");
    await expect.poll(said).toMatch(/^\d+ events, signed\. Next time, this browser checks/);
    const sizeOf = async () => Number(/^\d+/.exec((await said()) ?? "")?.[0]);
    const before = await sizeOf();
    await dashboard.chat();
    await expect
      .poll(async () => {
        await page.click("text=Check again");
        await page.waitForSelector("section[aria-label=Checkpoint] .mark");
        return sizeOf();
      })
      .toBeGreaterThan(before);
    await expect.poll(said).toMatch(/^\d+ events, signed\. The \d+ events .* are its beginning\.$/);

    const seen = JSON.stringify({ size: await sizeOf(), root: "x".repeat(43) + "=" });
    const again = async (why: string) => {
      await page.click("text=Check again");
      await expect.poll(said).toContain(why);
      expect(await page.getAttribute("section[aria-label=Checkpoint] .mark", "class")).toMatch(
        /bad/,
      );
    };
    const kept = String(await page.evaluate("localStorage.getItem('weir.checkpoint')"));
    const keep = (value: string) =>
      page.evaluate(`localStorage.setItem("weir.checkpoint", ${JSON.stringify(value)})`);
    await keep(seen);
    await again("are not its beginning");
    await keep(JSON.stringify({ size: 1_000_000, root: "x".repeat(43) + "=" }));
    await again("some were taken away");
    // What does not hold is not taken for what was seen.
    expect(await page.evaluate("localStorage.getItem('weir.checkpoint')")).toContain("1000000");
    await keep(JSON.stringify({ size: before, root: "x".repeat(43) + "=" }));
    await again("are not its beginning");
    await keep(kept);
    const change = (path: string, to: (text: string) => string) =>
      page.route(path, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: to(await response.text()) });
      });
    await change("**/v1/audit/checkpoint", (text) => text.replace(/\n\d+\n/, "\n1\n"));
    await again("signature is wrong");
    await page.unroute("**/v1/audit/checkpoint");
    await change("**/v1/audit/key", (text) => text.replace(/\+[0-9a-f]{8}\+/, "+00000000+"));
    await again("another key than the one this browser has pinned");
  });
});
