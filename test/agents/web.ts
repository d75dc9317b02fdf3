import { execFileSync } from "node:child_process";
import { createServer as createProxy } from "node:http";
import { createServer } from "node:https";
import { connect, type AddressInfo } from "node:net";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";

/** A web of one page, which every name leads to. */
export interface Web {
  /** For the agent: its proxy, and the certificate to trust. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const page = `<!doctype html>
<html><head><title>Weirs</title></head>
<body><h1>Weirs</h1><p>A weir keeps the water of a river at one level.</p></body></html>
`;

/** Serves `page` at every https address, through a proxy. Needs the program openssl. */
export async function startWeb(host: string): Promise<Web> {
  const folder = mkdtempSync(join(tmpdir(), "weir-web-"));
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  execFileSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", `/CN=${host}`],
      ...["-addext", `subjectAltName=DNS:${host}`, "-keyout", keyFile, "-out", certFile],
    ],
    { stdio: "ignore" },
  );
  const site = createServer(
    { key: readFileSync(keyFile), cert: readFileSync(certFile) },
    (_request, response) => response.setHeader("content-type", "text/html").end(page),
  );
  const sitePort = await listen(site);
  const proxy = createProxy((_request, response) => response.writeHead(502).end());
  // Neither server knows of a tunnel once it stands.
  const tunnels = new Set<Duplex>();
  proxy.on("connect", (_request, client, head) => {
    tunnels.add(client);
    client.on("close", () => tunnels.delete(client));
    const upstream = connect(sitePort, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on("error", () => client.destroy());
    client.on("error", () => upstream.destroy());
  });
  const proxyPort = await listen(proxy);
  return {
    env: {
      HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`,
      NO_PROXY: "127.0.0.1,localhost",
      NODE_EXTRA_CA_CERTS: certFile,
    },
    close: async () => {
      for (const tunnel of tunnels) tunnel.destroy();
      site.closeAllConnections();
      proxy.closeAllConnections();
      await Promise.all([site, proxy].map((server) => new Promise((done) => server.close(done))));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function listen(server: ReturnType<typeof createProxy>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
