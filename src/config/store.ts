import type { ConfigurationFile } from "../contract/configuration-file.ts";
import type { ConfigurationFault, StoreSettings } from "../contract/configuration.ts";
import { variable } from "./environment.ts";

/** The file's `store`, with the database's URL from the environment. */
export function resolveStore(
  store: ConfigurationFile["store"],
  env: NodeJS.ProcessEnv,
  faults: ConfigurationFault[],
): StoreSettings {
  if (store?.type !== "postgres") return { type: "embedded" };
  const url = variable(env, store.url.env) ?? "";
  if (!isPostgresUrl(url)) {
    faults.push({
      path: store.url.env,
      expected: "the URL of a database, such as postgres://weir@db.example.com/weir",
    });
  }
  return { type: "postgres", url };
}

function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol);
}
