import { isIP, isIPv6 } from "node:net";
import type { ConfigurationFile } from "../contract/configuration-file.ts";
import type { Configuration, ConfigurationFault } from "../contract/configuration.ts";

/** Checks what a schema can't: addresses, networks and host names. */
export function resolveNetwork(
  network: NonNullable<ConfigurationFile["network"]>,
  faults: ConfigurationFault[],
): Configuration["network"] {
  const trustedProxies = network.trustedProxies ?? [];
  trustedProxies.forEach((proxy, i) => {
    if (isNetwork(proxy)) return;
    faults.push({
      path: `network.trustedProxies[${i}]`,
      expected:
        'an address or a network such as "10.0.0.0/8" or "fd00::/8", IPv4 without "::ffff:" before it',
    });
  });
  const allowedInternalHosts = (network.allowedInternalHosts ?? []).map((host, i) => {
    const canonical = canonicalHost(host);
    if (canonical === undefined) {
      faults.push({
        path: `network.allowedInternalHosts[${i}]`,
        expected:
          'a host or host:port such as "llm.internal:8080" or "[::1]:8080", without wildcards',
      });
    }
    return canonical ?? host;
  });
  const allowedHosts = (network.allowedHosts ?? []).map((host, i) => {
    const canonical = canonicalHost(host);
    if (canonical === undefined || /:\d+$/.test(canonical)) {
      faults.push({
        path: `network.allowedHosts[${i}]`,
        expected: 'a host name such as "gateway.example.com", without wildcards',
      });
    }
    return canonical ?? host;
  });
  return {
    trustedProxies,
    allowedInternalHosts,
    upstreamPorts: network.upstreamPorts ?? null,
    keylessPassthrough: network.keylessPassthrough ?? true,
    allowedHosts,
  };
}

function isNetwork(text: string): boolean {
  const [, address = "", prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  if (family === 0 || address.includes("%")) return false;
  // Such addresses are compared as IPv4, so such a network would match none.
  if (family === 6 && new URL(`http://[${address}]`).hostname.startsWith("[::ffff:")) return false;
  return prefix === undefined || Number(prefix) <= (family === 4 ? 32 : 128);
}

/** `host` or `host:port`, spelled as in WHATWG URLs, because callers' hosts are compared in that form. */
function canonicalHost(text: string): string | undefined {
  const bracketed = isIPv6(text) ? `[${text}]` : text;
  const [, host = "", port] = /^(\[[^\]]+\]|[^:/?#@\\\s]+)(?::(\d{1,5}))?$/.exec(bracketed) ?? [];
  if (host === "" || !URL.canParse(`http://${host}`)) return undefined;
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65535)) return undefined;
  const hostname = new URL(`http://${host}`).hostname.replace(/\.$/, "");
  // Only names are compared, so a wildcard would match nothing.
  if (!hostname.startsWith("[") && !/^[a-z0-9._-]+$/.test(hostname)) return undefined;
  return port === undefined ? hostname : `${hostname}:${Number(port)}`;
}
