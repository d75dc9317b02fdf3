import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserPath } from "./browser.ts";
import { Dashboard, rowsOf } from "./dashboard.ts";

const hostile = '<img src=x onerror="document.title=1">';

describe.skipIf(browserPath === undefined)("the dashboard's security", () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.open();
    await dashboard.chat(hostile);
  });
  afterAll(() => dashboard.close());

  test("a key is made, its secret is shown once, and a revoked one throws its session out", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/keys");
    await page.click("text=New key");
    await page.fill("dialog input[name=name]", hostile);
    await page.selectOption("dialog select[name=role]", "admin");
    await page.click("dialog button[type=submit]");
    const secret = (await page.textContent("dialog .secret")) ?? "";
    expect(secret).toMatch(/^sk-gw-[0-9a-f]{48}$/);
    await page.click("text=I have it");
    // The name is a text, whatever stands in it.
    await expect.poll(() => page.textContent("tbody tr:last-child td")).toBe(hostile);
    expect(await page.title()).toBe("Keys · Weir");
    await page.reload();
    await page.waitForSelector("tbody");
    expect(await page.content()).not.toContain(secret);

    const admin = await dashboard.signIn({ key: secret });
    const listed = await dashboard.api.call("GET", "api-keys");
    const rows = listed.body?.["data"] as { id: string; name: string }[];
    await dashboard.api.call("DELETE", `api-keys/${rows.find(({ name }) => name === hostile)?.id}`);
    await admin.click("text=Messages");
    await admin.waitForSelector("#key");
  });

  test("a model's name is a text in lists, in filters and in the histogram", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/messages?panel=filters");
    await page.click(`fieldset:has-text('Model') button:has-text('${hostile}')`);
    await expect.poll(async () => (await rowsOf(page, "Messages")).join()).toContain(hostile);
    await dashboard.go(page, "/usage");
    await expect.poll(() => page.textContent("main")).toContain(hostile);
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.title()).toBe("Usage · Weir");
  });

  test("a page of another origin can't sign in, nor use a session", async () => {
    const { keysUrl } = dashboard.gateway;
    const post = (origin: string) =>
      fetch(`${keysUrl}/api/v1/gateway/sessions`, {
        method: "POST",
        headers: { origin },
        body: JSON.stringify({ key: dashboard.operatorKey }),
      });
    expect((await post("http://127.0.0.1:1")).status).toBe(403);
    const page = await dashboard.signedIn();
    const [cookie] = await page.context().cookies();
    const token = await page.evaluate("localStorage.getItem('weir.session')");
    const write = async (origin: string): Promise<number> => {
      const response = await fetch(`${keysUrl}/api/v1/gateway/exports`, {
        method: "POST",
        headers: {
          origin,
          cookie: `${cookie?.name}=${cookie?.value}`,
          "x-svc-session": String(token),
        },
        body: JSON.stringify({ format: "csv" }),
      });
      return response.status;
    };
    expect(await write("http://127.0.0.1:1")).toBe(401);
    expect(await write(keysUrl)).toBe(202);
  });

  test("signing out ends the session on the server", async () => {
    const page = await dashboard.signIn();
    const token = await page.evaluate("localStorage.getItem('weir.session')");
    const [cookie] = await page.context().cookies();
    await page.click("text=Sign out");
    await page.waitForSelector("#key");
    const { status } = await fetch(`${dashboard.gateway.keysUrl}/api/v1/gateway/sessions/current`, {
      headers: { cookie: `${cookie?.name}=${cookie?.value}`, "x-svc-session": String(token) },
    });
    expect(status).toBe(401);
  });
});
