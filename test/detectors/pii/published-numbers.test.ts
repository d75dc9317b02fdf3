import { describe, expect, test } from "vitest";
import { piiDetectors } from "../../../src/detectors/pii/catalog.ts";

/**
 * Numbers that authorities and standards publish as examples, and the same with a wrong check digit:
 * they keep the checksums honest, which a detector's own positives can't.
 */
const numbers = [
  ["aba-routing-number", "021000021", "021000022"],
  ["au-abn", "51 824 753 556", "51 824 753 557"],
  ["au-acn", "004 085 616", "004 085 617"],
  ["au-medicare", "2123 45670 1", "2123 45671 1"],
  ["au-tfn", "123 456 782", "123 456 783"],
  ["br-cnpj", "11.222.333/0001-81", "11.222.333/0001-82"],
  ["br-cpf", "111.444.777-35", "111.444.777-36"],
  ["ca-sin", "193 456 787", "193 456 788"],
  ["cn-resident-id", "11010519491231002X", "110105194912310021"],
  ["credit-card", "4111 1111 1111 1111", "4111 1111 1111 1112"],
  ["de-social-security", "65170839J003", "65170839J004"],
  ["de-tax-id", "86095742719", "86095742718"],
  ["es-nie", "X5253868R", "X5253868T"],
  ["es-nif", "54362315K", "54362315L"],
  ["fi-personal-identity-code", "131052-308T", "131052-308U"],
  ["fr-nir", "2 95 10 99 126 111 93", "2 95 10 99 126 111 94"],
  ["iban", "GB82 WEST 1234 5698 7654 32", "GB82 WEST 1234 5698 7654 33"],
  ["in-aadhaar", "2341 2341 2346", "2341 2341 2347"],
  ["it-fiscal-code", "RSSMRA85T10A562S", "RSSMRA85T10A562T"],
  ["it-vat-code", "IT00743110157", "IT00743110158"],
  ["kr-brn", "120-81-47521", "120-81-47522"],
  ["nl-bsn", "111222333", "111222334"],
  ["no-birth-number", "15108695088", "15108695089"],
  ["pl-pesel", "44051401359", "44051401358"],
  ["se-personnummer", "811218-9876", "811218-9877"],
  ["se-organisationsnummer", "556016-0680", "556016-0681"],
  ["th-national-id", "3-1006-00445-63-5", "3-1006-00445-63-6"],
  ["tr-national-id", "10000000146", "10000000147"],
  ["uk-nhs", "943 476 5919", "943 476 5918"],
  ["za-id-number", "8001015009087", "8001015009088"],
] as const;

const byId = new Map(piiDetectors.map((detector) => [detector.id, detector]));

describe.each(numbers)("%s", (id, right, wrong) => {
  test(`takes ${right}`, () => {
    expect(byId.get(id)?.validate?.(right) ?? false).not.toBe(false);
  });

  test(`does not take ${wrong}`, () => {
    expect(byId.get(id)?.validate?.(wrong)).toBe(false);
  });
});

test.each([
  ["sg-nric-fin", "S1234567D", "S1234567E"],
  ["in-gstin", "27AAPFU0939F1ZV", "27AAPFU0939F1ZA"],
  ["de-vat-id", "DE136695976", "DE136695977"],
  ["kr-rrn", "971013-1019901", "971013-1019902"],
])("%s is less sure of a number whose check digit is wrong", (id, right, wrong) => {
  const detector = byId.get(id);
  const scoreOf = (value: string): number => {
    const verdict = detector?.validate?.(value) ?? false;
    return verdict === true ? (detector?.score ?? 0) : verdict === false ? 0 : verdict;
  };
  expect(scoreOf(right)).toBeGreaterThanOrEqual(0.5);
  expect(scoreOf(wrong)).toBeLessThan(scoreOf(right));
});
