// `npm run verify -- FILE [--key VERIFIER_KEY]`: verifies an export of an audit log, offline.
// FILE is a bundle of `/v1/audit/export.jsonl`, or a proof of `/v1/audit/events/{index}/proof`.
// Exits with 0 if it verifies, 1 if it does not, 2 if the arguments are wrong.
import { createReadStream } from "node:fs";
import { parseArgs } from "node:util";
import { verifyAudit } from "./verify/bundle.ts";

const usage = "npm run verify -- FILE [--key VERIFIER_KEY]";

function asked(): { readonly file: string; readonly key: string | null } | null {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { key: { type: "string" } },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) return null;
    return { file, key: values.key?.trim() ?? null };
  } catch {
    return null;
  }
}

async function main(): Promise<number> {
  const arguments_ = asked();
  if (arguments_ === null) {
    console.error(usage);
    return 2;
  }
  const { file, key } = arguments_;
  try {
    const verdict = await verifyAudit(createReadStream(file, { highWaterMark: 1 << 20 }), key);
    if (!verdict.ok) {
      console.error(`NOT VERIFIED: ${verdict.fault}.`);
      return 1;
    }
    console.log(`Verified: ${verdict.summary}.`);
    if (key === null) {
      console.log(`The bundle names its own key. Compare it with the one that you have noted:`);
      console.log(verdict.verifierKey);
    }
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 2;
  }
}

process.exitCode = await main();
