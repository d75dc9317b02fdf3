import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nameWindowUnits } from "../../../src/contract/limits.ts";
import { loadNameFinder, type NameFinder } from "../../../src/detectors/names/name-finder.ts";

const finder = loadNameFinder();

/** What is found as [type, text] pairs, at the default threshold. */
function found(text: string, by: NameFinder = finder): (readonly [string, string])[] {
  return by
    .find(text, Infinity)
    .matches.filter(({ score }) => score >= 0.5)
    .map(({ detector, start, end }) => [detector.entityType, text.slice(start, end)]);
}

const person = (text: string): readonly [string, string] => ["PERSON", text];
const location = (text: string): readonly [string, string] => ["LOCATION", text];
const organization = (text: string): readonly [string, string] => ["ORGANIZATION", text];

describe("names are found", () => {
  test.each<readonly [string, readonly (readonly [string, string])[]]>([
    [
      "Marta Kowalczyk reviewed the budget with her colleague Jonas Lindqvist.",
      [person("Marta Kowalczyk"), person("Jonas Lindqvist")],
    ],
    [
      "We spent the weekend in Ljubljana before driving on to Austria.",
      [location("Ljubljana"), location("Austria")],
    ],
    [
      "Dear Dr. Okonkwo,\n\nthank you for seeing me.\n\nKind regards,\nHelen Marsh",
      [person("Okonkwo"), person("Helen Marsh")],
    ],
    [
      "Please send the parcel to 48 Juniper Lane, Bristol BS3 4QT, United Kingdom.",
      [location("48 Juniper Lane, Bristol BS3 4QT, United Kingdom")],
    ],
    [
      "The invoice goes to Bergmann GmbH, Lindenstraße 12, 50674 Köln.",
      [organization("Bergmann GmbH"), location("Lindenstraße 12, 50674 Köln")],
    ],
    [
      '{"firstName": "Amadou", "lastName": "Diallo", "city": "Dakar"}',
      [person("Amadou"), person("Diallo"), location("Dakar")],
    ],
    ['{"Amelia Thornbury": 14}', [person("Amelia Thornbury")]],
    ["Open 24/7 (call Marta Kowalczyk)", [person("Marta Kowalczyk")]],
    ["1   Kwame Mensah   212-664-7665  New York", [person("Kwame Mensah"), location("New York")]],
    ["Name: Sofía Restrepo\nCity: Medellín", [person("Sofía Restrepo"), location("Medellín")]],
    ["mail it to Austin, TX 73301", [location("Austin"), location("TX 73301")]],
    ["my sister anna lives near gothenburg", [person("anna"), location("gothenburg")]],
    [
      "J.R. Whitcombe and Mary-Anne O'Leary signed the lease.",
      [person("J.R. Whitcombe"), person("Mary-Anne O'Leary")],
    ],
    [
      "Meeting with Yuki Tanaka and Nguyễn Thị Hạnh in Osaka.",
      [person("Yuki Tanaka"), person("Nguyễn Thị Hạnh"), location("Osaka")],
    ],
    [
      "🎉 Ana\u0301 Torres lives in Málaga 👩‍👩‍👧 with José.",
      [person("Ana\u0301 Torres"), location("Málaga"), person("José")],
    ],
  ])("%j", (text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});

describe("what is no name is not", () => {
  test.each([
    "Der Hund schläft unter dem Tisch, weil die Sonne auf das Dach scheint.",
    "Die Regierung plant eine Reform der Steuern und der Versicherung.",
    "Les enfants jouent dans le jardin pendant que le chat dort.",
    "const HttpClient = new Client({ Timeout: 30, Retry: true });",
    "SELECT Name, Price FROM Products WHERE Status = 'Open' ORDER BY Price DESC;",
    '{"type": "object", "properties": {"Title": {"type": "string"}}, "required": ["Title"]}',
    "The meeting is on Monday in March. Please bring the Report.",
    "How do I sort a list in Python or Java?",
    "Error: Connection refused. Retrying in 5 seconds.",
    "Table of Contents\nIntroduction\nMethods\nResults",
    "IMPORTANT: READ THE MANUAL BEFORE USE",
    "Der Fehler liegt im Netzwerk, nicht in der Datei.",
    "漢字だけの文章です。",
    "A, B and C",
    "HbA1c 8.4%, BP 152/94, HR 88 bpm.",
    "Labs: Na 138 mmol/L, K 4.1 mmol/L, WBC 11.2 K/uL",
    "ISBN 978-3-16-148410-0",
    "FIPS 06075",
    "CAS 7732-18-5",
    "EIN 12-3456789; ITIN 912-78-1234",
    "meu CPF é 529.982.247-25",
    "INVOICE No. 2025-00318                               Date: 11.03.",
    "Date: Thu, 6 Feb 2025 16:42:10 +0000",
    '{"State": {"Status": "running", "Pid": 48213}, "Arn": "arn:aws:sts::1:role"}',
    "{'Cookie': 'a=1', 'Pid': 48213}",
    "-----BEGIN PGP PUBLIC KEY BLOCK-----\n-----BEGIN CERTIFICATE-----",
    '"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)"',
    "",
  ])("%j", (text) => {
    expect(found(text)).toEqual([]);
  });
});

test("offsets are UTF-16, in order, apart and inside any text", () => {
  const word = fc.constantFrom(
    "Anna",
    "Smith",
    "Oslo",
    "Inc.",
    "12",
    "Main Street",
    ",",
    "\n",
    "de",
  );
  const text = fc.array(fc.oneof(word, fc.string({ unit: "binary" })), { maxLength: 40 });
  fc.assert(
    fc.property(text, fc.constantFrom(" ", "", "\ud800", "\u0000", "\r\n"), (parts, joint) => {
      const whole = parts.join(joint);
      const { matches, complete } = finder.find(whole, Infinity);
      expect(complete).toBe(true);
      let before = 0;
      for (const { start, end, score } of matches) {
        expect(start).toBeGreaterThanOrEqual(before);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(whole.length);
        expect(score).toBeGreaterThan(0);
        expect(score).toBeLessThanOrEqual(1);
        before = end;
      }
    }),
  );
});

test("the windows of a long text do not hide or shift what is in them", () => {
  const sentence = "Please call Marta Kowalczyk in Ljubljana before noon.\n";
  const text = sentence.repeat(Math.ceil((nameWindowUnits * 3) / sentence.length));
  const expected = found(sentence);
  const all = found(text);
  expect(expected).toEqual([person("Marta Kowalczyk"), location("Ljubljana")]);
  expect(all).toEqual(
    text
      .split("\n")
      .slice(1)
      .flatMap(() => expected),
  );
});

test("what was found before does not matter", () => {
  const text = "Emma gave Oliver 3 apples in Leeds.";
  const alone = found(text);
  found("x ".repeat(9_000) + "Jonas Lindqvist");
  expect(found(text)).toEqual(alone);
});

test.each([
  ["capitals", "JOHN SMITH "],
  ["letters", "A "],
  ["commas", "A,"],
  ["particles", "van "],
  ["numbers", "1 A "],
  ["no space", "Aa1"],
  ["halves of pairs", "\ud83d"],
])("a text of nothing but %s is searched to its end, in bounded matches", (_, part) => {
  const text = part.repeat(20_000);
  const { matches, complete } = finder.find(text, Infinity);
  expect(complete).toBe(true);
  for (const { start, end } of matches) expect(end - start).toBeLessThan(400);
});

const part = fc.constantFrom(
  ..."van de la of the am Anna anna oslo Lima berlin IBM Inc J Dr GmbH Street road é 12 5th B".split(
    " ",
  ),
  ...[".", ",", "-", "&", "'", '"', ":", "(", "/", "\n", "\n\n", "@", "{", "-----", "\u0301"],
);
const anyText = fc
  .array(fc.tuple(part, fc.constantFrom("", " ", "   ")), { maxLength: 30 })
  .map((parts) => parts.flat().join(""));

test("a text's names do not depend on what was searched before", () => {
  fc.assert(
    fc.property(anyText, anyText, fc.constantFrom("", "anna van oslo"), (before, text, last) => {
      finder.find(before, Infinity);
      expect(finder.find(text + last, Infinity)).toEqual(
        loadNameFinder().find(text + last, Infinity),
      );
    }),
    { numRuns: 400 },
  );
});

test("a text whose time is over is searched in part, and says so", () => {
  const text = "Jonas Lindqvist went home.\n".repeat(2_000);
  const { matches, complete } = finder.find(text, performance.now() - 1);
  expect(complete).toBe(false);
  expect(matches.length).toBeGreaterThan(0);
  expect(Math.max(...matches.map(({ end }) => end))).toBeLessThanOrEqual(nameWindowUnits);
  expect(finder.find("Jonas Lindqvist", performance.now() - 1).complete).toBe(true);
});

test("a model that is missing is an error at once", () => {
  expect(() => loadNameFinder("/nowhere/names.bin")).toThrow(/ENOENT/);
});
