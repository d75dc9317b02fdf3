import { distance } from "fastest-levenshtein";
import type { Logger } from "pino";
import { gatewayVariables, variable } from "./environment.ts";

/** A variable that looks like one of the gateway's but is none. */
export interface UnknownVariable {
  readonly name: string;
  /** The variable that is probably meant; null if none is similar. */
  readonly meant: string | null;
}

const prefix = "GATEWAY_";

/**
 * Variables that the gateway does not read, such as misspelt ones, whose setting would be lost. `named` are
 * the variables that the configuration file names for its credentials.
 */
export function unknownVariables(
  env: NodeJS.ProcessEnv,
  named: readonly string[],
): readonly UnknownVariable[] {
  const known: ReadonlySet<string> = new Set([...gatewayVariables, ...named]);
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !known.has(name))
    .filter((name) => variable(env, name) !== undefined && !isServiceLink(name, env[name] ?? ""))
    .map((name) => ({ name, meant: nearest(name) }));
}

/** Writes one line per variable, without its value, which may be a secret. */
export function warnOfUnknown(unknown: readonly UnknownVariable[], logger: Logger): void {
  for (const { name, meant } of unknown) {
    const hint = meant === null ? {} : { meant };
    logger.warn({ variable: name, ...hint }, "an unknown environment variable is ignored");
  }
}

/** Variables that Kubernetes and Docker links set for a service whose name begins with `gateway`. */
function isServiceLink(name: string, value: string): boolean {
  if (/_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name)) return true;
  if (/_SERVICE_(HOST|PORT(_\w+)?)$/.test(name)) return true;
  return /_PORT$/.test(name) && /^(tcp|udp|sctp):\/\//.test(value);
}

/** If half of the letters are wrong, it is unknown which variable is meant. */
function nearest(name: string): string | null {
  const distances = gatewayVariables.map((known) => distance(known, name.toUpperCase()));
  const least = Math.min(...distances);
  if (least > (name.length - prefix.length) / 2) return null;
  return gatewayVariables[distances.indexOf(least)] ?? null;
}
