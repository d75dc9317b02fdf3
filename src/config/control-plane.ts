import type { ProviderAccount } from "../contract/account.ts";
import { controlPlaneDefault } from "../contract/configuration-control-plane.ts";
import type { ConfigurationFile } from "../contract/configuration-file.ts";
import type { Configuration, ConfigurationFault } from "../contract/configuration.ts";

/**
 * The provider whose settings are read: the named account, the first account of type anthropic, or `baseUrl`.
 */
export function resolveControlPlane(
  entry: NonNullable<ConfigurationFile["controlPlane"]>,
  accounts: readonly ProviderAccount[],
  faults: ConfigurationFault[],
): Configuration["controlPlane"] {
  const paths = entry.paths ?? controlPlaneDefault.paths;
  const served = accounts.filter(({ type }) => type === "anthropic");
  const { account: name, baseUrl } = entry;
  const account = name === undefined ? served[0] : served.find((one) => one.name === name);
  if (name !== undefined && account === undefined) {
    faults.push({
      path: "controlPlane.account",
      expected: "the name of an account of type anthropic in providers",
    });
  }
  // If both could serve, the configured one goes before the one that was found.
  if (account !== undefined && (name !== undefined || baseUrl === undefined)) {
    return { paths, origin: account.origin, basePath: account.basePath };
  }
  const text = baseUrl ?? controlPlaneDefault.baseUrl;
  const url = URL.parse(text);
  if (url === null || url.username + url.password !== "" || /[?#]/.test(text)) {
    faults.push({
      path: "controlPlane.baseUrl",
      expected: "an http or https address without user name, password, query and fragment",
    });
    return { paths, origin: "", basePath: "" };
  }
  return { paths, origin: url.origin, basePath: url.pathname.replace(/\/+$/, "") };
}
