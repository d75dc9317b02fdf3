import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { schemaPath, schemaText } from "../../scripts/generate-schema.ts";
import { BoundPort, billingUrlOf } from "../../src/app/bound-port.ts";
import { loadConfiguration } from "../../src/config/configuration.ts";
import type { Configuration, ConfigurationFault } from "../../src/contract/configuration.ts";
import { configurationBytesMax } from "../../src/contract/limits.ts";

const directory = mkdtempSync(join(tmpdir(), "weir-config-"));
const bare = join(directory, "bare");
mkdirSync(bare);
afterAll(() => {
  rmSync(directory, { recursive: true });
});

function load(file: unknown, env: NodeJS.ProcessEnv = {}) {
  const text = typeof file === "string" || file instanceof Uint8Array ? file : JSON.stringify(file);
  writeFileSync(join(directory, "weir.config.json"), text);
  return loadConfiguration(env, directory);
}

function loaded(file: unknown, env: NodeJS.ProcessEnv = {}): Configuration {
  const result = load(file, env);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.value;
}

function faultsOf(file: unknown, env: NodeJS.ProcessEnv = {}): readonly ConfigurationFault[] {
  const result = load(file, env);
  return result.ok ? [] : result.faults;
}

const rates = { inputUsdPerMillion: "1", outputUsdPerMillion: "2" };
const openai = {
  name: "openai",
  type: "openai",
  baseUrl: "https://api.openai.com",
  models: ["gpt-5.1"],
};

it.each([
  [{}, 8788, "http://127.0.0.1:8788/billing"],
  [{ GATEWAY_HOST: "::", GATEWAY_KEYS_PORT: "80" }, 80, "http://127.0.0.1:80/billing"],
  [{ GATEWAY_KEYS_PORT: "0" }, 4711, "http://127.0.0.1:4711/billing"],
])("%j: a refused balance is sent to the dashboard", (env, bound, url) => {
  const boundPort = new BoundPort();
  const own = billingUrlOf(loaded({}, env), boundPort);
  const other = billingUrlOf(loaded({ billing: { url: "https://a.example/b" } }, env), boundPort);
  boundPort.port = bound;
  expect(own()).toBe(url);
  expect(other()).toBe("https://a.example/b");
});

it.each([
  [{ publicUrl: "https://a.example/llm" }, "https://a.example/llm/v1/me"],
  [{ dashboard: { publicUrl: "https://b.example" } }, "https://b.example/billing"],
  [
    { publicUrl: "https://a.example", dashboard: { publicUrl: "https://b.example" } },
    "https://b.example/billing",
  ],
])("%j: a refused balance is sent to what can be reached", (file, url) => {
  expect(billingUrlOf(loaded(file, {}), new BoundPort())()).toBe(url);
});

it.each([
  ["https://weir.example.com/", "https://weir.example.com"],
  ["https://WEIR.example.com:443/llm//", "https://weir.example.com/llm"],
])("%s: where clients reach the gateway", (publicUrl, reached) => {
  expect(loaded({ publicUrl }, {})).toMatchObject({
    publicUrl: reached,
    billing: { url: `${reached}/v1/me` },
  });
});

describe("without a file", () => {
  const result = loadConfiguration({}, bare);
  if (!result.ok) throw new Error("faulty");
  const configuration = result.value;

  it("has the documented defaults", () => {
    expect(configuration).toMatchObject({
      gateway: {
        host: "127.0.0.1",
        port: 8787,
        keysPort: 8788,
        dataDir: join(bare, "data"),
        bodyBytesMax: 26_214_400,
        logLevel: "info",
        operatorKey: null,
        drainMs: 600_000,
      },
      network: {
        trustedProxies: [],
        allowedInternalHosts: [],
        upstreamPorts: null,
        keylessPassthrough: true,
        allowedHosts: [],
      },
      controlPlane: {
        paths: ["/api/claude_code/*", "/api/oauth/*", "/api/organizations/*"],
        origin: "https://api.anthropic.com",
        basePath: "",
      },
      security: { defaultPolicy: { injection: { action: "block", sensitivity: "balanced" } } },
      scan: { contentBytesMax: 4_194_304, requestsPerMinute: 600 },
      pricing: {
        models: {},
        scan: {
          injectionUsdPerMillion: "0.10",
          entityUsdPerMillion: "0.05",
          minimumBillableTokens: 100,
        },
      },
    });
    expect(configuration.gateway.scanWorkers).toBeGreaterThanOrEqual(1);
  });

  it("serves the built-in provider demo on both wires", () => {
    expect(configuration.providers).toEqual([
      {
        name: "demo",
        provider: "demo",
        type: "demo",
        origin: "",
        basePath: "",
        wires: ["chat", "messages", "responses", "embeddings"],
        credential: null,
        credentialVariable: null,
        models: [{ id: "echo", alias: null, priority: 0, weight: 1 }],
        apiPath: "/v1",
        query: "",
        credentialHeader: null,
        orgId: null,
        timeoutsMs: { connect: 5000, headers: 120_000, idle: 300_000 },
        responseBytesMax: 67_108_864,
      },
    ]);
  });

  it("is frozen to its leaves", () => {
    const unfrozen = (value: object): boolean =>
      !Object.isFrozen(value) ||
      Object.values(value).some(
        (m) => typeof m === "object" && m !== null && unfrozen(m as object),
      );
    expect(unfrozen(configuration)).toBe(false);
  });
});

describe("environment", () => {
  const key = `sk-gw-${"aB3".repeat(8)}`;
  it.each<[NodeJS.ProcessEnv, Partial<Configuration["gateway"]>]>([
    [{ GATEWAY_HOST: "0.0.0.0" }, { host: "0.0.0.0" }],
    [{ GATEWAY_HOST: "::1" }, { host: "::1" }],
    [
      { GATEWAY_PORT: "0", GATEWAY_KEYS_PORT: "0" },
      { port: 0, keysPort: 0 },
    ],
    [{ GATEWAY_PORT: "" }, { port: 8787 }],
    [{ GATEWAY_DATA_DIR: "state" }, { dataDir: join(directory, "state") }],
    [{ GATEWAY_DATA_DIR: "/var/lib/weir" }, { dataDir: "/var/lib/weir" }],
    [{ GATEWAY_MAX_BODY_SIZE: "100mb" }, { bodyBytesMax: 104_857_600 }],
    [{ GATEWAY_MAX_BODY_SIZE: "1GB" }, { bodyBytesMax: 1_073_741_824 }],
    [{ GATEWAY_MAX_BODY_SIZE: "1048577" }, { bodyBytesMax: 1_048_577 }],
    [{ GATEWAY_LOG_LEVEL: "debug" }, { logLevel: "debug" }],
    [{ GATEWAY_SCAN_WORKERS: "3" }, { scanWorkers: 3 }],
    [{ GATEWAY_DRAIN_SECONDS: "15" }, { drainMs: 15_000 }],
    [{ GATEWAY_PROXY_THREADS: "2" }, { proxyThreads: 2 }],
    [{ GATEWAY_OPERATOR_KEY: key }, { operatorKey: key }],
  ])("%j", (env, gateway) => {
    expect(loaded({}, env).gateway).toMatchObject(gateway);
  });

  it.each<[NodeJS.ProcessEnv, RegExp]>([
    [{ GATEWAY_PORT: "65536" }, /0 to 65535/],
    [{ GATEWAY_PORT: "tcp://10.0.0.1:80" }, /0 to 65535/],
    [{ GATEWAY_KEYS_PORT: "8787" }, /another port/],
    [{ GATEWAY_HOST: "a b" }, /host/],
    [{ GATEWAY_HOST: "localhost:8787" }, /without a port/],
    [{ GATEWAY_HOST: "999.1.1.1" }, /host/],
    [{ GATEWAY_MAX_BODY_SIZE: "2gb" }, /100mb/],
    [{ GATEWAY_MAX_BODY_SIZE: "-1" }, /100mb/],
    [{ GATEWAY_MAX_BODY_SIZE: "25 MiB" }, /100mb/],
    [{ GATEWAY_LOG_LEVEL: "loud" }, /one of trace/],
    [{ GATEWAY_SCAN_WORKERS: "0" }, /1 to 256/],
    [{ GATEWAY_SCAN_WORKERS: "1.5" }, /1 to 256/],
    [{ GATEWAY_DRAIN_SECONDS: "601" }, /0 to 600/],
    [{ GATEWAY_PROXY_THREADS: "0" }, /from 1 to 64/],
    [{ GATEWAY_OPERATOR_KEY: "sk-gw-short" }, /24 to/],
    [{ GATEWAY_OPERATOR_KEY: `sk-gw-${"a".repeat(123)}` }, /24 to/],
    [{ GATEWAY_OPERATOR_KEY: `sk-xx-${"a".repeat(48)}` }, /sk-gw-/],
  ])("refuses %j", (env, expected) => {
    const [fault, ...others] = faultsOf({}, env);
    expect(others).toEqual([]);
    expect(fault?.path).toBe(Object.keys(env)[0]);
    expect(fault?.expected).toMatch(expected);
  });
});

describe("the file", () => {
  it("is named by GATEWAY_CONFIG, and must then be there", () => {
    expect(loadConfiguration({ GATEWAY_CONFIG: "other.json" }, directory)).toEqual({
      ok: false,
      faults: [
        {
          path: join(directory, "other.json"),
          expected: "a configuration file, but there is none",
        },
      ],
    });
    writeFileSync(join(directory, "other.json"), JSON.stringify({ providers: [openai] }));
    const result = loadConfiguration({ GATEWAY_CONFIG: "other.json" }, directory);
    expect(result.ok && result.value.providers[0]?.name).toBe("openai");
  });

  it("may not be a directory or without end", () => {
    expect(loadConfiguration({ GATEWAY_CONFIG: "." }, directory)).toMatchObject({
      faults: [{ path: directory, expected: "a file that this process may read" }],
    });
    expect(faultsOf(" ".repeat(configurationBytesMax + 1))[0]?.expected).toMatch(/at most/);
  });

  it.each([
    ["", "line 1, column 1"],
    ["{", "line 1, column 2"],
    ['{\n  "scan": {"contentBytesMax": 4096},\n}', "line 3, column 1"],
    ['{"providers": [sk-secret-1]}', "line 1, column 16"],
    ['{"a": "sk-secret-2\n"}', "line 1, column 19"],
    ['{\n "é": x', "line 2, column 7"],
    ["// sk-secret-3\n{}", "line 1, column 1"],
  ])("says where %j is not JSON, and quotes nothing", (text, place) => {
    const faults = faultsOf(text);
    expect(faults).toMatchObject([{ path: join(directory, "weir.config.json") }]);
    expect(faults[0]?.expected).toContain(place);
    expect(JSON.stringify(faults)).not.toContain("secret");
  });

  it("may begin with a byte order mark and name its schema", () => {
    expect(load('\ufeff{"$schema": "./docs/weir.config.schema.json"}').ok).toBe(true);
  });

  it("takes everything that the design's example has", () => {
    const configuration = loaded(
      {
        providers: [
          {
            ...openai,
            wires: ["chat"],
            apiKey: { env: "OPENAI_API_KEY" },
            models: ["gpt-5.1", { id: "gpt-5-mini", alias: "small", priority: 0, weight: 1 }],
            timeoutsMs: { connect: 5000, headers: 120_000, idle: 300_000 },
            responseBytesMax: 67_108_864,
          },
        ],
        pricing: {
          models: {
            "openai/gpt-5.1": {
              inputUsdPerMillion: "1.25",
              outputUsdPerMillion: "10",
              outputTokensMax: 128_000,
            },
          },
          scan: { injectionUsdPerMillion: "0.20" },
        },
        network: { trustedProxies: [], allowedInternalHosts: [], upstreamPorts: null },
        security: { defaultPolicy: { injection: { action: "flag" } } },
        scan: { contentBytesMax: 4_194_304, requestsPerMinute: 5 },
      },
      { OPENAI_API_KEY: "sk-provider" },
    );
    expect(configuration.providers).toEqual([
      {
        name: "openai",
        provider: "openai",
        type: "openai",
        origin: "https://api.openai.com",
        basePath: "",
        wires: ["chat"],
        credential: "sk-provider",
        credentialVariable: "OPENAI_API_KEY",
        models: [
          { id: "gpt-5.1", alias: null, priority: 0, weight: 1 },
          { id: "gpt-5-mini", alias: "small", priority: 0, weight: 1 },
        ],
        apiPath: "/v1",
        query: "",
        credentialHeader: null,
        orgId: null,
        timeoutsMs: { connect: 5000, headers: 120_000, idle: 300_000 },
        responseBytesMax: 67_108_864,
      },
    ]);
    expect(configuration.pricing).toEqual({
      models: {
        "openai/gpt-5.1": {
          inputUsdPerMillion: "1.25",
          outputUsdPerMillion: "10",
          outputTokensMax: 128_000,
        },
      },
      scan: {
        injectionUsdPerMillion: "0.20",
        entityUsdPerMillion: "0.05",
        minimumBillableTokens: 100,
      },
    });
    expect(configuration.security.defaultPolicy.injection).toEqual({
      action: "flag",
      sensitivity: "balanced",
    });
    expect(configuration.scan.requestsPerMinute).toBe(5);
  });

  it.each<[unknown, string, RegExp]>([
    [[], "(the whole file)", /an object/],
    [{ provider: [] }, "provider", /no such member.*providers, pricing/],
    [{ constructor: 1 }, "constructor", /no such member/],
    [{ providers: {} }, "providers", /a list/],
    [{ providers: [{ ...openai, name: "Open AI" }] }, "providers[0].name", /a-z/],
    [{ providers: [{ ...openai, name: undefined }] }, "providers[0].name", /missing/],
    [{ providers: [{ ...openai, type: "azure" }] }, "providers[0].type", /"openai", "anthropic"/],
    [
      { providers: [{ ...openai, baseURL: "x" }] },
      "providers[0].baseURL",
      /no such member.*baseUrl/,
    ],
    [{ providers: [{ ...openai, apiKey: "sk-live" }] }, "providers[0].apiKey", /never written/],
    [{ providers: [{ ...openai, apiKey: {} }] }, "providers[0].apiKey.env", /missing/],
    [{ providers: [{ ...openai, apiKey: { env: "sk-live" } }] }, "providers[0].apiKey.env", /name/],
    [{ providers: [{ ...openai, wires: [] }] }, "providers[0].wires", /at most once/],
    [{ providers: [{ ...openai, wires: ["chat", "chat"] }] }, "providers[0].wires", /at most once/],
    [{ providers: [{ ...openai, wires: ["smoke"] }] }, "providers[0].wires[0]", /"chat"/],
    [{ providers: [{ ...openai, models: [] }] }, "providers[0].models", /1 to 4096/],
    [{ providers: [{ ...openai, models: [7] }] }, "providers[0].models[0]", /a model id/],
    [{ providers: [{ ...openai, models: undefined }] }, "providers[0].models", /missing/],
    [
      { providers: [{ ...openai, timeoutsMs: { idle: 0 } }] },
      "providers[0].timeoutsMs.idle",
      /1 to/,
    ],
    [
      { providers: [{ ...openai, responseBytesMax: 1e12 }] },
      "providers[0].responseBytesMax",
      /1024/,
    ],
    [{ providers: [openai, openai] }, "providers[1].name", /no other account/],
    [{ network: { upstreamPorts: [0] } }, "network.upstreamPorts[0]", /1 to 65535/],
    [{ network: { keylessPassthrough: "no" } }, "network.keylessPassthrough", /true or false/],
    [{ network: { trustedProxies: ["10.0.0.0/33"] } }, "network.trustedProxies[0]", /network/],
    [{ network: { trustedProxies: ["fe80::1%eth0"] } }, "network.trustedProxies[0]", /network/],
    [{ network: { trustedProxies: ["::ffff:10.0.0.1"] } }, "network.trustedProxies[0]", /IPv4/],
    [
      { network: { trustedProxies: ["0:0:0:0:0:ffff:a00:0/104"] } },
      "network.trustedProxies[0]",
      /IPv4/,
    ],
    [{ network: { allowedHosts: ["*.example.com"] } }, "network.allowedHosts[0]", /wildcard/],
    [{ network: { allowedInternalHosts: ["*"] } }, "network.allowedInternalHosts[0]", /wildcard/],
    [
      { network: { allowedInternalHosts: ["a.*:80"] } },
      "network.allowedInternalHosts[0]",
      /wildcard/,
    ],
    [{ billing: { url: "https://" } }, "billing.url", /https:\/\/example.com/],
    [{ billing: { url: "https://a:99999" } }, "billing.url", /https:\/\/example.com/],
    [{ publicUrl: "weir.example.com" }, "publicUrl", /https:\/\/weir.example.com/],
    [{ publicUrl: "https://a:99999" }, "publicUrl", /https:\/\/weir.example.com/],
    [{ publicUrl: "https://user:secret@a.example" }, "publicUrl", /https:\/\/weir.example.com/],
    [{ publicUrl: "https://a.example/?b" }, "publicUrl", /https:\/\/weir.example.com/],
    [{ billing: { url: 5 } }, "billing.url", /https:\/\/example.com/],
    [{ billing: { lowBalanceUsd: 1 } }, "billing.lowBalanceUsd", /decimal string/],
    [{ network: { allowedHosts: ["a.example:8787"] } }, "network.allowedHosts[0]", /host name/],
    [{ network: { trustedProxies: ["proxy"] } }, "network.trustedProxies[0]", /network/],
    [
      { network: { allowedInternalHosts: ["a:0"] } },
      "network.allowedInternalHosts[0]",
      /host:port/,
    ],
    [
      { network: { allowedInternalHosts: ["http://a"] } },
      "network.allowedInternalHosts[0]",
      /host:port/,
    ],
    [
      { security: { defaultPolicy: { injection: { action: "off" } } } },
      "security.defaultPolicy.injection.action",
      /"block", "replace", "flag"/,
    ],
    [{ scan: { contentBytesMax: "4mb" } }, "scan.contentBytesMax", /whole number/],
    [{ pricing: { models: { gpt: {} } } }, "pricing.models.gpt", /provider\/model/],
    [
      {
        pricing: { models: { "a/b": { inputUsdPerMillion: 1.25, outputUsdPerMillion: "1" } } },
      },
      'pricing.models["a/b"].inputUsdPerMillion',
      /decimal string/,
    ],
    [
      { pricing: { scan: { entityUsdPerMillion: "1e3" } } },
      "pricing.scan.entityUsdPerMillion",
      /decimal string/,
    ],
    [
      { pricing: { models: { "a/b": { ...rates, validFrom: "2026-02-30" } } } },
      'pricing.models["a/b"].validFrom',
      /calendar/,
    ],
    [
      { pricing: { models: { "a/b": { ...rates, validUntil: "2026-13-01T00:00:00Z" } } } },
      'pricing.models["a/b"].validUntil',
      /calendar/,
    ],
    [
      {
        pricing: {
          models: { "a/b": { ...rates, validFrom: "2026-03-01", validUntil: "2026-03-01" } },
        },
      },
      'pricing.models["a/b"].validUntil',
      /after validFrom/,
    ],
  ])("%j is refused at %s", (file, path, expected) => {
    const faults = faultsOf(file);
    expect(faults.map((fault) => fault.path)).toEqual([path]);
    expect(faults[0]?.expected).toMatch(expected);
  });

  it("reports the faults of environment and file together", () => {
    const file = { providers: [{ ...openai, type: "x" }], scan: { requestsPerMinute: 0 } };
    expect(faultsOf(file, { GATEWAY_PORT: "x" }).map((fault) => fault.path)).toEqual([
      "GATEWAY_PORT",
      "providers[0].type",
      "scan.requestsPerMinute",
    ]);
  });
});

describe("accounts", () => {
  it.each([
    ["https://api.openai.com", "https://api.openai.com", ""],
    ["https://api.openai.com/", "https://api.openai.com", ""],
    ["HTTP://LLM.internal:8080/openai//", "http://llm.internal:8080", "/openai"],
    ["https://host:443/a/v1beta", "https://host", "/a/v1beta"],
    ["http://[::1]:9000", "http://[::1]:9000", ""],
  ])("baseUrl %s", (baseUrl, origin, basePath) => {
    expect(loaded({ providers: [{ ...openai, baseUrl }] }).providers[0]).toMatchObject({
      origin,
      basePath,
    });
  });

  it.each([
    ["api.openai.com", /http or https/],
    ["ftp://api.openai.com", /http or https/],
    ["https:api.openai.com", /http or https/],
    ["https://", /http or https/],
    ["https://user:pa55w0rd@api.openai.com", /user name/],
    ["https://api.openai.com?key=pa55w0rd", /query/],
    ["https://api.openai.com/#pa55w0rd", /query/],
    ["https://api.openai.com?", /query/],
    ["https://api.openai.com/v1", /without \/v1/],
    ["https://api.openai.com/v1/", /without \/v1/],
    ["https://proxy/openai/v1/chat/completions", /without \/v1/],
  ])("refuses baseUrl %s", (baseUrl, expected) => {
    const faults = faultsOf({ providers: [{ ...openai, baseUrl }] });
    expect(faults).toMatchObject([{ path: "providers[0].baseUrl" }]);
    expect(faults[0]?.expected).toMatch(expected);
    expect(JSON.stringify(faults)).not.toContain("pa55w0rd");
  });

  it("need a baseUrl where the type has an API of its own, and only there", () => {
    const models = ["m"];
    const at = (type: string, more: object = {}) =>
      faultsOf({ providers: [{ name: "a", type, models, ...more }] }).map((fault) => fault.path);
    expect(at("openai")).toEqual(["providers[0].baseUrl"]);
    expect(at("anthropic")).toEqual(["providers[0].baseUrl"]);
    expect(at("bedrock")).toEqual([]);
    expect(at("vertex")).toEqual([]);
    expect(at("demo")).toEqual([]);
    expect(at("demo", { baseUrl: "http://127.0.0.1:9" })).toEqual(["providers[0].baseUrl"]);
  });

  it("speak the wires of their type unless told", () => {
    const { providers } = loaded({
      providers: [
        openai,
        { ...openai, name: "a", type: "anthropic" },
        { name: "d", type: "demo" },
        { ...openai, name: "both", wires: ["messages", "chat"] },
      ],
    });
    expect(providers.map((account) => account.wires)).toEqual([
      ["chat", "responses", "embeddings"],
      ["messages"],
      ["chat", "messages", "responses", "embeddings"],
      ["messages", "chat"],
    ]);
  });

  it("know no key, a missing key and a key apart", () => {
    const credential = (apiKey: object | undefined, env: NodeJS.ProcessEnv) =>
      loaded({ providers: [{ ...openai, apiKey }] }, env).providers[0]?.credential;
    expect(credential(undefined, {})).toBeNull();
    expect(credential({ env: "KEY" }, {})).toBeUndefined();
    expect(credential({ env: "KEY" }, { KEY: "" })).toBeUndefined();
    expect(credential({ env: "KEY" }, { KEY: "sk-1\n" })).toBe("sk-1");
  });

  it("share provider, model and alias, but not a name", () => {
    const shared = {
      ...openai,
      provider: "openai",
      models: [{ id: "m", alias: "small", priority: 0, weight: 1 }],
    };
    const { providers } = loaded({
      providers: [shared, { ...shared, name: "second" }, { ...shared, name: "x", provider: "y" }],
    });
    expect(providers.map((account) => account.provider)).toEqual(["openai", "openai", "y"]);
  });

  it.each([
    [["a", "a"], "providers[0].models[1]"],
    [["a", { id: "b", alias: "a", priority: 0, weight: 1 }], "providers[0].models[1]"],
    [
      [
        { id: "a", alias: "s", priority: 0, weight: 1 },
        { id: "b", alias: "s", priority: 0, weight: 1 },
      ],
      "providers[0].models[1]",
    ],
    [[{ id: "a", alias: "x/y" }], "providers[0].models[0].alias"],
    [["a b"], "providers[0].models[0]"],
    [[""], "providers[0].models[0]"],
  ])("refuse the models %j", (models, path) => {
    expect(faultsOf({ providers: [{ ...openai, models }] }).map((fault) => fault.path)).toEqual([
      path,
    ]);
  });

  it("refuse a credential that would be more than one header", () => {
    const file = { providers: [{ ...openai, apiKey: { env: "KEY" } }] };
    const faults = faultsOf(file, { KEY: "sk-secret\r\nx-evil: 1" });
    expect(faults).toMatchObject([{ path: "KEY" }]);
    expect(JSON.stringify(faults)).not.toContain("secret");
  });
});

describe("a member that stands twice", () => {
  it.each([
    ['{"network":{"keylessPassthrough":false},"network":{}}', ["network"]],
    ['{"cache":{"bytesMax":0,"bytes\\u004dax":1048576}}', ["cache.bytesMax"]],
    ['{"providers":[{"name":"a","models":[{"id":"x","id":"y"}]}]}', ["providers[0].models[0].id"]],
    ['{"scan":{}, "scan":{}, "billing":{"url":"a","url":"b"}}', ["scan", "billing.url"]],
  ])("%s", (text, paths) => {
    const faults = faultsOf(text);
    expect(faults.map(({ path }) => path)).toEqual(paths);
    expect(faults[0]?.expected).toMatch(/more than once/);
  });
});

describe("network", () => {
  it.each([
    ["LLM.internal", "llm.internal"],
    ["llm.internal:8080", "llm.internal:8080"],
    ["llm.internal:080", "llm.internal:80"],
    ["0x7f.1", "127.0.0.1"],
    ["::1", "[::1]"],
    ["[0:0::1]:9000", "[::1]:9000"],
  ])("allowedInternalHosts %s", (host, canonical) => {
    expect(
      loaded({ network: { allowedInternalHosts: [host] } }).network.allowedInternalHosts,
    ).toEqual([canonical]);
  });

  it("takes a name with a dot at its end for the name", () => {
    const { network } = loaded({
      network: { allowedInternalHosts: ["llm.internal.:80"], allowedHosts: ["gw.example."] },
    });
    expect(network).toMatchObject({
      allowedInternalHosts: ["llm.internal:80"],
      allowedHosts: ["gw.example"],
    });
  });

  it("takes addresses and networks as proxies", () => {
    const trustedProxies = ["10.0.0.0/8", "192.0.2.1", "::1", "fd00::/8"];
    expect(loaded({ network: { trustedProxies } }).network.trustedProxies).toEqual(trustedProxies);
  });
});

describe("secrets", () => {
  it("are in no fault, wherever they stand", () => {
    const secret = "s3cr3t-v4lue";
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.nat(), (json, at) => {
        const spot = at % (json.length + 1);
        const texts = [
          json.slice(0, spot) + secret + json.slice(spot),
          `{"providers":[{"name":"${secret}!","apiKey":{"env":"${secret}"},"baseUrl":"${secret}"}],"scan":${json}}`,
        ];
        for (const text of texts) {
          // A member's name is part of its path, and a path has to be said.
          const stripped = JSON.stringify(faultsOf(text).map((fault) => fault.expected));
          expect(stripped).not.toContain(secret);
        }
      }),
      { numRuns: 200 },
    );
    const env = Object.fromEntries(
      ["PORT", "HOST", "LOG_LEVEL", "MAX_BODY_SIZE", "OPERATOR_KEY", "SCAN_WORKERS"].map((name) => [
        `GATEWAY_${name}`,
        `${secret} !`,
      ]),
    );
    expect(faultsOf({}, env)).toHaveLength(6);
    expect(JSON.stringify(faultsOf({}, env))).not.toContain(secret);
  });
});

it("publishes the schema that it validates with", async () => {
  expect(readFileSync(schemaPath, "utf8")).toBe(await schemaText());
});
