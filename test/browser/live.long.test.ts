import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserPath } from "./browser.ts";
import { axeFaults, Dashboard, rowsOf } from "./dashboard.ts";

describe.skipIf(browserPath === undefined)("the live tail of messages", () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.open();
    await dashboard.chat("demo/echo", "before");
  });
  afterAll(() => dashboard.close());

  /** A page with an open stream is never idle. */
  async function watch(page: Page, query: string): Promise<void> {
    await page.goto(`${dashboard.gateway.keysUrl}/messages?${query}`);
    await page.waitForSelector("[aria-label='Messages'] tbody tr");
  }

  const isLive = (page: Page) => page.waitForSelector(".live .mark:text-is('Live')");
  const messages = (page: Page) => rowsOf(page, "Messages");

  /** All that the tail's status has said; it may say something only for a moment. */
  async function listen(page: Page): Promise<() => Promise<string>> {
    await page.evaluate(
      `globalThis.heard = ""; new MutationObserver(() => {
        globalThis.heard += " " + (document.querySelector(".live")?.textContent ?? "");
      }).observe(document.body, { subtree: true, childList: true, characterData: true });`,
    );
    return async () => String(await page.evaluate("globalThis.heard"));
  }

  test("it is turned on by the keyboard, shows what comes, is paused and goes on", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/messages");
    const before = (await messages(page)).length;
    await page.focus("button:text-is('Live')");
    await page.keyboard.press("Enter");
    await page.waitForURL(/live=1/);
    await isLive(page);
    expect(await axeFaults(page)).toEqual([]);
    const id = await dashboard.chat();
    await expect.poll(() => messages(page)).toHaveLength(before + 1);
    const link = await page.getAttribute("[aria-label='Messages'] tbody a", "href");
    expect(link).toBe(`/messages/${id}`);

    await page.focus("button:text-is('Pause')");
    await page.keyboard.press("Space");
    await page.waitForURL(/live=paused/);
    for (let i = 0; i < 3; i += 1) await dashboard.chat("nobody's");
    await page.waitForSelector("text=Paused: 3 came meanwhile");
    expect(await messages(page)).toHaveLength(before + 1);
    // Told how many came, not each of them, to who can't see them.
    await expect
      .poll(() => page.textContent(".live [role=status]"))
      .toMatch(/^\d new messages?, held back$/);
    await page.keyboard.press("Space");
    await page.waitForURL(/live=1/);
    await expect.poll(() => messages(page)).toHaveLength(before + 4);
    expect((await messages(page)).slice(0, 3).join()).not.toContain("completed");

    await page.goBack();
    await page.waitForSelector("text=Paused: 0 came meanwhile");
    await page.reload();
    await page.waitForSelector("text=Paused: 0 came meanwhile");
    await page.click("button:text-is('Live')");
    await page.waitForSelector(".live", { state: "detached" });
    expect(page.url()).not.toContain("live");
  });

  test("the filters of the address apply to what comes", async () => {
    await dashboard.chat("nobody's");
    const page = await dashboard.signedIn();
    await watch(page, "live=1&status=failed");
    await isLive(page);
    const before = (await messages(page)).length;
    await dashboard.chat();
    await dashboard.chat("nobody's");
    await expect.poll(() => messages(page)).toHaveLength(before + 1);
    expect((await messages(page)).join()).not.toContain("completed");
  });

  test("what a lost connection has missed is there after the next one", async () => {
    const page = await dashboard.signedIn();
    let tries = 0;
    await page.route("**/records/stream**", async (route) => {
      tries += 1;
      if (tries === 1) return route.fulfill({ body: stream(["end", { reason: "shutdown" }]) });
      if (tries === 2) return route.abort();
      if (tries === 3) {
        const error = { code: "records_unavailable", message: "There are too many live tails." };
        return route.fulfill({ status: 503, json: { error } });
      }
      if (tries === 4) return route.fulfill({ body: stream(["end", { reason: "unavailable" }]) });
      return route.continue();
    });
    await dashboard.go(page, "/messages");
    const before = (await messages(page)).length;
    const heard = await listen(page);
    await page.click("button:text-is('Live')");
    await expect.poll(heard).toContain("The gateway stops. Trying again in 1 s.");
    await expect.poll(heard).toContain("The connection is lost. Trying again in");
    await expect.poll(heard).toContain("too many live tails. Trying again in");
    const id = await dashboard.chat();
    // The waits grow; nobody has to sit them out.
    await page.click("button:text-is('Try now')");
    await isLive(page);
    expect(tries).toBeGreaterThan(3);
    expect(await heard()).toContain("The records can't be asked at the moment.");
    await expect.poll(() => page.content()).toContain(id);
    expect(await messages(page)).toHaveLength(before + 1);
  }, 60_000);

  test("rows are kept to a bound, and what was not told is counted", async () => {
    const page = await dashboard.signedIn();
    const [row] = await listed();
    const rows = Array.from({ length: 250 }, (_, i) => {
      const index = 1_000_000 + i;
      return ["record", { ...row, index, request_id: `told-${i}` }] as const;
    });
    let tries = 0;
    await page.route("**/records/stream**", (route) => {
      tries += 1;
      // The second one never answers: what the first one told stays.
      if (tries > 1) return undefined;
      return route.fulfill({ body: stream(...rows, ["skipped", { rows: 1234 }]) });
    });
    await watch(page, "live=1");
    await page.waitForSelector("text=+1\u202f234 skipped");
    await page.waitForSelector("text=The latest 200 are shown.");
    expect(await messages(page)).toHaveLength(200);
    const link = await page.getAttribute("[aria-label='Messages'] tbody a", "href");
    expect(link).toBe("/messages/told-249");
    expect(await page.locator("text=Show more").count()).toBe(0);
    await page.unroute("**/records/stream**");
    await page.click("text=Read the latest");
    await isLive(page);
    await expect.poll(() => page.content()).not.toContain("told-249");
    expect(await page.locator("text=skipped").count()).toBe(0);
  });

  test("a call that is refused is not repeated", async () => {
    const page = await dashboard.signedIn();
    await page.goto(`${dashboard.gateway.keysUrl}/messages?live=1&min_latency_ms=soon`);
    await page.waitForSelector(".live .mark.bad:has-text('min_latency_ms')");
  });

  test("it ends with the session, says so, and goes on after the next sign-in", async () => {
    const { api, operatorKey } = dashboard;
    const orgId = await api.firstOrganization();
    const { key, secret } = await api.key({ orgId, role: "admin", name: "watcher" });
    const page = await dashboard.signIn({ key: secret });
    await watch(page, "live=1");
    await isLive(page);
    await api.call("DELETE", `api-keys/${key.id}`);
    await page.waitForSelector("text=Your session has ended.");
    await page.fill("#key", operatorKey);
    await page.click("button[type=submit]");
    await isLive(page);
    expect(page.url()).toContain("live=1");
  });

  test("a range that has ended has no tail; turning it on leaves the range", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/messages?since=2026-01-01&until=2026-02-01&live=1");
    expect(await page.locator(".live").count()).toBe(0);
    await page.click("button:text-is('Live')");
    await isLive(page);
    expect(page.url()).not.toContain("until");
  });

  async function listed(): Promise<readonly object[]> {
    const { body } = await dashboard.api.call("GET", "records?limit=1");
    return body?.["data"] as object[];
  }
});

/** A stream of the API with these events behind `open`. */
function stream(...events: readonly (readonly [string, object])[]): string {
  return [["open", { index: 0 }] as const, ...events]
    .map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
    .join("");
}
