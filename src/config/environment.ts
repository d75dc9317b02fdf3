import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { address } from "./address.ts";
import {
  logLevels,
  type ConfigurationFault,
  type GatewaySettings,
} from "../contract/configuration.ts";
import {
  bodyBytesMaxCeiling,
  bodyBytesMaxDefault,
  drainMsMax,
  keySecretCharsMax,
  proxyThreadsMax,
  scanWorkersMax,
} from "../contract/limits.ts";
import { serviceKeyPrefix } from "../contract/wire.ts";

/** All variables that are read. `GATEWAY_CONFIG` is read together with the file. */
export const gatewayVariables = [
  "GATEWAY_HOST",
  "GATEWAY_PORT",
  "GATEWAY_KEYS_PORT",
  "GATEWAY_DATA_DIR",
  "GATEWAY_CONFIG",
  "GATEWAY_MAX_BODY_SIZE",
  "GATEWAY_LOG_LEVEL",
  "GATEWAY_SCAN_WORKERS",
  "GATEWAY_PROXY_THREADS",
  "GATEWAY_OPERATOR_KEY",
  "GATEWAY_DRAIN_SECONDS",
] as const;
type GatewayVariable = (typeof gatewayVariables)[number];

/** The `GATEWAY_*` variables of design section 2. */
export function readGatewaySettings(
  env: NodeJS.ProcessEnv,
  cwd: string,
  faults: ConfigurationFault[],
): GatewaySettings {
  const variables = new Variables(env, faults);
  const settings: GatewaySettings = {
    host: variables.parsed("GATEWAY_HOST", "127.0.0.1", hostExpected, (text) =>
      isHost(text) ? text : undefined,
    ),
    port: variables.wholeNumber("GATEWAY_PORT", 8787, 0, 65535),
    keysPort: variables.wholeNumber("GATEWAY_KEYS_PORT", 8788, 0, 65535),
    dataDir: resolve(cwd, variable(env, "GATEWAY_DATA_DIR") ?? "data"),
    bodyBytesMax: variables.parsed(
      "GATEWAY_MAX_BODY_SIZE",
      bodyBytesMaxDefault,
      `bytes, or a size such as 100mb, from 1kb to ${bodyBytesMaxCeiling}`,
      bodySize,
    ),
    logLevel: variables.parsed(
      "GATEWAY_LOG_LEVEL",
      "info",
      `one of ${logLevels.join(", ")}`,
      (text) => logLevels.find((level) => level === text),
    ),
    // One core is left for the event loop that relays.
    scanWorkers: variables.wholeNumber(
      "GATEWAY_SCAN_WORKERS",
      Math.min(scanWorkersMax, Math.max(1, availableParallelism() - 1)),
      1,
      scanWorkersMax,
    ),
    // The other half is for scan workers, the journal's thread and the kernel.
    proxyThreads: variables.wholeNumber(
      "GATEWAY_PROXY_THREADS",
      Math.min(proxyThreadsMax, Math.max(1, Math.floor(availableParallelism() / 2))),
      1,
      proxyThreadsMax,
    ),
    operatorKey: variables.parsed<string | null>(
      "GATEWAY_OPERATOR_KEY",
      null,
      `${serviceKeyPrefix} and ${operatorKeyTailMin} to ${operatorKeyTailMax} characters out of A-Z, a-z, 0-9`,
      (text) => (operatorKeyPattern.test(text) ? text : undefined),
    ),
    drainMs:
      variables.wholeNumber("GATEWAY_DRAIN_SECONDS", drainMsMax / 1000, 0, drainMsMax / 1000) *
      1000,
  };
  if (settings.port === settings.keysPort && settings.port !== 0) {
    faults.push({ path: "GATEWAY_KEYS_PORT", expected: "another port than GATEWAY_PORT" });
  }
  return settings;
}

/** undefined if it is unset or blank: compose files pass unset variables on as empty ones. */
export function variable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = env[name]?.trim();
  return text === "" ? undefined : text;
}

const hostExpected = "an address or a host name, without a port";

/** The host must be valid in the addresses of `listening.json` and `billingUrl`. */
function isHost(text: string): boolean {
  return /^[A-Za-z0-9.:_-]{1,253}$/.test(text) && URL.canParse(address(text, 1));
}

/** 24 characters out of 62 are 142 bits, which can't be guessed. */
const operatorKeyTailMin = 24;
const operatorKeyTailMax = keySecretCharsMax - serviceKeyPrefix.length;
const operatorKeyPattern = new RegExp(
  `^${serviceKeyPrefix}[A-Za-z0-9]{${operatorKeyTailMin},${operatorKeyTailMax}}$`,
);

const byteUnits: Readonly<Record<string, number>> = { b: 1, kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 };

function bodySize(text: string): number | undefined {
  const [, count, unit = "b"] = /^(\d{1,12})(b|kb|mb|gb)?$/.exec(text.toLowerCase()) ?? [];
  if (count === undefined) return undefined;
  const bytes = Number(count) * (byteUnits[unit] ?? 1);
  return bytes >= 1024 && bytes <= bodyBytesMaxCeiling ? bytes : undefined;
}

class Variables {
  readonly #env: NodeJS.ProcessEnv;
  readonly #faults: ConfigurationFault[];

  constructor(env: NodeJS.ProcessEnv, faults: ConfigurationFault[]) {
    this.#env = env;
    this.#faults = faults;
  }

  /** `parse` returns undefined for an invalid text. */
  parsed<T>(
    name: GatewayVariable,
    fallback: T,
    expected: string,
    parse: (text: string) => T | undefined,
  ): T {
    const text = variable(this.#env, name);
    if (text === undefined) return fallback;
    const value = parse(text);
    if (value === undefined) this.#faults.push({ path: name, expected });
    return value ?? fallback;
  }

  wholeNumber(name: GatewayVariable, fallback: number, minimum: number, maximum: number): number {
    const expected = `a whole number from ${minimum} to ${maximum}`;
    return this.parsed(name, fallback, expected, (text) => {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
      return value >= minimum && value <= maximum ? value : undefined;
    });
  }
}
