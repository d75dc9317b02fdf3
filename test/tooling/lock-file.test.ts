import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

interface LockedPackage {
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const root = path.resolve(import.meta.dirname, "../..");

// npm leaves a platform's optional package out of the lock file when it can't see it while locking,
// and `npm ci` then refuses the lock file, on every platform.
describe.each([
  "package-lock.json",
  "scripts/toolchain/package-lock.json",
  "bench/peers/package-lock.json",
])("%s", (file) => {
  const { packages } = JSON.parse(readFileSync(path.join(root, file), "utf8")) as {
    packages: Readonly<Record<string, LockedPackage>>;
  };

  test("has every dependency of every package in it", () => {
    const missing = Object.entries(packages).flatMap(
      ([place, { dependencies, optionalDependencies }]) =>
        Object.keys({ ...dependencies, ...optionalDependencies })
          .filter((name) => !isReachable(name, place))
          .map((name) => `${place || "the project"} needs ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test("names no package host", () => {
    expect(
      Object.keys(packages).filter((place) => packages[place]?.resolved !== undefined),
    ).toEqual([]);
  });

  /** Node looks in the package's own node_modules, then in that of each folder above. */
  function isReachable(name: string, place: string): boolean {
    const here = place === "" ? "" : `${place}/`;
    if (`${here}node_modules/${name}` in packages) return true;
    return (
      place !== "" && isReachable(name, place.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ""))
    );
  }
});
