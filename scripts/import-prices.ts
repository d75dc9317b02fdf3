// `npm run prices:import -- model_prices_and_context_window.json [--provider openai …] [--strict]`
// writes a fragment of the configuration to standard output: {"pricing": {"models": {…}}}. Wrong or
// unlikely prices go to standard error; --strict leaves such rows out. docs/pricing.md has more.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { importLitellm } from "../src/billing/litellm.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    provider: { type: "string", multiple: true, default: [] },
    strict: { type: "boolean", default: false },
  },
});
const [path] = positionals;
if (path === undefined) {
  console.error("usage: npm run --silent prices:import -- FILE [--provider NAME]... [--strict]");
  process.exit(2);
}
const { prices, lint } = importLitellm(read(path));
const isAskedFor = (model: string) =>
  values.provider.length === 0 || values.provider.some((name) => model.startsWith(`${name}/`));
const findings = lint.filter(({ model }) => isAskedFor(model));
const doubtful = new Set(values.strict ? findings.map(({ model }) => model) : []);
const models = Object.fromEntries(
  Object.entries(prices).filter(([model]) => isAskedFor(model) && !doubtful.has(model)),
);
for (const { model, finding } of findings) console.error(`${model}: ${finding}`);
console.error(`${Object.keys(models).length} prices, ${findings.length} findings`);
console.log(JSON.stringify({ pricing: { models } }, null, 2));

/** Exits with 1 and a reason if there is no JSON to read. */
function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}
