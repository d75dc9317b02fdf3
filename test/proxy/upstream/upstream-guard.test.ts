import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { describe, expect, test } from "vitest";
import { checkedUpstreamsMax } from "../../../src/contract/limits.ts";
import { isBlockedAddress } from "../../../src/proxy/upstream/blocked-addresses.ts";
import {
  blockedAddressCode,
  UpstreamGuard,
  type ResolveAll,
} from "../../../src/proxy/upstream/upstream-guard.ts";
import { spellings } from "./upstream-spellings.ts";
import { cpuMsOf } from "../../support/cpu-time.ts";

const guard = new UpstreamGuard({ allowedInternalHosts: [], upstreamPorts: null });

function verdict(url: string, of: UpstreamGuard = guard): string {
  const checked = of.check(url);
  return checked.ok ? checked.value.origin + checked.value.basePath : checked.refusal.code;
}

describe("spellings that lead inside, or might", () => {
  test("there are enough of them, each once", () => {
    expect(new Set(spellings.map(({ url }) => url)).size).toBe(spellings.length);
    expect(spellings.length).toBeGreaterThan(150);
  });

  test.each(spellings)("$verdict: $url", ({ url, verdict: expected }) => {
    expect(verdict(url)).toBe(expected === "blocked" ? "ssrf_blocked" : "invalid_upstream");
  });
});

test("a base path of many slashes is judged at once", () => {
  const slashes = "/".repeat(15_000);
  const judge = (_: unknown, i: number): void => {
    const spelled = `https://example.com${slashes}${i}`;
    expect(verdict(spelled + slashes)).toBe(spelled);
  };
  expect(cpuMsOf(() => Array.from({ length: 20 }, judge))).toBeLessThan(1_500);
});

test("each is judged as it is spelled, however many came before", () => {
  const another = new UpstreamGuard({ allowedInternalHosts: [], upstreamPorts: null });
  const first = spellings.map(({ url }) => verdict(url, another));
  const many = Array.from(
    { length: 2 * checkedUpstreamsMax },
    (_, i) => `https://h${i}.example.com`,
  );
  expect(many.map((url) => verdict(url, another))).toEqual(many);
  expect(spellings.map(({ url }) => verdict(url, another))).toEqual(first);
  expect(verdict(many.at(-1) ?? "", another)).toBe(many.at(-1));
});

describe("what may be called", () => {
  test.each([
    ["https://api.openai.com", "https://api.openai.com"],
    ["  https://api.openai.com ", "https://api.openai.com"],
    ["https://API.OpenAI.com:443/", "https://api.openai.com"],
    ["https://api.openai.com:", "https://api.openai.com"],
    ["https://openrouter.ai/api/", "https://openrouter.ai/api"],
    ["https://openrouter.ai/api/../x", "https://openrouter.ai/x"],
    ["https://openrouter.ai/a/%2e%2e/x", "https://openrouter.ai/x"],
    ["https://b\u00fccher.example", "https://xn--bcher-kva.example"],
    ["http://8.8.8.8:8000", "http://8.8.8.8:8000"],
    ["http://0x08080808", "http://8.8.8.8"],
    ["http://[2606:4700::1111]", "http://[2606:4700::1111]"],
    ["http://localhost.example.com", "http://localhost.example.com"],
    ["http://127.0.0.1.example.com", "http://127.0.0.1.example.com"],
    ["http://9.255.255.255", "http://9.255.255.255"],
    ["http://11.0.0.0", "http://11.0.0.0"],
    ["http://100.63.255.255", "http://100.63.255.255"],
    ["http://100.128.0.0", "http://100.128.0.0"],
    ["http://172.15.255.255", "http://172.15.255.255"],
    ["http://172.32.0.0", "http://172.32.0.0"],
    ["http://223.255.255.255", "http://223.255.255.255"],
  ])("%s", (url, called) => {
    expect(verdict(url)).toBe(called);
  });

  test("allowed internal hosts, by host or by host and port", () => {
    const lenient = new UpstreamGuard({
      allowedInternalHosts: ["ollama.internal", "127.0.0.1:11434", "[::1]:11434"],
      upstreamPorts: [443],
    });
    expect(verdict("http://ollama.internal:9000", lenient)).toBe("http://ollama.internal:9000");
    expect(verdict("http://OLLAMA.internal.", lenient)).toBe("http://ollama.internal.");
    expect(verdict("http://127.0.0.1:11434", lenient)).toBe("http://127.0.0.1:11434");
    expect(verdict("http://0x7f.1:11434", lenient)).toBe("http://127.0.0.1:11434");
    expect(verdict("http://[::1]:11434", lenient)).toBe("http://[::1]:11434");
    expect(verdict("http://127.0.0.1:11435", lenient)).toBe("ssrf_blocked");
    expect(verdict("http://x.ollama.internal:11434", lenient)).toBe("ssrf_blocked");
    expect(verdict("https://api.openai.com", lenient)).toBe("https://api.openai.com");
    expect(verdict("https://api.openai.com:8443", lenient)).toBe("ssrf_blocked");
    expect(verdict("http://api.openai.com", lenient)).toBe("ssrf_blocked");
  });
});

describe("addresses, as a resolver spells them", () => {
  test.each([
    ["8.8.8.8", false],
    ["2606:4700::1111", false],
    ["2001:4860:4860::8888", false],
    ["2606:4700:0:5efe:1:2:3:4", false],
    ["127.0.0.1", true],
    ["::ffff:127.0.0.1", true],
    ["::ffff:8.8.8.8", true],
    ["0:0:0:0:0:0:0:1", true],
    ["2001:DB8::1", true],
    ["fe80::1%eth0", true],
    ["2606:4700::1111%eth0", true],
    ["2606:4700:0:0:0:5efe:10.0.0.1", true],
    ["2130706433", true],
    ["localhost", true],
    ["", true],
  ])("%s is blocked: %s", (address, isBlocked) => {
    expect(isBlockedAddress(address)).toBe(isBlocked);
  });
});

type Looked = { readonly code: string | undefined } | { readonly addresses: readonly string[] };

function look(lookup: LookupFunction, all = true): Promise<Looked> {
  return new Promise((resolve) => {
    lookup("api.example.com", { all }, (error, address) => {
      if (error !== null) resolve({ code: error.code });
      else if (typeof address === "string") resolve({ addresses: [address] });
      else resolve({ addresses: address.map((one) => one.address) });
    });
  });
}

/** A resolver that gives these answers, one after the other. */
function resolver(...answers: (readonly string[] | Error)[]): ResolveAll {
  let asked = 0;
  return (_hostname, _options, callback) => {
    const answer = answers[asked++] ?? [];
    if (answer instanceof Error) callback(answer, []);
    else callback(null, answer.map(entry));
  };
}

function entry(address: string): LookupAddress {
  return { address, family: address.includes(":") ? 6 : 4 };
}

function guarded(resolve: ResolveAll, allowedInternalHosts: string[] = []): LookupFunction {
  const rules = { allowedInternalHosts, upstreamPorts: null };
  return new UpstreamGuard(rules, resolve).lookupFor("https://api.example.com");
}

describe("the pinned lookup", () => {
  const blocked = { code: blockedAddressCode };
  const notFound = Object.assign(new Error("no such name"), { code: "ENOTFOUND" });

  test.each<[string, readonly string[] | Error, Looked]>([
    ["public addresses", ["8.8.8.8", "2606:4700::1"], { addresses: ["8.8.8.8", "2606:4700::1"] }],
    ["a private one", ["10.0.0.1"], blocked],
    ["a private one behind public ones", ["8.8.8.8", "8.8.4.4", "192.168.0.1"], blocked],
    ["a private one before a public one", ["127.0.0.1", "8.8.8.8"], blocked],
    ["a public A with a loopback AAAA", ["8.8.8.8", "::1"], blocked],
    ["an AAAA of a mapped address", ["::ffff:127.0.0.1"], blocked],
    ["an AAAA of a translated address", ["64:ff9b::7f00:1"], blocked],
    ["a link-local with a zone", ["fe80::1%eth0"], blocked],
    ["no address at all", [], { code: "ENOTFOUND" }],
    ["an error", notFound, { code: "ENOTFOUND" }],
    ["an answer that is no address", ["api.example.net"], blocked],
  ])("%s", async (_name, answer, expected) => {
    expect(await look(guarded(resolver(answer)))).toEqual(expected);
  });

  test("one address where the connector asks for one", async () => {
    const lookup = guarded(resolver(["8.8.8.8", "8.8.4.4"], ["8.8.8.8", "10.0.0.1"]));
    expect(await look(lookup, false)).toEqual({ addresses: ["8.8.8.8"] });
    expect(await look(lookup, false)).toEqual(blocked);
  });

  test("a name that changes its address between two connections (rebinding)", async () => {
    const lookup = guarded(resolver(["8.8.8.8"], ["127.0.0.1"], ["8.8.8.8"]));
    expect(await look(lookup)).toEqual({ addresses: ["8.8.8.8"] });
    expect(await look(lookup)).toEqual(blocked);
    expect(await look(lookup)).toEqual({ addresses: ["8.8.8.8"] });
  });

  test("a name that the operator allows may lead inside", async () => {
    const allowed = ["api.example.com:443"];
    expect(await look(guarded(resolver(["10.0.0.1"]), allowed))).toEqual({
      addresses: ["10.0.0.1"],
    });
    expect(await look(guarded(resolver([]), allowed))).toEqual({ code: "ENOTFOUND" });
  });

  test("the system's resolver, with the name that every machine has", async () => {
    const code = await new Promise((resolve) => {
      guard.lookupFor("http://localhost")("localhost", { all: true }, (error) => {
        resolve(error?.code);
      });
    });
    expect(code).toBe(blockedAddressCode);
  });
});
