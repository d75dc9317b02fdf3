import { describe, expect, test } from "vitest";
import { multipartDelimitersMax } from "../../../src/contract/limits.ts";
import { multipartText } from "../../../src/pipeline/body/multipart-text.ts";
import { cpuMsOf } from "../../support/cpu-time.ts";

const type = "multipart/form-data; boundary=x";
const part = '\r\n--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb';

function isRead(body: string, contentType = type): boolean {
  return multipartText(Buffer.from(body), contentType) !== null;
}

describe("a form of many parts", () => {
  test("is read as far as there are no more than others take", () => {
    expect(isRead(`${part.repeat(multipartDelimitersMax - 1)}\r\n--x--\r\n`)).toBe(true);
    expect(isRead(`${part.repeat(multipartDelimitersMax)}\r\n--x--\r\n`)).toBe(false);
  });

  test.each([
    ["parts", "\r\n--x\r\nA:;charset=latin1\r\n\r\nb"],
    ["delimiters", "--x"],
  ])("is refused at once: %s", (_name, text) => {
    const body = text.repeat((16 * 1024 * 1024) / text.length);
    expect(cpuMsOf(() => expect(isRead(body)).toBe(false))).toBeLessThan(5_000);
  });
});

test("a boundary behind many spaces is found, or not, at once", () => {
  const spaces = " ".repeat(15_000);
  const read = () => isRead("", `multipart/form-data; boundary${spaces}y`);
  expect(cpuMsOf(() => Array.from({ length: 20 }, read))).toBeLessThan(1_500);
  expect(isRead(`${part}\r\n--x--\r\n`, "multipart/form-data; boundary = x")).toBe(true);
});
