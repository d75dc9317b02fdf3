import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dashboardPages } from "../../src/endpoints/dashboard/routes.ts";
import { startProcess, type GatewayProcess } from "../support/gateway-process.ts";

let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startProcess();
});
afterAll(() => gateway.child.kill("SIGKILL"));

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

async function document(): Promise<string> {
  return (await fetch(`${gateway.keysUrl}/`)).text();
}

describe("the dashboard's files", () => {
  test.each(dashboardPages)("%s is answered with the document", async (page) => {
    const response = await fetch(gateway.keysUrl + page.replace(":id", "req_1"));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("content-security-policy")).toBe(policy);
    expect(await response.text()).toBe(await document());
  });

  test("what the document names has a hash in its name, and may be kept for ever", async () => {
    const names = [...(await document()).matchAll(/"(\/assets\/[^"]+)"/g)].map(
      ([, name = ""]) => name,
    );
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) {
      const packed = { "accept-encoding": "gzip, br" };
      const response = await fetch(gateway.keysUrl + name, { headers: packed });
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(response.headers.get("content-security-policy")).toBe(policy);
      expect(response.headers.get("content-encoding")).toBe("br");
      const plain = await fetch(gateway.keysUrl + name, { headers: { "accept-encoding": "gzip" } });
      expect(plain.headers.get("content-encoding")).toBeNull();
      expect(await plain.text()).toBe(await response.text());
    }
  });

  test("nothing in the document runs or is styled in line", async () => {
    const text = await document();
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(text).not.toMatch(/<style|\bstyle=|\bon\w+=/);
  });

  test.each([
    "/nowhere",
    "/assets/none.js",
    "/../package.json",
    "/assets/..%2findex.html",
    "/index.html",
  ])("there is no %s", async (path) => {
    expect((await fetch(gateway.keysUrl + path)).status).toBe(404);
  });

  test("the gateway's own port has none of it", async () => {
    for (const path of ["/", "/sign-in", "/messages", "/favicon.svg"]) {
      expect((await fetch(gateway.url + path)).status).toBe(404);
    }
  });

  test("a start says where it is", () => {
    expect(gateway.output()).toContain(`sign in with one of them: ${gateway.keysUrl}`);
  });
});
