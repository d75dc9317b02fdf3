import { describe, expect, test } from "vitest";
import { UpstreamGuard } from "../../src/proxy/upstream-guard.ts";

const guard = new UpstreamGuard({ allowedInternalHosts: [], upstreamPorts: null });

function verdict(url: string, of: UpstreamGuard = guard): string {
  const checked = of.check(url);
  return checked.ok ? checked.value.origin + checked.value.basePath : checked.refusal.code;
}

describe("spellings that are blocked", () => {
  test.each([
    "http://127.0.0.1",
    "http://127.1",
    "http://0x7f.0.0.1",
    "http://0177.0.0.1",
    "http://2130706433",
    "http://0x7f000001",
    "http://127.0.0.1.",
    "http://%31%32%37.0.0.1",
    "http://127。0。0。1",
    "http://1２7.0.0.1",
    "http://0.0.0.0",
    "http://0",
    "http://10.1.2.3",
    "http://100.64.0.1",
    "http://169.254.169.254/latest/meta-data",
    "http://172.31.255.255",
    "http://192.0.0.8",
    "http://192.88.99.1",
    "http://192.168.1.1:8080",
    "http://198.19.0.1",
    "http://203.0.113.9",
    "http://224.0.0.1",
    "http://255.255.255.255",
    "http://[::]",
    "http://[::1]",
    "http://[0:0:0:0:0:0:0:1]",
    "http://[::ffff:127.0.0.1]",
    "http://[::ffff:8.8.8.8]",
    "http://[::127.0.0.1]",
    "http://[64:ff9b::7f00:1]",
    "http://[64:ff9b:1::1]",
    "http://[2002:7f00:1::]",
    "http://[2001:0:1::]",
    "http://[100::1]",
    "http://[fc00::1]",
    "http://[fe80::1]",
    "http://[fec0::1]",
    "http://[ff02::1]",
    "http://localhost",
    "http://LOCALHOST.",
    "http://a.localhost",
    "http://metadata.google.internal",
    "http://host.docker.internal",
    "http://printer.local",
  ])("%s", (url) => {
    expect(verdict(url)).toBe("ssrf_blocked");
  });
});

describe("what is no base address", () => {
  test.each([
    "",
    "   ",
    "api.openai.com",
    "//api.openai.com",
    "ftp://api.openai.com",
    "file:///etc/passwd",
    "https://user:pass@api.openai.com",
    "https://user@api.openai.com",
    "https://api.openai.com?x=1",
    "https://api.openai.com#x",
    "https://",
    "http://[fe80::1%25eth0]",
  ])("%j", (url) => {
    expect(verdict(url)).toBe("invalid_upstream");
  });
});

describe("what may be called", () => {
  test.each([
    ["https://api.openai.com", "https://api.openai.com"],
    ["https://API.OpenAI.com:443/", "https://api.openai.com"],
    ["https://openrouter.ai/api/", "https://openrouter.ai/api"],
    ["http://8.8.8.8:8000", "http://8.8.8.8:8000"],
    ["http://[2606:4700::1111]", "http://[2606:4700::1111]"],
  ])("%s", (url, called) => {
    expect(verdict(url)).toBe(called);
  });

  test("allowed internal hosts, by host or by host and port", () => {
    const lenient = new UpstreamGuard({
      allowedInternalHosts: ["ollama.internal", "127.0.0.1:11434"],
      upstreamPorts: [443],
    });
    expect(verdict("http://ollama.internal:9000", lenient)).toBe("http://ollama.internal:9000");
    expect(verdict("http://127.0.0.1:11434", lenient)).toBe("http://127.0.0.1:11434");
    expect(verdict("http://127.0.0.1:11435", lenient)).toBe("ssrf_blocked");
    expect(verdict("https://api.openai.com", lenient)).toBe("https://api.openai.com");
    expect(verdict("https://api.openai.com:8443", lenient)).toBe("ssrf_blocked");
  });
});

test("a name that leads to a blocked address is refused by the pinned lookup", async () => {
  const code = await new Promise((resolve) => {
    // /etc/hosts or the resolver gives a loopback address for it.
    guard.lookupFor("http://localhost")("localhost", { all: true }, (error) => {
      resolve(error?.code);
    });
  });
  expect(code).toBe("ERR_UPSTREAM_ADDRESS_BLOCKED");
});
