// Stands in for npm: lays out what `npm ci` would, without a network. STAND_IN says what goes wrong.
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const cwd = process.cwd();
const { STAND_IN: fault, STAND_IN_LOG: logPath = "", REAL_MODULES: realModules = "" } = process.env;
const isToolchain = path.basename(cwd).startsWith("staging-");

// Before the log says that npm runs: a test stops it as soon as it does.
process.once("SIGTERM", () => {
  appendFileSync(logPath, "stopped\n");
  process.exit(1);
});
appendFileSync(
  logPath,
  `${isToolchain ? "toolchain" : "dependencies"} ${process.argv.slice(2).join(" ")}\n`,
);
if (fault === "offline") {
  process.stderr.write("npm error code EAI_AGAIN\n");
  process.exit(1);
}
if (fault === "hang") await sleep(60_000);
// Long enough for a second set-up to arrive while this one is at work.
await sleep(300);

const [subcommand] = process.argv.slice(2);
if (subcommand === "ci") rmSync("node_modules", { recursive: true, force: true });
if (isToolchain) {
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(`node_modules/${name}/bin`, { recursive: true });
    symlinkSync(process.execPath, `node_modules/${name}/bin/node`);
  }
} else {
  for (const name of [
    "re2",
    "lmdb",
    "uWebSockets.js",
    "fs-native-extensions",
    "@duckdb/node-api",
  ]) {
    mkdirSync(`node_modules/${name}`, { recursive: true });
    const broken = fault === "broken add-on" && name === "re2";
    writeFileSync(`node_modules/${name}/index.js`, broken ? "throw new Error('not built');" : "");
  }
  for (const name of ["typescript", "@types"]) {
    rmSync(`node_modules/${name}`, { force: true });
    symlinkSync(path.join(realModules, name), `node_modules/${name}`);
  }
}
if (fault === "fail") {
  process.stderr.write("npm error something else\n");
  process.exit(1);
}
if (!isToolchain) {
  // npm's account, its last act: of the lock file what is installed, so nothing for another platform.
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const isWithDev = !process.argv.includes("--omit=dev");
  const installed = Object.entries(packages).filter(
    ([place, { dev, optional }]) =>
      place !== "" && optional !== true && (isWithDev || dev !== true),
  );
  const account = { packages: Object.fromEntries(installed) };
  writeFileSync("node_modules/.package-lock.json", JSON.stringify(account));
}
