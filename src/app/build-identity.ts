import { readFileSync } from "node:fs";
import type { Version } from "../contract/service-schemas.ts";

/** `build.json` is at the top of the built code. Code that runs from source has none. */
export function buildIdentity(): Version {
  const read = (file: string): Partial<Version> => {
    try {
      // The build itself writes these files.
      return JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8")) as Version;
    } catch {
      return {};
    }
  };
  const { version = "0.0.0" } = read("../../package.json");
  const { commit = null, built_at = null } = read("../build.json");
  return { version, commit, built_at };
}
