import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserPath } from "./browser.ts";
import { axeFaults, Dashboard } from "./dashboard.ts";

const pages = [
  "/",
  "/messages",
  "/messages?panel=filters",
  "/messages?panel=columns",
  "/usage",
  "/security",
  "/keys",
  "/limits",
  "/policies",
  "/providers",
  "/orgs",
  "/billing",
  "/audit",
  "/exports",
  "/settings",
  "/try",
];

describe.skipIf(browserPath === undefined)("the dashboard's pages", () => {
  let dashboard: Dashboard;
  let requestId: string;
  beforeAll(async () => {
    dashboard = await Dashboard.open();
    const { api } = dashboard;
    const orgId = await api.firstOrganization();
    const name = "the page's";
    const limit = { orgId, name, limitType: "requests", threshold: "10", timeWindow: "1 day" };
    await api.data(201, "POST", "usage-limits", limit);
    await api.data(201, "POST", "policies", { orgId, name });
    await api.data(202, "POST", "exports", { format: "csv" });
    requestId = await dashboard.chat();
    await dashboard.chat("nobody's");
  });
  afterAll(() => dashboard.close());

  test.each(["light", "dark"] as const)(
    "every page is accessible: %s",
    async (colorScheme) => {
      const page = await dashboard.signedIn({ colorScheme });
      for (const path of [...pages, `/messages/${requestId}`]) {
        await dashboard.go(page, path);
        expect([path, ...(await axeFaults(page))]).toEqual([path]);
      }
      await dashboard.go(page, "/keys");
      await page.click("text=New key");
      expect(await axeFaults(page)).toEqual([]);
    },
    180_000,
  );

  test("no page is wider than a phone", async () => {
    const page = await dashboard.signedIn();
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of [...pages, `/messages/${requestId}`]) {
      await dashboard.go(page, path);
      const width = await page.evaluate("document.documentElement.scrollWidth");
      expect([path, width]).toEqual([path, 390]);
    }
  }, 90_000);

  test("a member sees its own messages, and no page of the organization", async () => {
    const page = await dashboard.signedIn({ key: dashboard.memberKey });
    const links = await page.locator("nav a").allTextContents();
    expect(links).toEqual([
      "Overview",
      "Messages",
      "Usage",
      "Security",
      "Try",
      "Billing",
      "Settings",
    ]);
    await dashboard.go(page, "/keys");
    await page.waitForSelector("text=forbidden");
  });
});
