import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordedPast } from "../support/recorded-past.ts";
import { browserPath } from "./browser.ts";
import { Dashboard } from "./dashboard.ts";

/** The hour and minute of a moment in a zone, and its day. */
function clock(zone: string, at: Date): string {
  const parts = { timeZone: zone, dateStyle: "short", timeStyle: "medium" } as const;
  return new Intl.DateTimeFormat("sv-SE", parts).format(at);
}

describe.skipIf(browserPath === undefined)("time in the dashboard", () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.open();
    await dashboard.chat();
  });
  afterAll(() => dashboard.close());

  test.each(["Asia/Kolkata", "Asia/Kathmandu", "America/St_Johns"])(
    "%s: the browser's zone is the page's, stands in the address, and its days end there",
    async (timezoneId) => {
      const page = await dashboard.signIn({ timezoneId });
      await dashboard.go(page, "/messages");
      // Browsers call some zones by an older name.
      const own = await page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone");
      expect(new URL(page.url()).searchParams.get("tz")).toBe(own);
      const at = new Date((await page.getAttribute("tbody time", "datetime")) ?? "");
      await expect.poll(() => page.textContent("tbody time")).toBe(clock(timezoneId, at));
      expect(await page.getAttribute("tbody time", "title")).toBe(`${at.toISOString()} (UTC)`);

      await dashboard.go(page, "/usage?range=30d");
      await page.click("summary");
      const [step] = await page.locator(".numbers tbody th").allTextContents();
      expect(step).toBe(`${clock(timezoneId, at).slice(0, 10)} 00:00:00`);
    },
  );

  test("a link shows its sender's zone, whatever its reader's is", async () => {
    const page = await dashboard.signedIn({ timezoneId: "Europe/Berlin" });
    await dashboard.go(page, "/messages?tz=Asia%2FKathmandu");
    const at = new Date((await page.getAttribute("tbody time", "datetime")) ?? "");
    expect(await page.textContent("tbody time")).toBe(clock("Asia/Kathmandu", at));
    await dashboard.go(page, "/messages?tz=Nowhere%2FCity");
    expect(new URL(page.url()).searchParams.get("tz")).not.toBe("Nowhere/City");
  });

  test("a zone that is chosen in the settings is kept", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/settings");
    await page.selectOption("#zone", "Asia/Tokyo");
    await page.click("nav >> text=Messages");
    await page.waitForURL(/tz=Asia%2FTokyo/);
    await dashboard.go(page, "/usage");
    expect(page.url()).toContain("tz=Asia%2FTokyo");
  });
});

/** A request every half hour, some days around each change of 2025 in Berlin and in New York. */
function* aroundChanges(): Generator<number> {
  for (const day of ["2025-03-07", "2025-03-28", "2025-10-24", "2025-10-31"]) {
    const fromMs = Date.parse(`${day}T00:10:00Z`);
    for (let i = 0; i < 5 * 48; i += 1) yield fromMs + i * 30 * 60_000;
  }
}

describe.skipIf(browserPath === undefined)("days across a change to summer time", () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.open({}, await recordedPast(aroundChanges()));
  });
  afterAll(() => dashboard.close());

  /** How many requests each local day or hour has, by the clock on its wall. */
  function meant(zone: string, since: string, until: string, digits: number) {
    const many = new Map<string, number>();
    for (const ms of aroundChanges()) {
      if (ms < Date.parse(since) || ms >= Date.parse(until)) continue;
      const name = clock(zone, new Date(ms)).slice(0, digits);
      many.set(name, (many.get(name) ?? 0) + 1);
    }
    return many;
  }

  const table = '[aria-label="Messages over time as a table"]';
  async function steps(page: Page): Promise<readonly (readonly [string, number])[]> {
    await page.click("summary");
    const starts = await page.locator(`${table} tbody th`).allTextContents();
    const counts = await page.locator(`${table} tbody td:nth-child(2)`).allTextContents();
    return starts.map((start, i) => [start, Number(counts[i])]);
  }

  const changes = [
    ["Europe/Berlin", "2025-03-30", 46],
    ["Europe/Berlin", "2025-10-26", 50],
    ["America/New_York", "2025-03-09", 46],
    ["America/New_York", "2025-11-02", 50],
    ["Asia/Kolkata", "2025-03-30", 48],
    ["Asia/Kathmandu", "2025-10-26", 48],
  ] as const;

  test.each(changes)("%s, %s: %i half hours", async (zone, day, halfHours) => {
    const page = await dashboard.signedIn();
    const noon = Date.parse(`${day}T12:00:00Z`);
    const [since, until] = [-8, 8].map((days) => new Date(noon + days * 86_400_000).toISOString());
    const range = `since=${since}&until=${until}&tz=${encodeURIComponent(zone)}`;
    await dashboard.go(page, `/messages?${range}`);
    const days = [...meant(zone, since ?? "", until ?? "", 10)];
    expect(days).toContainEqual([day, halfHours]);
    expect(await steps(page)).toEqual(days.map(([one, many]) => [`${one} 00:00:00`, many]));

    // The way from the day to its messages has all of its hours, and no other's.
    await page.click(`${table} a:text-is("${day} 00:00:00")`);
    const shown = page.locator('[aria-label="Messages"] tbody time');
    const daysShown = async () => (await shown.allTextContents()).map((time) => time.slice(0, 10));
    await expect.poll(daysShown).toEqual(Array.from({ length: halfHours }, () => day));
    await expect.poll(() => page.locator("text=Show more").count()).toBe(0);

    // By the hour: the one that the clock shows twice is two.
    const [from, to] = [-1, 2].map((more) => new Date(noon + more * 86_400_000).toISOString());
    await dashboard.go(page, `/messages?since=${from}&until=${to}&tz=${encodeURIComponent(zone)}`);
    const hours = (await steps(page)).filter(([start]) => start.startsWith(day));
    expect(hours).toHaveLength(halfHours / 2);
    expect(hours.filter(([, many]) => many !== 2)).toEqual([]);
    const isRepeated = new Set(hours.map(([start]) => start)).size < hours.length;
    expect(isRepeated).toBe(halfHours === 50);
  });
});
