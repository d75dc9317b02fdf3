import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { spawnSync } from "node:child_process";

/** Where the agents lie: beside node_modules and outside the lock file; git knows nothing of it. */
export const installDir = join(import.meta.dirname, "../../.agents");
const manifestPath = join(import.meta.dirname, "packages", "package.json");
const loopsDir = join(import.meta.dirname, "loops");
const stampPath = join(installDir, "node_modules", ".weir-agents");

/**
 * Installs what `packages/package.json` pins, and copies the SDK loops beside it, so that they find
 * their packages. About 1.5 GB the first time, nothing where the stamp is the manifest's.
 * @throws Error where npm fails
 */
export function install(): void {
  const manifest = readFileSync(manifestPath, "utf8");
  mkdirSync(installDir, { recursive: true });
  if (!existsSync(stampPath) || readFileSync(stampPath, "utf8") !== manifest) {
    console.error("installing the agents (about 1.5 GB)");
    rmSync(stampPath, { force: true });
    writeFileSync(join(installDir, "package.json"), manifest);
    const { status } = spawnSync("npm", ["install", "--no-audit", "--no-fund"], {
      cwd: installDir,
      env: {
        ...process.env,
        PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
      },
      stdio: ["ignore", "inherit", "inherit"],
    });
    if (status !== 0) throw new Error("npm could not install the agents; its words stand above");
    writeFileSync(stampPath, manifest);
  }
  rmSync(join(installDir, "loops"), { recursive: true, force: true });
  cpSync(loopsDir, join(installDir, "loops"), { recursive: true });
}

/** A program of an installed package. */
export function binary(name: string): string {
  return join(installDir, "node_modules", ".bin", name);
}

if (import.meta.main) install();
