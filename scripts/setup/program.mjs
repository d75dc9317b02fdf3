import { spawn } from "node:child_process";
import path from "node:path";
import { SetupError } from "./progress.mjs";

const stderrCharactersMax = 64 * 1024;

/**
 * Runs a program to its end with its output on our stderr, so that stdout stays the server's own.
 * It receives our SIGTERM or SIGINT, and it ends before we do.
 * @param {readonly string[]} command
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, isQuiet?: boolean }} options
 * @returns {Promise<{ ok: boolean, stderr: string }>} `stderr`: the last 64 K characters of it
 */
export function runProgram(command, { isQuiet = false, ...options }) {
  return new Promise((resolve, reject) => {
    const [file = "", ...args] = command;
    const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    if (isQuiet) child.stdout.resume();
    else child.stdout.pipe(process.stderr, { end: false });
    let stderr = "";
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (/** @type {string} */ text) => {
      if (!isQuiet) process.stderr.write(text);
      stderr = (stderr + text).slice(-stderrCharactersMax);
    });

    /** @type {NodeJS.Signals | undefined} */
    let received;
    const forward = (/** @type {NodeJS.Signals} */ signal) => {
      received = signal;
      child.kill(signal);
    };
    process.on("SIGTERM", forward).on("SIGINT", forward);

    const settle = () => process.off("SIGTERM", forward).off("SIGINT", forward);
    child.on("error", (error) => {
      settle();
      reject(new SetupError(`${file} could not be started: ${error.message}`));
    });
    child.on("close", (code) => {
      settle();
      if (received !== undefined) reject(new SetupError(`stopped by ${received}`));
      else resolve({ ok: code === 0, stderr });
    });
  });
}

/**
 * npm in `cwd`, run by the given Node (native add-ons are compiled for the Node that runs npm).
 * @param {{ cwd: string, nodePath: string, args: readonly string[], env?: NodeJS.ProcessEnv }} options
 * @throws {SetupError} that says what to do
 */
export async function runNpm({ cwd, nodePath, args, env = {} }) {
  const { ok, stderr } = await runProgram(
    // Fewer and shorter retries than npm's default, because without a network its 70 s would look
    // like a hang.
    [
      ...npmCommand(nodePath),
      ...args,
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
      "--fetch-retries=2",
      "--fetch-retry-mintimeout=1000",
      "--fetch-retry-maxtimeout=5000",
    ],
    {
      cwd,
      env: {
        ...process.env,
        ...env,
        PATH: [path.dirname(nodePath), process.env["PATH"]].join(path.delimiter),
      },
    },
  );
  if (!ok) throw new SetupError(explain(stderr));
}

/** @param {string} nodePath */
function npmCommand(nodePath) {
  const cli = process.env["npm_execpath"];
  return cli !== undefined && path.basename(cli) === "npm-cli.js" ? [nodePath, cli] : ["npm"];
}

/** @param {string} stderr */
function explain(stderr) {
  if (
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|E(CONN)?TIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/.test(
      stderr,
    )
  ) {
    return "the npm registry could not be reached, and this step needs it. Connect this machine (or set npm's `registry` or `proxy`), then run the same command again.";
  }
  if (/gyp ERR!/.test(stderr)) {
    return "re2 could not be compiled. It needs python3, make and a C++ compiler (Debian: apt-get install python3 make g++).";
  }
  return "npm failed; its own message stands above.";
}
