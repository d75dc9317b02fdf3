import { isIPv4 } from "node:net";
import type { ClientConfig } from "pg";
import { sharedConnectMsMax, sharedQueryMsMax } from "../../contract/limits.ts";

/**
 * How to connect to the shared store. The server's certificate is verified, unless the server is on this machine or the
 * URL says otherwise (`sslmode`). A server that does not answer in time counts as gone.
 */
export function connectionConfig(url: string): ClientConfig {
  const parsed = new URL(url);
  const { hostname, searchParams } = parsed;
  // pg takes it from the URL before all else, and `accept-restored` finds gateways by their name.
  const isNamed = searchParams.has("application_name");
  if (isNamed) searchParams.delete("application_name");
  const config: ClientConfig = {
    connectionString: isNamed ? parsed.href : url,
    connectionTimeoutMillis: sharedConnectMsMax,
    query_timeout: sharedQueryMsMax,
    statement_timeout: sharedQueryMsMax,
    keepAlive: true,
    application_name: "weir",
  };
  // As pg reads it: the parameter goes before what stands in front.
  const parameter = searchParams.get("host") ?? "";
  const host = parameter === "" ? hostname : parameter;
  if (isThisMachine(host) || searchParams.has("sslmode")) {
    return config;
  }
  return { ...config, ssl: { rejectUnauthorized: true } };
}

/** A folder is that of a socket. */
function isThisMachine(host: string): boolean {
  return (
    host === "" ||
    host === "localhost" ||
    host === "[::1]" ||
    (isIPv4(host) && host.startsWith("127.")) ||
    host.startsWith("/") ||
    /^%2f/i.test(host)
  );
}
