// Makes a clone ready: `node scripts/setup.mjs [runtime] [build]` installs Node and the
// dependencies (with `runtime` only those that a start needs), and with `build` also makes dist/.
//
// This file, run.mjs and scripts/setup/ run before anything is installed, on Node 18 and later: plain
// JavaScript, no dependencies. Progress goes to stderr, so that stdout is the program's own.
import { setUp } from "./setup/set-up.mjs";

if (!(await setUp(process.argv.slice(2)))) process.exitCode = 1;
