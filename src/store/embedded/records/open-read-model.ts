import { fork } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { recordsHeapMegabytesMax } from "../../../contract/limits.ts";
import { ReadModel, type ReadModelOptions } from "../../read-model/read-model.ts";
import type { Store } from "../store.ts";

/** The read model of a store. Close it before the store. */
export function openReadModel(
  { databasePath }: Pick<Store, "databasePath">,
  options: Omit<ReadModelOptions, "startProcess">,
): ReadModel {
  return new ReadModel({
    ...options,
    startProcess: () =>
      fork(program, [databasePath], {
        // It needs no other environment variables; they hold the providers' credentials.
        env: allocatorSettings(),
        execArgv: ["--disable-sigusr1", `--max-old-space-size=${recordsHeapMegabytesMax}`],
        serialization: "advanced",
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      }),
  });
}

function allocatorSettings(): NodeJS.ProcessEnv {
  const settings = Object.entries(process.env).filter(([name]) => name.startsWith("MALLOC_"));
  return Object.fromEntries(settings);
}

/** Next to this file, which is TypeScript in `src` and JavaScript in `dist`. */
const program = fileURLToPath(
  new URL(`./records-process${extname(import.meta.url)}`, import.meta.url),
);
