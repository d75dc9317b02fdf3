import type { EntityDetector } from "../entity.ts";
import { dateAfter } from "./stay-dates.ts";

export const admissionDate: EntityDetector = {
  id: "admission-date",
  entityType: "ADMISSION_DATE",
  label: "ADMISSION_DATE",
  category: "phi",
  description: "The date on which a patient was admitted or seen.",
  keywords: ["admi", "aufnahme", "service", "visit", "dos", "encounter", "surgery"],
  pattern: dateAfter(
    "[Aa]dmi(?:tted|ssion|t)(?:[ _-]?[Dd]ate)?|ADMI(?:SSION|TTED)(?: DATE)?|Aufnahmedatum|" +
      "[Dd]ate[ _-]?of[ _-]?(?:admission|service|visit|surgery)|(?:Date|DATE) (?:of|Of|OF) " +
      "(?:Admission|ADMISSION|Service|SERVICE|Visit|VISIT|Surgery|SURGERY)|DOS|DOA|" +
      "[Ee]ncounter[ _-]?[Dd]ate|admissionDate",
  ),
  group: 1,
  score: 0.85,
  otherwise: ["university", "school", "college", "ticket", "tickets"],
  positives: [
    ["Admitted on 04/09/2031 with chest pain", "04/09/2031"],
    ["Admission Date: 2031-04-09", "2031-04-09"],
    ["Date of service April 9, 2031", "April 9, 2031"],
  ],
  negatives: ["college admission 04/09/2031", "admitted defeat", "he left on 04/09/2031"],
};
