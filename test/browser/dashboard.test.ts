import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startProcess, printedKey, type GatewayProcess } from "../support/gateway-process.ts";
import { KeysApi } from "../support/keys-api.ts";
import { browserPath, launchBrowser } from "./browser.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const pages = [
  "/",
  "/messages",
  "/usage",
  "/security",
  "/keys",
  "/limits",
  "/policies",
  "/providers",
  "/orgs",
  "/billing",
  "/audit",
  "/settings",
];

const hostile = '<img src=x onerror="document.title=1">';

describe.skipIf(browserPath === undefined)("the dashboard in a browser", () => {
  let gateway: GatewayProcess;
  let browser: Browser;
  let api: KeysApi;
  let operatorKey: string;
  let orgId: string;
  let requestId: string;
  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startProcess(), launchBrowser()]);
    operatorKey = /operator key +(sk-gw-[0-9a-f]+)/.exec(gateway.output())?.[1] ?? "";
    api = new KeysApi({ keysUrl: gateway.keysUrl, operatorKey });
    orgId = await api.firstOrganization();
    const name = "the page's";
    const limit = { orgId, name, limitType: "requests", threshold: "10", timeWindow: "1 day" };
    await api.data(201, "POST", "usage-limits", limit);
    await api.data(201, "POST", "policies", { orgId, name });
    requestId = await send("demo/echo");
    await send(hostile);
  });
  afterAll(async () => {
    await browser.close();
    gateway.child.kill("SIGKILL");
  });

  async function send(model: string): Promise<string> {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${printedKey(gateway.output())}` },
      body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] }),
    });
    return response.headers.get("x-svc-request-id") ?? "";
  }

  /** A page that is signed in; the test fails if it breaks its own rules. */
  async function signedIn(
    key = operatorKey,
    colorScheme: "light" | "dark" = "light",
  ): Promise<Page> {
    const context = await browser.newContext({ colorScheme });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (/Content Security Policy|Trusted/i.test(message.text())) faults.push(message.text());
    });
    onTestFinished(async () => {
      await context.close();
      expect(faults).toEqual([]);
    });
    await page.goto(gateway.keysUrl);
    await page.fill("#key", key);
    await page.click("button[type=submit]");
    await page.waitForSelector("main .head");
    return page;
  }

  async function open(page: Page, path: string): Promise<void> {
    await page.goto(gateway.keysUrl + path);
    await page.waitForSelector("main h1");
    await page.waitForLoadState("networkidle");
  }

  /** What axe finds; read in an isolated world, where the page's policy does not apply. */
  async function axeFaults(page: Page): Promise<readonly string[]> {
    await page.evaluate(axe);
    const found: unknown = await page.evaluate(
      "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))",
    );
    return found as readonly string[];
  }

  // Ten sign-ins a minute are allowed: a theme signs in once.
  test.each(["light", "dark"] as const)(
    "every page is accessible: %s",
    async (colorScheme) => {
      const page = await signedIn(operatorKey, colorScheme);
      for (const path of [...pages, `/messages/${requestId}`]) {
        await open(page, path);
        expect([path, ...(await axeFaults(page))]).toEqual([path]);
      }
      await open(page, "/keys");
      await page.click("text=New key");
      expect(await axeFaults(page)).toEqual([]);
    },
    120_000,
  );

  test("a key is made, its secret is shown once, and a revoked one throws its session out", async () => {
    const page = await signedIn();
    await open(page, "/keys");
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

    const admin = await signedIn(secret);
    const listed = await api.call("GET", "api-keys");
    const rows = listed.body?.["data"] as { id: string; name: string }[];
    await api.call("DELETE", `api-keys/${rows.find(({ name }) => name === hostile)?.id}`);
    await admin.click("text=Messages");
    await admin.waitForSelector("#key");
  });

  test("a message is found by its id, explained, and its proof is checked here", async () => {
    const page = await signedIn();
    await page.keyboard.press("/");
    await page.waitForSelector("#search:focus");
    await page.keyboard.type(requestId);
    await page.keyboard.press("Enter");
    await page.waitForSelector("text=Receipt");
    expect(page.url()).toBe(`${gateway.keysUrl}/messages/${requestId}`);
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

  test("the state of a page is in its address", async () => {
    const page = await signedIn();
    await open(page, "/messages");
    await page.selectOption("select[aria-label=status]", "failed");
    await page.waitForURL(/status=failed/);
    await expect.poll(() => page.textContent("tbody")).toContain(hostile);
    await page.reload();
    await expect.poll(() => page.textContent("tbody")).toContain(hostile);
    await page.goBack();
    await expect.poll(() => page.textContent("tbody")).toContain("completed");
  });

  test("a member sees its own messages, and no page of the organization", async () => {
    const page = await signedIn(printedKey(gateway.output()));
    const links = await page.locator("nav a").allTextContents();
    expect(links).toEqual(["Overview", "Messages", "Usage", "Security", "Settings"]);
    await open(page, "/keys");
    await page.waitForSelector("text=forbidden");
  });

  test("signing out ends the session on the server", async () => {
    const page = await signedIn();
    const token = await page.evaluate("localStorage.getItem('weir.session')");
    const [cookie] = await page.context().cookies();
    await page.click("text=Sign out");
    await page.waitForSelector("#key");
    const { status } = await fetch(`${gateway.keysUrl}/api/v1/gateway/sessions/current`, {
      headers: { cookie: `${cookie?.name}=${cookie?.value}`, "x-svc-session": String(token) },
    });
    expect(status).toBe(401);
  });
});
