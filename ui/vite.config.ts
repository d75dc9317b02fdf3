import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

/** The first load's budget, bytes of gzip. */
const scriptBytesMax = 90 * 1024;
const styleBytesMax = 12 * 1024;

/** Fails the build over the budget, and writes a brotli file beside each text: the gateway compresses nothing. */
const measured: Plugin = {
  name: "measured",
  apply: "build",
  writeBundle({ dir = "" }, bundle) {
    let script = 0;
    let style = 0;
    for (const [name, output] of Object.entries(bundle)) {
      const bytes = gzipSync(readFileSync(path.join(dir, name)), { level: 9 }).length;
      if (output.type === "chunk") script += bytes;
      else if (name.endsWith(".css")) style += bytes;
    }
    if (script > scriptBytesMax || style > styleBytesMax) {
      throw new Error(
        `the dashboard is too large: ${script} B of script, ${style} B of style (gzip)`,
      );
    }
    console.log(`dashboard: ${script} B of script, ${style} B of style (gzip)`);
    for (const name of readdirSync(dir, { recursive: true, encoding: "utf8" })) {
      if (!/\.(js|css|html|svg)$/.test(name)) continue;
      const file = path.join(dir, name);
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
      writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file), { params }));
    }
  },
};

export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../dist/ui",
    emptyOutDir: true,
    target: "es2023",
    modulePreload: { polyfill: false },
    // An asset in a data: address would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  plugins: [measured],
  logLevel: "warn",
});
