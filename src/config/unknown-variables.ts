import { distance } from "fastest-levenshtein";
import type { Logger } from "pino";
import { gatewayVariables, variable } from "./environment.ts";

/** A variable that reads like one of ours and is none. */
export interface UnknownVariable {
  readonly name: string;
  /** The one that is probably meant; null: none is near by. */
  readonly meant: string | null;
}

const prefix = "GATEWAY_";

/**
 * Variables that nobody reads: misspelt ones, whose setting the operator would miss. `named`: what the
 * configuration file names for its credentials.
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

/** One line each; values may be secrets. */
export function warnOfUnknown(unknown: readonly UnknownVariable[], logger: Logger): void {
  for (const { name, meant } of unknown) {
    const hint = meant === null ? {} : { meant };
    logger.warn({ variable: name, ...hint }, "an environment variable that nobody reads");
  }
}

/** What Kubernetes and Docker links set for a service whose name begins with `gateway`. */
function isServiceLink(name: string, value: string): boolean {
  if (/_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name)) return true;
  if (/_SERVICE_(HOST|PORT(_\w+)?)$/.test(name)) return true;
  return /_PORT$/.test(name) && /^(tcp|udp|sctp):\/\//.test(value);
}

/** Of a name whose letters are half wrong nobody can tell what it means. */
function nearest(name: string): string | null {
  const distances = gatewayVariables.map((known) => distance(known, name.toUpperCase()));
  const least = Math.min(...distances);
  if (least > (name.length - prefix.length) / 2) return null;
  return gatewayVariables[distances.indexOf(least)] ?? null;
}
