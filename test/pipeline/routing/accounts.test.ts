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
    models: [{ id: "gpt-5.1", alias: null, priority: 0, weight: 1 }],
    apiPath: "/v1",
    query: "",
    credentialHeader: null,
    orgId: null,
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

const groq = account("groq", {
  models: [{ id: "meta/llama-4", alias: "fast", priority: 0, weight: 1 }],
});
const anthropic = account("claude", {
  type: "anthropic",
  wires: ["messages"],
  models: [{ id: "opus", alias: null, priority: 0, weight: 1 }],
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
    const smart = [{ id: "gpt-5.1", alias: "smart", priority: 0, weight: 1 }];
    const router = account("openrouter", {
      models: [{ id: "openai/gpt-5.1", alias: "smart", priority: 0, weight: 1 }],
    });
    const llama = account("groq", {
      models: [{ id: "openai/gpt-oss", alias: "smart", priority: 0, weight: 1 }],
    });
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

  test("an account of one organization is in the pool of that organization alone", () => {
    const pool = new Accounts([account("eu"), account("own", { orgId: "a" })]);
    const served = (orgId: string | null) => {
      const routed = pool.route("chat", "gpt-5.1", null, { orgId, allowedModels: null });
      return routed.ok ? routed.value.map(({ account: { name } }) => name).sort() : null;
    };
    expect(served("a")).toEqual(["eu", "own"]);
    expect(served("b")).toEqual(["eu"]);
    expect(served(null)).toEqual(["eu"]);
    pool.replace([account("eu")]);
    expect(served("a")).toEqual(["eu"]);
  });

  describe("a pool", () => {
    const member = (name: string, priority: number, weight: number) =>
      account(name, { models: [{ id: name, alias: "smart", priority, weight }] });
    const firstOf = (pool: Accounts, model = "smart") => {
      const routed = pool.route("chat", model, null);
      return routed.ok ? routed.value[0]?.account.name : null;
    };
    const order = (pool: Accounts) => {
      const routed = pool.route("chat", "smart", null);
      return routed.ok ? routed.value.map((one) => one.account.name) : [];
    };

    test("shares the first tries by weight", () => {
      const pool = new Accounts([member("a", 0, 3), member("b", 0, 1), member("c", 0, 0)]);
      const first = Array.from({ length: 400 }, () => firstOf(pool));
      expect(Math.abs(first.filter((name) => name === "a").length - 300)).toBeLessThan(4);
      expect(first).not.toContain("c");
    });

    test("is tried by priority, and models without weight come after their equals", () => {
      const pool = new Accounts([
        ...[member("late", 2, 9), member("zero", 1, 0), member("next", 1, 1)],
        member("first", 0, 1),
      ]);
      for (let i = 0; i < 20; i++) expect(order(pool)).toEqual(["first", "next", "zero", "late"]);
      const zeros = new Accounts([member("a", 0, 0), member("b", 0, 0)]);
      expect(order(zeros)).toEqual(["a", "b"]);
    });

    test("shares evenly when it is asked in turn with another one", () => {
      const other = ["x", "y"].map((name) => account(name));
      const pool = new Accounts([member("a", 0, 1), member("b", 0, 1), ...other]);
      const first = Array.from({ length: 100 }, () => {
        firstOf(pool, "gpt-5.1");
        return firstOf(pool);
      });
      expect(Math.abs(first.filter((name) => name === "a").length - 50)).toBeLessThan(4);
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
    const text = (allowedModels: readonly string[] | null) => {
      const key = { orgId: null, allowedModels };
      const routed = accounts.route("chat", "claude/opus", null, key);
      return routed.ok ? "" : routed.refusal.message;
    };
    expect(text(null)).toMatch(/; \/v1\/messages serves it\.$/);
    expect(text([])).toMatch(/no model that this key may use\.$/);
  });
});

test("accounts without what they need", () => {
  const unset = account("unset", { credential: undefined });
  const bedrock = account("aws", {
    type: "bedrock",
    models: [{ id: "nova", alias: null, priority: 0, weight: 1 }],
  });
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
