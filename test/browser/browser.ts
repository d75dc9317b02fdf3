import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

/** Where Debian, Ubuntu and Alpine install it. */
const usual = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser that the tests use; undefined if this machine has none. `CHROMIUM` names another one. */
export const browserPath = process.env["CHROMIUM"] ?? usual.find((path) => existsSync(path));

if (browserPath === undefined) {
  console.warn(
    "SKIPPED: the dashboard's tests in a browser. Install one (apt-get install chromium), or name one in CHROMIUM.",
  );
}

export function launchBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error("there is no browser");
  // The container is the sandbox: as root, Chromium's own does not start.
  return chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
}
