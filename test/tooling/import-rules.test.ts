import { cruise, type IConfiguration, type ICruiseResult } from "dependency-cruiser";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import configuration from "../../.dependency-cruiser.mjs";

/** A tree of files that breaks one rule, and what breaks it. */
interface Offence {
  readonly rule: string;
  readonly from: string;
  readonly imports: string;
}

const offences: readonly Offence[] = [
  { rule: "contract-imports", from: "src/contract/a.ts", imports: "../json/b.ts" },
  { rule: "runtime-imports", from: "src/runtime/a.ts", imports: "../json/b.ts" },
  { rule: "exchange-imports", from: "src/exchange/a.ts", imports: "../pipeline/b.ts" },
  { rule: "sse-imports", from: "src/sse/a.ts", imports: "../json/b.ts" },
  { rule: "json-imports", from: "src/json/a.ts", imports: "../detectors/b.ts" },
  { rule: "detectors-imports", from: "src/detectors/a.ts", imports: "../json/b.ts" },
  { rule: "billing-imports", from: "src/billing/a.ts", imports: "../store/b.ts" },
  { rule: "openapi-imports", from: "src/openapi/a.ts", imports: "../endpoints/b.ts" },
  { rule: "demo-provider-imports", from: "src/demo-provider/a.ts", imports: "../json/b.ts" },
  { rule: "config-imports", from: "src/config/a.ts", imports: "../app/b.ts" },
  { rule: "workers-imports", from: "src/workers/a.ts", imports: "../store/b.ts" },
  { rule: "store-imports", from: "src/store/a.ts", imports: "../pipeline/b.ts" },
  { rule: "pipeline-imports", from: "src/pipeline/a.ts", imports: "../proxy/b.ts" },
  { rule: "pipeline-imports", from: "src/pipeline/a.ts", imports: "../proxy/deep/b.ts" },
  { rule: "pipeline-imports", from: "src/pipeline/a.ts", imports: "../endpoints/b.ts" },
  { rule: "pipeline-imports", from: "src/pipeline/a.ts", imports: "../config/b.ts" },
  { rule: "endpoints-imports", from: "src/endpoints/a.ts", imports: "../proxy/b.ts" },
  { rule: "proxy-imports", from: "src/proxy/a.ts", imports: "../store/b.ts" },
  { rule: "proxy-imports", from: "src/proxy/a.ts", imports: "../pipeline/b.ts" },
  { rule: "proxy-imports", from: "src/proxy/a.ts", imports: "../config/b.ts" },
  { rule: "threads-imports", from: "src/threads/a.ts", imports: "../workers/b.ts" },
  { rule: "app-imports", from: "src/app/a.ts", imports: "../main.ts" },
  {
    rule: "record-is-a-leaf",
    from: "src/pipeline/record/a.ts",
    imports: "../money/b.ts",
  },
  {
    rule: "shared-store-knows-no-database",
    from: "src/store/ledger/a.ts",
    imports: "../embedded/b.ts",
  },
  { rule: "uWebSockets.js-in-proxy", from: "src/main.ts", imports: "uWebSockets.js" },
  { rule: "piscina-in-workers", from: "src/pipeline/a.ts", imports: "piscina" },
  { rule: "lmdb-in-store/embedded", from: "src/store/a.ts", imports: "lmdb" },
  {
    rule: "@duckdb/node-api-in-store/read-model",
    from: "src/store/embedded/a.ts",
    imports: "@duckdb/node-api",
  },
  { rule: "pg-in-store/shared", from: "src/store/a.ts", imports: "pg" },
  {
    rule: "node-pg-migrate-in-store/shared",
    from: "src/store/embedded/a.ts",
    imports: "node-pg-migrate",
  },
  {
    rule: "detectors-load-in-threads",
    from: "src/pipeline/a.ts",
    imports: "../detectors/catalog.ts",
  },
  { rule: "main-is-the-top", from: "src/config/a.ts", imports: "../main.ts" },
  { rule: "no-tests-in-src", from: "src/main.ts", imports: "../test/b.ts" },
  { rule: "no-development-packages", from: "src/main.ts", imports: "for-development" },
  { rule: "no-development-packages", from: "src/main.ts", imports: "undeclared" },
  { rule: "no-compiler", from: "src/main.ts", imports: "typescript" },
  { rule: "resolvable", from: "src/main.ts", imports: "./nowhere.ts" },
  { rule: "no-circles", from: "src/json/a.ts", imports: "./a.ts" },
  { rule: "known-folders", from: "src/main.ts", imports: "./misc/b.ts" },
  { rule: "known-folders", from: "src/misc/a.ts", imports: "../json/b.ts" },
  { rule: "named-for-what-it-is", from: "src/main.ts", imports: "./json/utils/b.ts" },
  { rule: "named-for-what-it-is", from: "test/helper.ts", imports: "./b.ts" },
  { rule: "ui-knows-the-contract", from: "ui/src/a.ts", imports: "../../src/json/b.ts" },
  { rule: "ui-imports-types", from: "ui/src/a.ts", imports: "../../src/contract/b.ts" },
  { rule: "ui-is-a-leaf", from: "src/main.ts", imports: "../ui/src/b.ts" },
];
const packages = {
  dependencies: [
    ...["uWebSockets.js", "piscina", "lmdb", "@duckdb/node-api", "pg", "node-pg-migrate"],
    "typescript",
  ],
  devDependencies: ["for-development"],
  neither: ["undeclared"],
};

let root = "";
beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), "weir-import-rules-")));
});
afterAll(async () => {
  await rm(root, { recursive: true });
});

describe("every import rule is broken by its offence", () => {
  test.each(offences)("$rule: $from imports $imports", async (offence) => {
    const project = await projectWith(offence);
    expect(await brokenRules(project)).toContain(offence.rule);
  });

  test("no-orphans: a module alone", async () => {
    const project = await emptyProject();
    await write(project, "src/json/a.ts", "export const a = 1;\n");
    expect(await brokenRules(project)).toContain("no-orphans");
  });

  test("every rule has an offence here", () => {
    const rules = new Set((configuration.forbidden ?? []).map((rule) => rule.name));
    expect(rules).toEqual(new Set([...offences.map(({ rule }) => rule), "no-orphans"]));
  });
});

describe("what is allowed breaks none", () => {
  const allowed: readonly (readonly [from: string, imports: string])[] = [
    ["src/main.ts", "./proxy/b.ts"],
    ["src/config/a.ts", "../contract/b.ts"],
    ["src/pipeline/deep/a.ts", "../../store/b.ts"],
    ["src/endpoints/a.ts", "../pipeline/b.ts"],
    ["src/proxy/listener/a.ts", "../../pipeline/serve.ts"],
    ["src/store/embedded/a.ts", "../ledger/b.ts"],
    ["src/store/embedded/a.ts", "lmdb"],
    ["src/proxy/a.ts", "uWebSockets.js"],
    ["src/workers/a.ts", "piscina"],
    ["src/workers/a.ts", "../json/b.ts"],
    ["test/a.test.ts", "for-development"],
  ];
  test.each(allowed)("%s imports %s", async (from, imports) => {
    expect(await brokenRules(await projectWith({ from, imports }))).toEqual([]);
  });

  test("a page that imports a type of the contract", async () => {
    const project = await emptyProject();
    await write(project, "src/contract/b.ts", "export type B = 1;\n");
    await write(
      project,
      "src/contract/c.ts",
      'import type { B } from "./b.ts";\nexport type C = B;\n',
    );
    const page = 'import type { B } from "../../src/contract/b.ts";\nexport type A = B;\n';
    await write(project, "ui/src/a.ts", page);
    expect(await brokenRules(project)).toEqual([]);
  });

  test("a circle that only types close", async () => {
    const project = await emptyProject();
    await write(project, "src/json/a.ts", 'import type { B } from "./b.ts";\nexport type A = B;\n');
    await write(project, "src/json/b.ts", 'import type { A } from "./a.ts";\nexport type B = A;\n');
    expect(await brokenRules(project)).toEqual([]);
  });
});

async function projectWith({ from, imports }: Omit<Offence, "rule">): Promise<string> {
  const project = await emptyProject();
  await write(project, from, `import * as other from ${JSON.stringify(imports)};\nother;\n`);
  const target = path.join(path.dirname(from), imports);
  if (imports.startsWith(".") && target !== from && !imports.includes("nowhere")) {
    await write(project, target, "export const b = 1;\n");
  }
  return project;
}

async function emptyProject(): Promise<string> {
  const project = await mkdtemp(path.join(root, "project-"));
  for (const name of Object.values(packages).flat()) {
    const manifest = JSON.stringify({ name, version: "1.0.0", main: "index.js" });
    await write(project, `node_modules/${name}/package.json`, manifest);
    await write(project, `node_modules/${name}/index.js`, "");
  }
  const versions = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, "1.0.0"]));
  const manifest = {
    dependencies: versions(packages.dependencies),
    devDependencies: versions(packages.devDependencies),
  };
  await write(project, "package.json", JSON.stringify(manifest));
  await mkdir(path.join(project, "src"));
  await mkdir(path.join(project, "test"));
  await mkdir(path.join(project, "ui"));
  return project;
}

async function write(project: string, file: string, content: string): Promise<void> {
  await mkdir(path.dirname(path.join(project, file)), { recursive: true });
  await writeFile(path.join(project, file), content);
}

async function brokenRules(project: string): Promise<string[]> {
  const { forbidden = [], options = {} }: IConfiguration = configuration;
  const { tsPreCompilationDeps = false, doNotFollow = "", enhancedResolveOptions } = options;
  const result = await cruise(
    ["src", "test", "ui"],
    { tsPreCompilationDeps, doNotFollow, baseDir: project, validate: true, ruleSet: { forbidden } },
    { ...enhancedResolveOptions },
  );
  return (result.output as ICruiseResult).summary.violations.map(({ rule }) => rule.name);
}
