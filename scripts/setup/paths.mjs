import path from "node:path";
import { fileURLToPath } from "node:url";

export const rootDir = fileURLToPath(new URL("../..", import.meta.url));
export const toolchainDir = path.join(rootDir, ".toolchain");
export const modulesDir = path.join(rootDir, "node_modules");
export const distDir = path.join(rootDir, "dist");
