import type { EntityDetector } from "../entity.ts";
import { dateAfter } from "./stay-dates.ts";

export const dischargeDate: EntityDetector = {
  id: "discharge-date",
  entityType: "DISCHARGE_DATE",
  label: "DISCHARGE_DATE",
  category: "phi",
  description: "The date on which a patient was discharged or died.",
  keywords: ["discharge", "entlass", "death", "deceased", "died"],
  pattern: dateAfter(
    "[Dd]ischarged?(?:[ _-]?[Dd]ate)?|DISCHARGED?(?: DATE)?|Entlass(?:ungs?datum|en am)|" +
      "[Dd]ate[ _-]?of[ _-]?(?:discharge|death)|(?:Date|DATE) (?:of|Of|OF) " +
      "(?:Discharge|DISCHARGE|Death|DEATH)|[Dd]eceased|[Dd]ied|dischargeDate",
  ),
  group: 1,
  score: 0.85,
  positives: [
    ["Discharged home on 04/12/2031.", "04/12/2031"],
    ["Discharge date: 12 April 2031", "12 April 2031"],
    ["dischargeDate: 2031-04-12", "2031-04-12"],
  ],
  negatives: ["discharge of 500 litres", "seen on 04/12/2031"],
};
