import { expect, test } from "vitest";
import { waitText } from "../../../src/pipeline/limits/wait-text.ts";

test.each([
  [1, "1 second"],
  [2, "2 seconds"],
  [119, "119 seconds"],
  [120, "2 minutes"],
  [121, "3 minutes"],
  [7_199, "120 minutes"],
  [7_200, "2 hours"],
  [86_401, "25 hours"],
  [172_800, "2 days"],
  [2_592_001, "31 days"],
])("%i s is told as %s", (seconds, text) => {
  expect(waitText(seconds)).toBe(text);
});
