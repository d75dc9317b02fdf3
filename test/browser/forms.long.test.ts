import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Row } from "../support/keys-api.ts";
import { browserPath } from "./browser.ts";
import { Dashboard, rowsOf } from "./dashboard.ts";

describe.skipIf(browserPath === undefined)("the dashboard's forms", () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.open({ env: { SOME_KEY: "provider-secret" } });
  });
  afterAll(() => dashboard.close());

  async function listed(path: string, name: string): Promise<Row | undefined> {
    const { body } = await dashboard.api.call("GET", `${path}?limit=100`);
    return (body?.["data"] as Row[]).find((row) => row["name"] === name);
  }

  /** Sends the dialog's form, and waits until it is gone. */
  async function submit(page: Page, button: string): Promise<void> {
    await page.click(`dialog button:text-is("${button}")`);
    await page.waitForSelector("dialog", { state: "detached" });
  }

  test("a key is changed, rotated and revoked", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/keys");
    await page.click("text=New key");
    await page.fill("dialog [name=name]", "search");
    await page.fill("dialog [name=rateLimit]", "60");
    await page.fill("dialog [name=allowedModels]", "demo/echo\ndemo/echo-tools");
    await page.click('dialog button:text-is("Make the key")');
    const first = (await page.textContent("dialog .secret")) ?? "";
    await page.click("text=I have it");
    expect(await listed("api-keys", "search")).toMatchObject({
      role: "member",
      rateLimit: 60,
      allowedModels: ["demo/echo", "demo/echo-tools"],
    });

    await page.click('button[aria-label="Change search"]');
    await page.fill("dialog [name=rateLimit]", "");
    await page.fill("dialog [name=name]", "finder");
    await submit(page, "Save");
    expect(await listed("api-keys", "finder")).toMatchObject({ rateLimit: null });

    await page.click('button[aria-label="Rotate finder"]');
    await page.click('dialog button:text-is("Rotate")');
    const second = (await page.textContent("dialog .secret")) ?? "";
    expect(second).toMatch(/^sk-gw-/);
    expect(second).not.toBe(first);
    await page.click("text=I have it");

    await page.click('button[aria-label="Revoke finder"]');
    await submit(page, "Revoke for good");
    await expect
      .poll(async () => (await rowsOf(page, "Keys")).find((row) => row.startsWith("finder")))
      .toContain("revoked");
  });

  test("a refusal is shown in the form, which stays open", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/keys");
    await page.click("text=New key");
    await page.fill("dialog [name=name]", "bad");
    await page.fill("dialog [name=rateLimit]", "many");
    await page.click('dialog button:text-is("Make the key")');
    await page.waitForSelector("dialog [role=alert]:has-text('whole number')");
    await page.fill("dialog [name=rateLimit]", "0");
    await page.click('dialog button:text-is("Make the key")');
    await page.waitForSelector("dialog [role=alert]:has-text('rateLimit')");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
  });

  test("a limit is made, changed and removed, and its use is a bar", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/limits");
    await page.click("text=New limit");
    await page.fill("dialog [name=name]", "requests a day");
    await page.selectOption("dialog [name=limitType]", "requests");
    await page.fill("dialog [name=threshold]", "4");
    await submit(page, "Make the limit");
    await dashboard.chat();
    await dashboard.go(page, "/limits");
    await expect.poll(() => page.getAttribute("meter", "aria-label")).toBe("25 % used");

    await page.click('button[aria-label="Change requests a day"]');
    await page.fill("dialog [name=threshold]", "100");
    await page.selectOption("dialog [name=enabled]", "false");
    await submit(page, "Save");
    expect(await listed("usage-limits", "requests a day")).toMatchObject({
      threshold: "100",
      enabled: false,
    });
    await page.click('button[aria-label="Remove requests a day"]');
    await submit(page, "Remove");
    await page.waitForSelector("text=There is no limit.");
  });

  test("a policy is made, tried, changed and removed", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/policies");
    await page.click("text=New policy");
    await page.fill("dialog [name=name]", "strict");
    await page.selectOption("dialog [name=pii]", "redact both");
    await page.fill(
      "dialog [name=customPatterns]",
      '[{"name": "ticket", "regex": "T-\\\\d+", "direction": "input", "action": "block"}]',
    );
    await submit(page, "Make the policy");
    expect(await listed("policies", "strict")).toMatchObject({
      entities: [{ category: "pii", action: "redact", direction: "both" }],
      customPatterns: [{ name: "ticket", regex: "T-\\d+" }],
    });

    await page.selectOption("#tested", { label: "strict" });
    await page.fill("#tested-key", dashboard.memberKey);
    await page.fill("#tested-text", "Mail ada@example.org");
    await page.click('button:text-is("Scan")');
    await page.waitForSelector("text=It passes, redacted.");
    expect((await rowsOf(page, "Findings")).join()).toContain("EMAIL (pii)");
    expect(await page.textContent(".tester")).toContain("Mail <EMAIL>");
    await page.fill("#tested-text", "Look at T-42");
    await page.click('button:text-is("Scan")');
    await page.waitForSelector("text=It is blocked.");

    await page.click('button[aria-label="Change strict"]');
    await page.selectOption("dialog [name=dryRun]", "true");
    await submit(page, "Save");
    expect(await listed("policies", "strict")).toMatchObject({ dryRun: true });
    await page.click('button[aria-label="Remove strict"]');
    await submit(page, "Remove");
    expect(await listed("policies", "strict")).toBeUndefined();
  });

  test("a provider's account is made, changed and removed; its secret is in no page", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/providers");
    await page.click("text=New account");
    await page.fill("dialog [name=name]", "openai-eu");
    await page.fill("dialog [name=baseUrl]", "https://eu.api.openai.com");
    await page.fill("dialog [name=env]", "SOME_KEY");
    await page.fill("dialog [name=models]", "gpt-5.1\ngpt-5-mini small");
    await submit(page, "Make the account");
    expect(await listed("providers", "openai-eu")).toMatchObject({
      credential: "set",
      models: [
        { id: "gpt-5.1", alias: null },
        { id: "gpt-5-mini", alias: "small" },
      ],
    });
    expect(await page.content()).not.toContain("provider-secret");
    await page.click('button[aria-label="Change openai-eu"]');
    await page.fill("dialog [name=models]", "gpt-5.1");
    await submit(page, "Save");
    expect(await listed("providers", "openai-eu")).toMatchObject({ models: [{ id: "gpt-5.1" }] });
    await page.click('button[aria-label="Remove openai-eu"]');
    await submit(page, "Remove");
    expect(await listed("providers", "openai-eu")).toBeUndefined();
  });

  test("an organization is made and changed, topped up and corrected", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/orgs");
    await page.click("text=New organization");
    await page.fill("dialog [name=name]", "acme");
    await submit(page, "Make the organization");
    const made = await listed("orgs", "acme");
    expect(made).toMatchObject({ name: "acme" });
    await page.click('button[aria-label="Change acme"]');
    await page.fill("dialog [name=rateLimit]", "6000");
    await submit(page, "Save");
    expect(await listed("orgs", "acme")).toMatchObject({ rateLimit: 6000 });

    await dashboard.go(page, `/billing?org=${made?.id}`);
    await page.click('button:text-is("Top up")');
    await page.fill("dialog [name=amountUsd]", "25.00");
    await submit(page, "Top up");
    await expect.poll(() => page.textContent(".tiles")).toContain("Balance$25.00");
    await page.click('button:text-is("Correct")');
    await page.fill("dialog [name=amountUsd]", "-5.000001");
    await submit(page, "Correct");
    await expect.poll(() => page.textContent(".tiles")).toContain("Balance$19.999999");
    await expect.poll(() => rowsOf(page, "Ledger")).toHaveLength(2);
  });

  test("a chat and a scan are tried with a key, and lead to their records", async () => {
    const page = await dashboard.signedIn();
    await dashboard.go(page, "/try");
    await page.fill("#key", dashboard.memberKey);
    await page.fill("#text", "Hello again");
    await page.click('button:text-is("Send")');
    await expect.poll(() => page.textContent("pre.body")).toBe("Hello again");
    await page.click("text=A scan");
    await page.fill("#text", "Mail ada@example.org");
    await page.click('button:text-is("Send")');
    await expect.poll(async () => (await rowsOf(page, "Findings")).join()).toContain("EMAIL");
    await page.click("text=Look at its record");
    await page.waitForSelector("text=Scan for prompt injection");
    // The key stands nowhere.
    expect(await page.evaluate("JSON.stringify(localStorage) + location.href")).not.toContain(
      dashboard.memberKey,
    );
  });

  test("content is masked until a reason is given, which the audit log has", async () => {
    const id = await dashboard.chat("demo/echo", 'Mail ada@example.org <img src=x onerror="a()">');
    const page = await dashboard.signedIn();
    await dashboard.go(page, `/messages/${id}`);
    await page.waitForSelector("text=What the detectors have found is masked.");
    const masked = (await page.locator("pre.body").allTextContents()).join();
    expect(masked).toContain("<EMAIL>");
    expect(masked).not.toContain("ada@example.org");
    await page.fill("#reason", "a customer asked");
    await page.click('button:text-is("Unmask")');
    await expect
      .poll(async () => (await page.locator("pre.body").allTextContents()).join())
      .toContain("ada@example.org");
    expect(await page.locator("main img").count()).toBe(0);
    await dashboard.go(page, "/audit?event_type=content.read");
    await expect.poll(() => rowsOf(page, "Events")).toHaveLength(1);
  });
});
