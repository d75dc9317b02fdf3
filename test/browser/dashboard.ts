import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import type { GatewayOptions } from "../support/gateway.ts";
import { printedKey, startProcess, type GatewayProcess } from "../support/gateway-process.ts";
import { KeysApi } from "../support/keys-api.ts";
import { launchBrowser } from "./browser.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export interface Visit {
  readonly key?: string;
  readonly colorScheme?: "light" | "dark";
  /** The browser's own time zone. */
  readonly timezoneId?: string;
}

type State = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** A gateway of its own with a browser before it. */
export class Dashboard {
  readonly gateway: GatewayProcess;
  readonly #browser: Browser;
  readonly operatorKey: string;
  /** Of the organization `demo`. */
  readonly memberKey: string;
  readonly api: KeysApi;
  /** Of each key; ten sign-ins a minute are allowed. */
  readonly #states = new Map<string, State>();

  private constructor(gateway: GatewayProcess, browser: Browser) {
    this.gateway = gateway;
    this.#browser = browser;
    this.operatorKey = /operator key +(sk-gw-[0-9a-f]+)/.exec(gateway.output())?.[1] ?? "";
    this.memberKey = printedKey(gateway.output());
    this.api = new KeysApi({ keysUrl: gateway.keysUrl, operatorKey: this.operatorKey });
  }

  /** `folder`: of a gateway that has recorded something already. */
  static async open(options: GatewayOptions = {}, folder?: string): Promise<Dashboard> {
    const [gateway, browser] = await Promise.all([startProcess(options, folder), launchBrowser()]);
    return new Dashboard(gateway, browser);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    this.gateway.child.kill("SIGKILL");
  }

  /** Sends a chat with the key of `demo`, and gives its request id. */
  async chat(model = "demo/echo", content = "Hello", headers = {}): Promise<string> {
    const response = await fetch(`${this.gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.memberKey}`, ...headers },
      body: JSON.stringify({ model, messages: [{ role: "user", content }] }),
    });
    await response.text();
    return response.headers.get("x-svc-request-id") ?? "";
  }

  /** A page of somebody who is not signed in; the test fails if the page breaks its own rules. */
  async visitor(visit: Visit = {}, storageState?: State): Promise<Page> {
    const { colorScheme = "light", timezoneId = "UTC" } = visit;
    const context = await this.#browser.newContext({
      colorScheme,
      timezoneId,
      ...(storageState === undefined ? {} : { storageState }),
    });
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
    return page;
  }

  /** Signs in at the form, in a session of its own. */
  async signIn(visit: Visit = {}): Promise<Page> {
    const page = await this.visitor(visit);
    await page.goto(this.gateway.keysUrl);
    await page.fill("#key", visit.key ?? this.operatorKey);
    await page.click("button[type=submit]");
    await page.waitForSelector("main .head");
    // A page that still asks would notice by itself what the test does next.
    await page.waitForLoadState("networkidle");
    return page;
  }

  /** A page that is signed in, in the session that earlier pages of the key have used. */
  async signedIn(visit: Visit = {}): Promise<Page> {
    const key = visit.key ?? this.operatorKey;
    const kept = this.#states.get(key);
    if (kept !== undefined) {
      const page = await this.visitor(visit, kept);
      await this.go(page, "/");
      return page;
    }
    const page = await this.signIn(visit);
    this.#states.set(key, await page.context().storageState());
    return page;
  }

  /** Opens a page and waits until all that it asks for is there. */
  async go(page: Page, path: string): Promise<void> {
    await page.goto(this.gateway.keysUrl + path);
    await page.waitForSelector("main h1");
    await page.waitForLoadState("networkidle");
  }
}

/** The texts of a table's rows. */
export function rowsOf(page: Page, label: string): Promise<readonly string[]> {
  return page.locator(`[aria-label="${label}"] tbody tr`).allTextContents();
}

/** What axe finds; read in an isolated world, where the page's policy does not apply. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const found: unknown = await page.evaluate(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))",
  );
  return found as readonly string[];
}
