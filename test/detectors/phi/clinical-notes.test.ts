import { expect, test } from "vitest";
import { EntityEngine } from "../../../src/detectors/entity-engine.ts";
import { phiDetectors } from "../../../src/detectors/phi/catalog.ts";
import { piiDetectors } from "../../../src/detectors/pii/catalog.ts";

const engine = new EntityEngine([...piiDetectors, ...phiDetectors]);

function findingsIn(text: string): string[] {
  return engine
    .scan(text, { categories: new Set(["phi"]), threshold: null })
    .map(({ detector, start, end }) => `${detector.entityType} ${text.slice(start, end)}`);
}

test("a discharge summary", () => {
  const note = `DISCHARGE SUMMARY
MRN: 00482139   Medicare: 4HT7-KQ2-WY81
Admission date: 04/02/2031    Discharge date: 04/09/2031

68-year-old man with a history of hypertension, COPD and type 2 diabetes,
admitted with pneumonia. Vitals: BP 148/92, HR 104 bpm, SpO2 91 %.
Labs: creatinine 1.9 mg/dL, WBC 14.2 K/uL.
Started on ceftriaxone and azithromycin; metformin held.
Dx: J18.9, E11.65. CPT 99239.
Attending NPI 1482139007, DEA BH4821395.`;
  expect(findingsIn(note)).toEqual([
    "MEDICAL_RECORD_NUMBER 00482139",
    "MEDICARE_BENEFICIARY_ID 4HT7-KQ2-WY81",
    "ADMISSION_DATE 04/02/2031",
    "DISCHARGE_DATE 04/09/2031",
    "DIAGNOSIS hypertension",
    "DIAGNOSIS COPD",
    "DIAGNOSIS type 2 diabetes",
    "DIAGNOSIS pneumonia",
    "LAB_VALUE BP 148/92",
    "LAB_VALUE HR 104 bpm",
    "LAB_VALUE SpO2 91 %",
    "LAB_VALUE creatinine 1.9 mg/dL",
    "LAB_VALUE WBC 14.2 K/uL",
    "MEDICATION ceftriaxone",
    "MEDICATION azithromycin",
    "MEDICATION metformin",
    "ICD10_CODE J18.9",
    "ICD10_CODE E11.65",
    "CPT_CODE 99239",
    "NPI 1482139007",
    "DEA_NUMBER BH4821395",
  ]);
});

test("a message to a clinic", () => {
  const message =
    "Hi, my insurance member ID is XQH482139075 (Aetna). I was diagnosed with rheumatoid arthritis " +
    "and take methotrexate. Patient number: PT-48213.";
  expect(findingsIn(message)).toEqual([
    "HEALTH_PLAN_ID XQH482139075",
    "DIAGNOSIS rheumatoid arthritis",
    "MEDICATION methotrexate",
    "MEDICAL_RECORD_NUMBER PT-48213",
  ]);
});

test("a record in JSON", () => {
  const record = JSON.stringify({
    patientId: "H4821390",
    admissionDate: "2031-04-02",
    medication: [{ name: "Lisinopril", dose: "10 mg" }],
    icd10: "I10",
    provider: { npi: "1482139007" },
  });
  expect(findingsIn(record)).toEqual([
    "MEDICAL_RECORD_NUMBER H4821390",
    "ADMISSION_DATE 2031-04-02",
    "MEDICATION Lisinopril",
    "ICD10_CODE I10",
    "NPI 1482139007",
  ]);
});

test.each([
  "Diabetes and hypertension are common in many countries.",
  "The stroke of the pen, the depression of 1929, a cold case.",
  "A10 and E11 are roads; B12 is a seat, I10 a field of the form.",
  "The patient record holds 482139 rows and was updated on 04/09/2031.",
  "Lithium batteries, iron ore, caffeine and aspirin's history.",
  "A healthy fasting glucose is below 100 mg/dL.",
  "ticket 1482139007, parcel BH4821390",
])("%s tells nothing of a patient", (text) => {
  expect(findingsIn(text)).toEqual([]);
});
