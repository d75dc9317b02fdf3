// Who may import whom. test/tooling/import-rules.test.ts breaks every rule once.

/** What reads nothing but the contract's types, limits and errors: every room may import these. */
const leaves = ["contract", "runtime"];
/** What a step of a request may import, and so may an endpoint. */
const ofSteps = ["exchange", "json", "sse", "billing", "detectors", "store", "workers"];
/** What a listener calls: the frame of every endpoint, and the table that names them. */
const entryOfPipeline = "pipeline/(serve|routes)[.]ts$";

/**
 * Besides itself, a folder of src/ imports these.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const mayImport = {
  contract: [],
  runtime: ["contract"],
  exchange: ["contract"],
  json: ["contract"],
  sse: ["contract"],
  billing: ["contract"],
  detectors: ["contract"],
  openapi: ["contract"],
  // The demo provider is a program of its own that happens to run in this process.
  "demo-provider": ["contract"],
  // The file is read with the places of its members, so that a fault can name them.
  config: ["contract", "json"],
  workers: [...leaves, "detectors", "json"],
  store: [...leaves, "billing"],
  pipeline: [...leaves, ...ofSteps],
  endpoints: [...leaves, ...ofSteps, "pipeline", "openapi"],
  proxy: [...leaves, "exchange", "sse", entryOfPipeline],
  threads: [...leaves, "exchange", "store", "proxy", entryOfPipeline],
  app: ["(?!main[.]ts)"],
};

/**
 * A package with faults that one folder knows how to live with is imported there only.
 * @type {Readonly<Record<string, string>>}
 */
const importedOnlyIn = {
  "uWebSockets.js": "proxy",
  piscina: "workers",
  lmdb: "store/embedded",
  "@duckdb/node-api": "store/read-model",
  pg: "store/shared",
  "node-pg-migrate": "store/shared",
};

const folders = Object.keys(mayImport);

/**
 * No module has such a path: caught by what it imports and by who imports it.
 * @param {string} name
 * @param {string} comment
 * @param {{ path: string, pathNot?: string }} place
 */
function forbidPlace(name, comment, place) {
  return [forbid(name, comment, place, {}), forbid(name, comment, {}, place)];
}

/**
 * @param {string} name
 * @param {string} comment
 * @param {import("dependency-cruiser").IRegularForbiddenRuleType["from"]} from
 * @param {import("dependency-cruiser").IRegularForbiddenRuleType["to"]} to
 * @returns {import("dependency-cruiser").IForbiddenRuleType}
 */
function forbid(name, comment, from, to) {
  return { name, comment, severity: "error", from, to };
}

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...Object.entries(mayImport).map(([folder, others]) =>
      forbid(
        `${folder}-imports`,
        `src/${folder} imports nothing of ours but ${["itself", ...others].join(", ")}`,
        { path: `^src/${folder}/` },
        { path: "^src/", pathNot: [folder, ...others].map((allowed) => `^src/${allowed}`) },
      ),
    ),
    ...Object.entries(importedOnlyIn).map(([packageName, folder]) =>
      forbid(
        `${packageName}-in-${folder}`,
        `only src/${folder} imports ${packageName}`,
        { path: "^src/", pathNot: `^src/${folder}/` },
        { path: `^node_modules/${packageName}/` },
      ),
    ),
    forbid(
      "detectors-load-in-threads",
      "the catalog takes 0.2 s to load, in which a loop would serve nobody",
      { path: "^src/(app|endpoints|pipeline|proxy|threads)/" },
      { path: "^src/detectors/catalog[.]ts$" },
    ),
    forbid(
      "record-is-a-leaf",
      "every step notes in the record what it knows, and the record knows no step",
      { path: "^src/pipeline/record/" },
      { path: "^src/pipeline/(?!record/)" },
    ),
    forbid(
      "shared-store-knows-no-database",
      "what every kind of store shares does not depend on the embedded one; a gateway's copy of a shared store is an embedded one",
      { path: "^src/store/(?!embedded/|shared/)" },
      { path: "^src/store/embedded/" },
    ),
    forbid(
      "main-is-the-top",
      "nothing that runs imports main.ts",
      { path: "^src/" },
      { path: "^src/main[.]ts$" },
    ),
    forbid(
      "no-tests-in-src",
      "src/ runs without tests and benches",
      { path: "^src/" },
      {
        path: "^(test|bench|scripts)/",
      },
    ),
    forbid(
      "no-development-packages",
      "a production install has `dependencies` only",
      { path: "^src/" },
      {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
      },
    ),
    forbid(
      "no-compiler",
      "a start needs it to build, the image does not have it",
      { path: "^src/" },
      { path: "^node_modules/(typescript|@types|vite|preact|preact-iso|@preact)/" },
    ),
    forbid(
      "ui-knows-the-contract",
      "what a page shows, the documented API gives: ui/ imports types of src/contract and nothing else",
      { path: "^ui/src/" },
      { path: "^src/", pathNot: "^src/contract/" },
    ),
    forbid(
      "ui-imports-types",
      "the schemas and their library would travel to every browser",
      { path: "^ui/src/" },
      { path: "^src/", dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "ui-is-a-leaf",
      "the program reads the built files",
      { path: "^src/" },
      { path: "^ui/" },
    ),
    forbid(
      "resolvable",
      "the import names nothing that exists",
      // The agents' own packages are installed on demand, beside the project's (test/agents/README.md).
      { pathNot: "^test/agents/loops/" },
      { couldNotResolve: true },
    ),
    // A circle that only types close is gone when the code runs, and reads well: Outcome has a
    // Refusal, `refuse` returns an Outcome.
    forbid(
      "no-circles",
      "modules that import each other load in an order no one chose",
      {},
      {
        circular: true,
        viaOnly: { dependencyTypesNot: ["type-only"] },
      },
    ),
    forbid(
      "no-orphans",
      "imports nothing and is imported by nothing",
      { orphan: true, path: "^src/" },
      {},
    ),
    ...forbidPlace(
      "known-folders",
      "a new folder of src/ needs a decision record and a line here",
      {
        path: "^src/[^/]+/",
        pathNot: `^src/(${folders.join("|")})/`,
      },
    ),
    ...forbidPlace("named-for-what-it-is", "`utils` and `helpers` say nothing: name the noun", {
      path: "/(util|helper)s?[/.]",
      pathNot: "^node_modules/",
    }),
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    // Imports of types count: a folder that needs another's types knows of it.
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
