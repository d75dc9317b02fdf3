// Makes a clone ready: `node scripts/setup.mjs [runtime] [build]` brings Node and the dependencies
// (with `runtime` only those of a start), with `build` also dist/.
//
// This file, run.mjs and scripts/setup/ run before anything is installed, on Node 18 and later: plain
// JavaScript, no dependencies. Progress goes to stderr, so that stdout is the program's own.
import { setUp } from "./setup/set-up.mjs";

if (!(await setUp(process.argv.slice(2)))) process.exitCode = 1;
