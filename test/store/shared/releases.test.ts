import { expect, test } from "vitest";
import { isOlderRelease } from "../../../src/store/shared/releases.ts";

test.each([
  ["0.1.0", "0.0.0", false],
  ["0.1.0", "0.1.0", false],
  ["0.1.0", "0.1.1", true],
  ["0.9.0", "0.10.0", true],
  ["1.0.0", "0.10.3", false],
  ["1.2.3-rc.1", "1.2.3", false],
  ["1.2", "1.2.1", true],
])("%s is older than %s: %s", (release, than, isOlder) => {
  expect(isOlderRelease(release, than)).toBe(isOlder);
});
