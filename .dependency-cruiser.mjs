// Who may import whom. test/tooling/import-rules.test.ts breaks every rule once.

/** What any thread may ask of V8. */
const garbage = "collect-garbage[.]ts$";

/**
 * Besides itself, a folder of src/ imports these.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const mayImport = {
  contract: [],
  json: ["contract"],
  sse: [],
  detectors: ["contract"],
  billing: ["contract"],
  workers: ["contract", "detectors", "json", garbage],
  store: ["contract", "billing", garbage],
  // The keys API makes accounts of what it stores as the configuration does of its own.
  pipeline: [
    "contract",
    "json",
    "sse",
    "detectors",
    "billing",
    "workers",
    "store",
    "config-accounts[.]ts$",
  ],
  proxy: ["contract", "json", "sse", "pipeline", garbage],
  // What one thread tells another; `proxy-thread.ts` beside main.ts runs in the others.
  threads: ["contract", "store", "pipeline", "proxy", "open-limits[.]ts$"],
};

/**
 * A package with faults that one folder knows how to live with is imported there only.
 * @type {Readonly<Record<string, string>>}
 */
const importedOnlyIn = {
  "uWebSockets.js": "proxy",
  undici: "proxy",
  piscina: "workers",
  lmdb: "store",
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
      { path: "^src/(pipeline|proxy|threads|[^/]+[.]ts)" },
      { path: "^src/detectors/catalog[.]ts$" },
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
