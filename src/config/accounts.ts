import { variable } from "./environment.ts";
import {
  apiPathDefault,
  type AccountModel,
  type ProviderAccount,
  type ProviderType,
} from "../contract/account.ts";
import type { ProviderEntry } from "../contract/configuration-provider.ts";
import type { ConfigurationFault } from "../contract/configuration.ts";
import {
  connectTimeoutMsDefault,
  headersTimeoutMsDefault,
  idleTimeoutMsDefault,
  responseBytesMaxDefault,
} from "../contract/limits.ts";
import { wires, type Wire } from "../contract/wire.ts";

/** The account that serves requests if none is configured. Its model's id is `demo/echo`. */
const builtInDemo: ProviderEntry = { name: "demo", type: "demo" };

const wiresDefault: Readonly<Record<ProviderType, readonly Wire[]>> = {
  openai: ["chat", "responses", "embeddings"],
  anthropic: ["messages"],
  bedrock: ["chat", "messages"],
  vertex: ["chat", "messages"],
  demo: wires,
};

/**
 * The file's accounts, with their credentials from `env`. Several accounts may share a provider, a model and
 * an alias; they form one pool. Within one account, every id and alias names one model. An account of type
 * `demo` has the origin "", because its server's port is not known yet.
 */
export function resolveAccounts(
  entries: readonly ProviderEntry[],
  env: NodeJS.ProcessEnv,
  faults: ConfigurationFault[],
): readonly ProviderAccount[] {
  const names = new Set<string>();
  return (entries.length === 0 ? [builtInDemo] : entries).map((entry, i) => {
    const path = `providers[${i}]`;
    if (names.has(entry.name)) {
      faults.push({ path: `${path}.name`, expected: "a name that no other account has" });
    }
    names.add(entry.name);
    return {
      name: entry.name,
      provider: entry.provider ?? entry.name,
      type: entry.type,
      ...resolveAddress(entry, path, faults),
      ...resolveApi(entry, path, faults),
      credential: resolveCredential(entry, env, faults),
      credentialVariable: entry.apiKey?.env ?? null,
      models: resolveModels(entry, path, faults),
      orgId: entry.orgId ?? null,
      timeoutsMs: {
        connect: entry.timeoutsMs?.connect ?? connectTimeoutMsDefault,
        headers: entry.timeoutsMs?.headers ?? headersTimeoutMsDefault,
        idle: entry.timeoutsMs?.idle ?? idleTimeoutMsDefault,
      },
      responseBytesMax: entry.responseBytesMax ?? responseBytesMaxDefault,
    };
  });
}

/** Resolves one entry of the API to an account, as `resolveAccounts` does for the file's entries. */
export function entryResolver(env: NodeJS.ProcessEnv) {
  return (entry: ProviderEntry, faults: ConfigurationFault[]): readonly ProviderAccount[] =>
    resolveAccounts([entry], env, faults);
}

function resolveAddress(
  { type, baseUrl }: ProviderEntry,
  path: string,
  faults: ConfigurationFault[],
): Pick<ProviderAccount, "origin" | "basePath"> {
  const nowhere = { origin: "", basePath: "" };
  const fault = (expected: string) => {
    faults.push({ path: `${path}.baseUrl`, expected });
    return nowhere;
  };
  if (baseUrl === undefined) {
    if (type !== "openai" && type !== "anthropic") return nowhere;
    return fault('an address such as "https://api.openai.com", but it is missing');
  }
  if (type === "demo") return fault("nothing: the gateway itself serves the type demo");
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const wrong = baseUrlFault(baseUrl, url);
  if (url === undefined || wrong !== undefined) return fault(wrong ?? "an address");
  return { origin: url.origin, basePath: basePathOf(url) };
}

type Api = Pick<ProviderAccount, "apiPath" | "query" | "credentialHeader" | "wires">;

/** How the account is called, apart from where it is. */
function resolveApi(entry: ProviderEntry, path: string, faults: ConfigurationFault[]): Api {
  const { apiPath = apiPathDefault, credentialHeader = null } = entry;
  const wires = entry.wires ?? wiresDefault[entry.type];
  // What is stored is read by its id, and an id names no model.
  if (apiPath.includes("{model}") && wires.includes("responses")) {
    faults.push({
      path: `${path}.wires`,
      expected: 'wires without "responses", because apiPath names the model',
    });
  }
  if (entry.type === "demo" && entry.apiPath !== undefined) {
    faults.push({
      path: `${path}.apiPath`,
      expected: "nothing: the gateway itself serves the type demo",
    });
  }
  const query = new URLSearchParams(entry.query).toString();
  return { apiPath, query, credentialHeader, wires };
}

function baseUrlFault(text: string, url: URL | undefined): string | undefined {
  // Without this check, `https:api.example.com` would be accepted.
  if (url === undefined || !/^https?:\/\//i.test(text)) {
    return 'an http or https address such as "https://api.openai.com"';
  }
  if (url.username !== "" || url.password !== "") {
    return "an address without user name and password; apiKey names the credential";
  }
  if (/[?#]/.test(text)) return "an address without query and fragment";
  if (/\/v1(\/(chat\/completions|messages|responses|embeddings))?$/.test(basePathOf(url))) {
    return "an address without /v1 at its end: the request's path, which begins with it, is appended. apiPath replaces it";
  }
  return undefined;
}

function basePathOf(url: URL): string {
  return url.pathname.replace(/\/+$/, "");
}

function resolveCredential(
  { apiKey }: ProviderEntry,
  env: NodeJS.ProcessEnv,
  faults: ConfigurationFault[],
): string | null | undefined {
  if (apiKey === undefined) return null;
  const value = variable(env, apiKey.env);
  if (value === undefined) return undefined;
  // The credential goes into a header, and a line feed in it would start another header.
  if (!/^[!-~]+$/.test(value)) {
    faults.push({
      path: apiKey.env,
      expected: "a credential of printable ASCII characters without spaces",
    });
  }
  return value;
}

function resolveModels(
  { type, models }: ProviderEntry,
  path: string,
  faults: ConfigurationFault[],
): readonly AccountModel[] {
  if (models === undefined && type !== "demo") {
    faults.push({
      path: `${path}.models`,
      expected: "a list of the models that the account serves, but it is missing",
    });
  }
  const names = new Set<string>();
  return (models ?? ["echo"]).map((model, i) => {
    const {
      id,
      alias,
      priority = 0,
      weight = 1,
    } = typeof model === "string" ? { id: model } : model;
    for (const name of alias === undefined ? [id] : [id, alias]) {
      if (names.has(name)) {
        faults.push({
          path: `${path}.models[${i}]`,
          expected: "an id and an alias that this account has only once",
        });
      }
      names.add(name);
    }
    return { id, alias: alias ?? null, priority, weight };
  });
}
