import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserPath } from "./browser.ts";
import { Dashboard, rowsOf } from "./dashboard.ts";

/** Micro-dollars of an amount as a page shows it. */
function micro(text: string): number {
  const [, sign, whole = "", places = ""] = /(-?)\$([\d\u202f]+)\.(\d+)/.exec(text) ?? [];
  const amount = Number(whole.replaceAll("\u202f", "") + places.padEnd(6, "0"));
  return sign === "-" ? -amount : amount;
}

const sum = (amounts: readonly string[]): number =>
  amounts.map(micro).reduce((total, amount) => total + amount, 0);

describe.skipIf(browserPath === undefined)("money in the dashboard", () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.open();
    for (const content of ["a", "some more words than before", "c ".repeat(300)]) {
      await dashboard.chat("demo/echo", content);
    }
    await dashboard.chat("nobody's");
    await dashboard.chat("demo/fault-500");
  });
  afterAll(() => dashboard.close());

  test("usage, billing, the ledger and each message agree to the micro-dollar", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/usage");
    const used = sum(
      await page.locator('[aria-label="Usage"] tbody td:nth-child(6)').allTextContents(),
    );
    expect(used).toBeGreaterThan(0);

    await dashboard.go(page, "/messages");
    await expect.poll(() => rowsOf(page, "Messages")).toHaveLength(5);
    const costs = page.locator('[aria-label="Messages"] tbody td:nth-child(9)');
    expect(sum(await costs.allTextContents())).toBe(used);

    await dashboard.go(page, "/billing");
    await page.waitForSelector("text=None: every debit is the cost of a record.");
    const compared = page.locator("section:has(> .legend > h2:text('Debits and records')) dd");
    const [debits = "", ofRequests = "", ofScans = ""] = await compared.allTextContents();
    expect([debits, ofRequests, ofScans].map(micro)).toEqual([used, used, 0]);
    const [month = ""] = await page
      .locator('[aria-label="Months"] tbody td:nth-child(2)')
      .allTextContents();
    expect(micro(month)).toBe(used);
    const ledger = page.locator('[aria-label="Ledger"] tbody tr:has-text("debit") td:nth-child(4)');
    expect(sum(await ledger.allTextContents())).toBe(-used);
    const [balance = ""] = await page.locator(".tiles dd").allTextContents();
    expect(micro(balance)).toBe(10_000_000 - used);
  });

  test("what is owed makes a difference, and has a name", async () => {
    const page = await dashboard.signedIn();
    // What the books look like if a balance did not cover a request's end.
    await page.route("**/ledger/months", async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: { debitsUsd: string }[] };
      const [first] = data;
      if (first !== undefined) first.debitsUsd = "0.000001";
      await route.fulfill({ json: { data } });
    });
    await page.route("**/v1/audit/events?*insufficient_balance*", (route) =>
      route.fulfill({
        json: {
          data: [
            {
              ...{ index: 1, event_type: "payg.debit.insufficient_balance", message: "" },
              ...{ org_id: "o", request_id: "req_owed", created_at: "2026-01-01T00:00:00.000Z" },
              data: { costUsd: "0.000007" },
            },
          ],
          nextCursor: null,
        },
      }),
    );
    await dashboard.go(page, "/billing");
    await expect
      .poll(() => rowsOf(page, "Requests that make the difference"))
      .toEqual(["req_owedserved, but not covered by the balance: owed$0.000007"]);
    await dashboard.go(page, "/");
    await page.waitForSelector("text=Debits skipped, owed");
  });

  test("a low balance and a full limit need attention; nothing does otherwise", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/");
    await page.waitForSelector("text=Nothing needs attention.");
    const { api } = dashboard;
    const { id } = await api.data(201, "POST", "orgs", { name: "poor", plan: "paid" });
    const orgId = await api.firstOrganization();
    const limit = {
      orgId,
      name: "few",
      limitType: "requests",
      threshold: "2",
      timeWindow: "1 day",
    };
    await api.data(201, "POST", "usage-limits", limit);
    for (let i = 0; i < 2; i += 1) await dashboard.chat();
    await dashboard.go(page, "/");
    await page.waitForSelector("text=A limit is reached");
    await page.click("text=poor: $0.00");
    await page.waitForURL(`**/billing?org=${id}`);
  });

  test("a member reads the balance that it spends", async () => {
    const page = await dashboard.signedIn({ key: dashboard.memberKey });
    await dashboard.go(page, "/billing");
    await expect
      .poll(() => page.textContent(".tiles"))
      .toMatch(/^Balance\$9\.99\d+Available\$9\.99\d+$/);
  });
});
