import type { EntityDetector } from "../entity.ts";
import { admissionDate } from "./admission-date.ts";
import { cptCode } from "./cpt-code.ts";
import { deHealthInsurance } from "./de-health-insurance.ts";
import { deaNumber } from "./dea-number.ts";
import { diagnosis } from "./diagnosis.ts";
import { dischargeDate } from "./discharge-date.ts";
import { healthGroupNumber } from "./health-group-number.ts";
import { healthPlanId } from "./health-plan-id.ts";
import { icd10Code } from "./icd10-code.ts";
import { labValue } from "./lab-value.ts";
import { medicalLicense } from "./medical-license.ts";
import { medicalRecordNumber } from "./medical-record-number.ts";
import { medicareBeneficiaryId } from "./medicare-beneficiary-id.ts";
import { medication } from "./medication.ts";
import { npi } from "./npi.ts";
import { prefixedRecordNumber } from "./prefixed-record-number.ts";

/**
 * Entities about patients in notes, claims and records. To add one, add its file and a line here.
 */
export const phiDetectors: readonly EntityDetector[] = [
  admissionDate,
  cptCode,
  deHealthInsurance,
  deaNumber,
  diagnosis,
  dischargeDate,
  healthGroupNumber,
  healthPlanId,
  icd10Code,
  labValue,
  medicalLicense,
  medicalRecordNumber,
  medicareBeneficiaryId,
  medication,
  npi,
  prefixedRecordNumber,
];
