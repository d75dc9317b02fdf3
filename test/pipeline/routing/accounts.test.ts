import { describe, expect, test } from "vitest";
import type { ProviderAccount } from "../../../src/contract/account.ts";
import { circuitCallsMin } from "../../../src/contract/limits.ts";
import type { Wire } from "../../../src/contract/wire.ts";
import { Accounts } from "../../../src/pipeline/routing/accounts.ts";
import type { CircuitBreaker } from "../../../src/pipeline/routing/circuit-breaker.ts";

function account(name: string, more: Partial<ProviderAccount> = {}): ProviderAccount {
  return {
    name,
    provider: name,
    type: "openai",
    origin: `https://${name}.example.com`,
    basePath: "",
    wires: ["chat"],
    credential: "secret",
    credentialVariable: null,
    models: [{ id: "gpt-5.1", alias: null }],
    timeoutsMs: { connect: 1, headers: 1, idle: 1 },
    responseBytesMax: 1,
    ...more,
  };
}

function names(
  accounts: Accounts,
  model: string,
  provider: string | null = null,
  wire: Wire = "chat",
): string[] | string {
  const routed = accounts.route(wire, model, provider);
  return routed.ok
    ? routed.value.map((candidate) => candidate.account.name).sort()
    : routed.refusal.code;
}

const groq = account("groq", { models: [{ id: "meta/llama-4", alias: "fast" }] });
const anthropic = account("claude", {
  type: "anthropic",
  wires: ["messages"],
  models: [{ id: "opus", alias: null }],
});

describe("routing", () => {
  const accounts = new Accounts([account("eu"), account("us"), groq, anthropic]);
  test.each([
    ["by account", "eu/gpt-5.1", null, ["eu"]],
    ["by type", "openai/gpt-5.1", null, ["eu", "us"]],
    ["a bare id", "gpt-5.1", null, ["eu", "us"]],
    ["an alias", "fast", null, ["groq"]],
    ["an id with a slash", "meta/llama-4", null, ["groq"]],
    ["an id with a slash, with its provider", "groq/meta/llama-4", null, ["groq"]],
    ["provider named apart", "gpt-5.1", "us", ["us"]],
    ["provider named twice", "us/gpt-5.1", "us", ["us"]],
    ["providers that disagree", "us/gpt-5.1", "eu", "no_route"],
    ["an unknown model", "gpt-9", null, "no_route"],
    ["the other wire's model", "claude/opus", null, "no_route"],
    ["an unknown provider", "gpt-5.1", "nobody", "no_route"],
  ] as const)("%s", (_name, model, provider, expected) => {
    expect(names(accounts, model, provider)).toEqual(expected);
  });

  describe("a name that several accounts could answer to", () => {
    const smart = [{ id: "gpt-5.1", alias: "smart" }];
    const router = account("openrouter", {
      models: [{ id: "openai/gpt-5.1", alias: "smart" }],
    });
    const llama = account("groq", { models: [{ id: "openai/gpt-oss", alias: "smart" }] });
    const azure = account("azure", { models: smart });
    const openai = account("openai", { models: smart });
    const second = account("openai-2", { provider: "openai", models: smart });
    const several = new Accounts([azure, openai, second, router, llama]);
    test.each([
      ["a provider, not what another calls it", "openai/gpt-5.1", null, ["openai", "openai-2"]],
      ["a provider, not its type", "gpt-5.1", "openai", ["openai", "openai-2"]],
      ["a provider's alias", "openai/smart", null, ["openai", "openai-2"]],
      ["an alias of a provider named apart", "smart", "openai", ["openai", "openai-2"]],
      ["an alias alone", "smart", null, ["azure", "groq", "openai", "openai-2", "openrouter"]],
      ["an account", "openai-2/smart", null, ["openai-2"]],
      ["another's own id", "openai/gpt-5.1", "openrouter", ["openrouter"]],
      ["an id that the provider lacks and another has", "openai/gpt-oss", null, ["groq"]],
      ["with its provider", "openrouter/openai/gpt-5.1", null, ["openrouter"]],
      ["a model that the provider lacks", "azure/gpt-oss", null, "no_route"],
    ] as const)("%s", (_name, model, provider, expected) => {
      expect(names(several, model, provider)).toEqual(expected);
    });
  });

  test("accounts that share a model take turns", () => {
    const first = Array.from({ length: 4 }, () => {
      const routed = accounts.route("chat", "gpt-5.1", null);
      return routed.ok ? routed.value[0]?.account.name : null;
    });
    expect(first.filter((name) => name === "eu")).toHaveLength(2);
  });

  test("no_route says what there is", () => {
    const routed = accounts.route("chat", "gpt-5.2", null);
    if (routed.ok) throw new Error("routed");
    expect(routed.refusal.details).toEqual({
      param: "model",
      requested_model: "gpt-5.2",
      suggested_models: ["eu/gpt-5.1", "us/gpt-5.1", "groq/meta/llama-4"],
      available_provider_types: ["openai", "anthropic"],
      available_account_names: ["eu", "us", "groq", "claude"],
    });
    expect(routed.refusal.message).toBe(
      'No provider serves the model "gpt-5.2" on /v1/chat/completions. ' +
        "The nearest names are eu/gpt-5.1, us/gpt-5.1, groq/meta/llama-4; GET /v1/models lists all.",
    );
  });

  test("no_route repeats what was asked for, not all of a long name, and nothing a terminal obeys", () => {
    const routed = accounts.route("chat", `\u001b[2J${"x".repeat(300)}`, "no\nbody");
    if (routed.ok) throw new Error("routed");
    expect(routed.refusal.message).toMatch(
      /^No provider called "no\\nbody" serves the model "\\u001b\[2Jx{96}…" on /,
    );
  });

  test("no_route names the endpoint of the other wire, to who may use the model", () => {
    const text = (mayUse: () => boolean) => {
      const routed = accounts.route("chat", "claude/opus", null, mayUse);
      return routed.ok ? "" : routed.refusal.message;
    };
    expect(text(() => true)).toMatch(/; \/v1\/messages serves it\.$/);
    expect(text(() => false)).toMatch(/no model that this key may use\.$/);
  });
});

test("accounts without what they need", () => {
  const unset = account("unset", { credential: undefined });
  const bedrock = account("aws", { type: "bedrock", models: [{ id: "nova", alias: null }] });
  const accounts = new Accounts([unset, bedrock]);
  expect(names(accounts, "gpt-5.1")).toBe("missing_credentials");
  expect(names(accounts, "nova")).toBe("cloud_sdk_unavailable");
  expect(names(new Accounts([unset, account("set")]), "gpt-5.1")).toEqual(["set"]);
});

function trip(circuit: CircuitBreaker): void {
  for (let i = 0; i < circuitCallsMin; i++) {
    const call = circuit.begin();
    if (call !== null) circuit.end(call, "failed");
  }
}

test("an account whose circuit is open is passed over; all open is circuit_open", () => {
  const accounts = new Accounts([account("eu"), account("us")]);
  const routed = accounts.route("chat", "gpt-5.1", null);
  if (!routed.ok) throw new Error(routed.refusal.code);
  for (const {
    account: { name },
    circuit,
  } of routed.value) {
    if (name !== "eu") continue;
    trip(circuit);
  }
  expect(names(accounts, "gpt-5.1")).toEqual(["us"]);
  for (const { circuit } of routed.value) trip(circuit);
  const refused = accounts.route("chat", "gpt-5.1", null);
  expect(refused).toMatchObject({
    ok: false,
    refusal: { code: "circuit_open", retryAfterSeconds: 10 },
  });
});

test("the list names each catalog id once", () => {
  const twice = [account("a", { provider: "openai" }), account("b", { provider: "openai" })];
  expect(new Accounts(twice).list()).toEqual([{ id: "openai/gpt-5.1", provider: "openai" }]);
});
