import { printedKey, startProcess, type GatewayProcess } from "../support/gateway-process.ts";
import { startStub, type Stub, type StubOptions } from "./stub/server.ts";
import { startTap, type Intercept, type Tap } from "./tap.ts";

export type Mode = "own keys" | "pay-through";

export interface LabOptions extends StubOptions {
  /** Members of the gateway's configuration beside accounts and network. */
  readonly config?: object;
  /** Of every model, in place of a low one. */
  readonly price?: object;
  /** Members of a new key, which the client gets in place of the first one. */
  readonly key?: object;
  readonly intercept?: Intercept;
}

/** A provider, a gateway before it, and a tap before the gateway. */
export interface Lab {
  readonly stub: Stub;
  readonly tap: Tap;
  readonly gateway: GatewayProcess;
  /** Of the organization `demo`. */
  readonly serviceKey: string;
  readonly operatorKey: string;
  close(): Promise<void>;
}

/** What the accounts serve; agents ask for a small model beside the one that they are told to use. */
export const models = {
  anthropic: "claude-sonnet-5-5",
  anthropicSmall: "claude-haiku-5-5",
  openai: "gpt-6.1-sol",
  openaiSmall: "gpt-6-luna",
} as const;

const operatorKey = `sk-gw-${"a9".repeat(24)}`;
/** A session's holds are large: an agent asks for 32,000 tokens of output and more. */
const lowPrice = {
  inputUsdPerMillion: "0.1",
  outputUsdPerMillion: "0.2",
  cacheWrite5mUsdPerMillion: "0.125",
  cacheWrite1hUsdPerMillion: "0.2",
  contextTokensMax: 200_000,
  outputTokensMax: 128_000,
};

/** The built program, own-keys and pay-through, before a stub. `build` must have made dist/. */
export async function startLab(options: LabOptions): Promise<Lab> {
  const stub = await startStub(options);
  const { price = lowPrice } = options;
  const account = { baseUrl: stub.origin };
  const gateway = await startProcess({
    config: {
      ...options.config,
      providers: [
        { name: "openai", type: "openai", models: [models.openai, models.openaiSmall], ...account },
        {
          ...{ name: "anthropic", type: "anthropic", ...account },
          models: [models.anthropic, models.anthropicSmall],
        },
      ],
      network: { allowedInternalHosts: ["127.0.0.1"] },
      pricing: {
        models: {
          [`openai/${models.openai}`]: price,
          [`openai/${models.openaiSmall}`]: price,
          [`anthropic/${models.anthropic}`]: price,
          [`anthropic/${models.anthropicSmall}`]: price,
        },
      },
    },
    env: { GATEWAY_OPERATOR_KEY: operatorKey },
  });
  const tap = await startTap(gateway.url, options.intercept);
  return {
    ...{ stub, tap, gateway, operatorKey },
    serviceKey:
      options.key === undefined
        ? printedKey(gateway.output())
        : await newKey(gateway.keysUrl, options.key),
    close: async () => {
      await tap.close();
      gateway.child.kill();
      await gateway.exit;
      await stub.close();
    },
  };
}

/** A key of the organization `demo` with members of its own. */
async function newKey(keysUrl: string, members: object): Promise<string> {
  const api = `${keysUrl}/api/v1/gateway`;
  const headers = { authorization: `Bearer ${operatorKey}`, "content-type": "application/json" };
  const orgs = (await (await fetch(`${api}/orgs`, { headers })).json()) as {
    readonly data: readonly { readonly id: string }[];
  };
  const body = JSON.stringify({ name: "agent", orgId: orgs.data[0]?.id, ...members });
  const made = await fetch(`${api}/api-keys`, { method: "POST", headers, body });
  return ((await made.json()) as { readonly key: string }).key;
}
