import { expect, test } from "vitest";
import { EntityEngine } from "../../../src/detectors/entity-engine.ts";
import { piiDetectors } from "../../../src/detectors/pii/catalog.ts";

const engine = new EntityEngine(
  piiDetectors.filter(({ entityType }) => entityType === "PHONE_NUMBER"),
);

function numbersIn(text: string): string[] {
  return engine
    .scan(text, { categories: new Set(["pii"]), threshold: null })
    .map(({ start, end }) => text.slice(start, end));
}

test.each([
  "+14155550132",
  "+1 415-555-0132",
  "+1 (415) 555-0132 x77",
  "+44 20 7946 0958",
  "+44 (0)20 7946 0958",
  "+49 (0) 30 901820",
  "+33 6 12 34 56 78",
  "+34 612 345 678",
  "+39 06 6982 1234",
  "+91-98765-43210",
  "+81 3-3224-9999",
  "+90 532 123 45 67",
  "0049 30 901820",
  "(415) 555-0132",
  "415.555.0132",
  "1-800-555-0199",
  "020 7946 0958",
  "07700 900123",
  "06 12 34 56 78",
  "0532 123 45 67",
])("%s is found without a word for it", (number) => {
  expect(numbersIn(`see ${number}, thanks`)).toEqual([number]);
});

test.each(["4155550132", "98765 43210", "612 345 678", "555-0132", "22 43 91 05", "9123 4567"])(
  "%s is found beside a word for it only",
  (number) => {
    expect(numbersIn(`my phone: ${number}`)).toEqual([number]);
    expect(numbersIn(`the sum ${number}`)).toEqual([]);
  },
);

test.each([
  "on 2031-04-09 at 10:30",
  "from 01.02.2031 to 05/06/2031",
  "192.168.100.200",
  "ISBN 978-3-16-148410-0",
  "serial 415-555-0132-7788",
  "1,415,555,0132",
  "x = 3 + 14155550132",
])("%s holds no telephone number", (text) => {
  expect(numbersIn(text)).toEqual([]);
});
