import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A file of the dashboard, in memory. */
export interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  /** null: no smaller. */
  readonly brotli: Buffer | null;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The built dashboard by path (`/index.html`, `/assets/…`); empty if it was not built. */
export function readAssets(folder: string): ReadonlyMap<string, Asset> {
  if (!existsSync(path.join(folder, "index.html"))) return new Map();
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return new Map(
    names.flatMap((name) => {
      const type = types[path.extname(name)];
      if (type === undefined) return [];
      const file = path.join(folder, name);
      const packed = `${file}.br`;
      const brotli = existsSync(packed) ? readFileSync(packed) : null;
      const place = `/${name.split(path.sep).join("/")}`;
      return [[place, { type, plain: readFileSync(file), brotli }] as const];
    }),
  );
}
