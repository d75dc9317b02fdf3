import { describe, expect, it } from "vitest";
import { isFileName } from "../../../src/detectors/credentials/file-name.ts";

describe("isFileName", () => {
  it.each(["uploads/3f0c9a1e.png", "keys/id-71.pem", "config.test.json", "C:\\\\keys\\\\db71.txt"])(
    "%j",
    (value) => {
      expect(isFileName(value)).toBe(true);
    },
  );

  it.each(["v7Tq2Lxk81.cQn4Vt90Zp", "kT7!vq2.py", "a.b", ""])("not %j", (value) => {
    expect(isFileName(value)).toBe(false);
  });
});
