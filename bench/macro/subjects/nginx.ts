import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, pidOf, until, type Children } from "../children.ts";
import { ProcessTree } from "../process-tree.ts";
import { isAnswered } from "./is-answered.ts";
import { plainSubject, type Subject } from "./subject.ts";

export const nginxHint = "nginx is not installed (Debian: apt-get install nginx-light)";

export function nginxIsInstalled(): boolean {
  return spawnSync("nginx", ["-v"]).error === undefined;
}

/**
 * nginx as a reverse proxy that passes bytes on unbuffered in both directions, over kept
 * connections. It shows the least cost of a gateway in C. It has one worker and no access log.
 */
export async function startNginx(children: Children, providerPort: number): Promise<Subject> {
  const folder = join(children.folder, "nginx");
  mkdirSync(folder);
  const port = await freePort();
  const file = join(folder, "nginx.conf");
  writeFileSync(file, configuration(folder, port, providerPort));
  const child = children.spawn("nginx", [
    "-c",
    file,
    "-p",
    folder,
    "-e",
    join(folder, "error.log"),
  ]);
  await until(child, "nginx", () => isAnswered(port, "/json/0/0/v1/models"));
  return plainSubject("nginx", port, new ProcessTree(pidOf(child)));
}

function configuration(folder: string, port: number, providerPort: number): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `  ${name}_temp_path ${folder}/${name};`,
  );
  return `
daemon off;
worker_processes 1;
worker_rlimit_nofile 16384;
pid ${folder}/nginx.pid;
events { worker_connections 8192; }
http {
  access_log off;
  keepalive_requests 100000000;
  keepalive_timeout 300s;
  client_max_body_size 0;
${temporary.join("\n")}
  upstream provider {
    server 127.0.0.1:${providerPort};
    keepalive 2048;
    keepalive_requests 100000000;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://provider;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_request_buffering off;
      proxy_read_timeout 300s;
    }
  }
}
`;
}
