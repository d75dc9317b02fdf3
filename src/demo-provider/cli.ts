import { parseArgs } from "node:util";
import { startDemoProvider } from "./server.ts";

/** `node dist/demo-provider/cli.js [--port 9999]` runs the provider alone and prints its origin. */
const { values } = parseArgs({ options: { port: { type: "string", default: "0" } } });
const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  process.stderr.write(`--port must be an integer from 0 to 65535, not ${values.port}\n`);
  process.exit(2);
}

const provider = await startDemoProvider({ port });
process.stdout.write(`${provider.origin}\n`);
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => void provider.close());
}
