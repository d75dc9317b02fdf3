import type { EntityDetector } from "../entity.ts";
import { abaRoutingNumber } from "./aba-routing-number.ts";
import { accountAfterRouting } from "./account-after-routing.ts";
import { accountBesideRouting } from "./account-beside-routing.ts";
import { auAbn } from "./au-abn.ts";
import { auAcn } from "./au-acn.ts";
import { auMedicare } from "./au-medicare.ts";
import { auTfn } from "./au-tfn.ts";
import { barePhoneNumber } from "./bare-phone-number.ts";
import { bareYear } from "./bare-year.ts";
import { base58Address } from "./base58-address.ts";
import { bech32Address } from "./bech32-address.ts";
import { brCnpj } from "./br-cnpj.ts";
import { brCpf } from "./br-cpf.ts";
import { caSin } from "./ca-sin.ts";
import { clockTime } from "./clock-time.ts";
import { cnResidentId } from "./cn-resident-id.ts";
import { creditCard } from "./credit-card.ts";
import { dateOfBirth } from "./date-of-birth.ts";
import { deCommercialRegister } from "./de-commercial-register.ts";
import { deDriverLicense } from "./de-driver-license.ts";
import { deIdCard } from "./de-id-card.ts";
import { deLicensePlate } from "./de-license-plate.ts";
import { dePassport } from "./de-passport.ts";
import { dePhysicianNumber } from "./de-physician-number.ts";
import { dePostalCode } from "./de-postal-code.ts";
import { dePracticeNumber } from "./de-practice-number.ts";
import { deSocialSecurity } from "./de-social-security.ts";
import { deTaxId } from "./de-tax-id.ts";
import { deTaxNumber } from "./de-tax-number.ts";
import { deVatId } from "./de-vat-id.ts";
import { dkCpr } from "./dk-cpr.ts";
import { domainName } from "./domain-name.ts";
import { emailAddress } from "./email-address.ts";
import { encodedEmailAddress } from "./encoded-email-address.ts";
import { esNie } from "./es-nie.ts";
import { esNif } from "./es-nif.ts";
import { esPassport } from "./es-passport.ts";
import { ethereumAddress } from "./ethereum-address.ts";
import { europeanStreetAddress } from "./european-street-address.ts";
import { fiPersonalIdentityCode } from "./fi-personal-identity-code.ts";
import { frNir } from "./fr-nir.ts";
import { iban } from "./iban.ts";
import { inAadhaar } from "./in-aadhaar.ts";
import { inGstin } from "./in-gstin.ts";
import { inPan } from "./in-pan.ts";
import { inPassport } from "./in-passport.ts";
import { inVehicleRegistration } from "./in-vehicle-registration.ts";
import { inVoter } from "./in-voter.ts";
import { internationalPhoneNumber } from "./international-phone-number.ts";
import { ipv4Address } from "./ipv4-address.ts";
import { ipv6Address } from "./ipv6-address.ts";
import { ipv6MappedAddress } from "./ipv6-mapped-address.ts";
import { itDriverLicense } from "./it-driver-license.ts";
import { itFiscalCode } from "./it-fiscal-code.ts";
import { itIdentityCard } from "./it-identity-card.ts";
import { itPassport } from "./it-passport.ts";
import { itVatCode } from "./it-vat-code.ts";
import { krBrn } from "./kr-brn.ts";
import { krDriverLicense } from "./kr-driver-license.ts";
import { krFrn } from "./kr-frn.ts";
import { krPassport } from "./kr-passport.ts";
import { krRrn } from "./kr-rrn.ts";
import { labelledPhoneNumber } from "./labelled-phone-number.ts";
import { labelledPostalCode } from "./labelled-postal-code.ts";
import { macAddress } from "./mac-address.ts";
import { militaryAddress } from "./military-address.ts";
import { monthYear } from "./month-year.ts";
import { namedDateDetector } from "./named-date.ts";
import { nationalPhoneNumber } from "./national-phone-number.ts";
import { ngNin } from "./ng-nin.ts";
import { ngVehicleRegistration } from "./ng-vehicle-registration.ts";
import { nlBsn } from "./nl-bsn.ts";
import { noBirthNumber } from "./no-birth-number.ts";
import { numericDateDetector } from "./numeric-date.ts";
import { phTin } from "./ph-tin.ts";
import { plPesel } from "./pl-pesel.ts";
import { seOrganisationsnummer } from "./se-organisationsnummer.ts";
import { sePersonnummer } from "./se-personnummer.ts";
import { sgNricFin } from "./sg-nric-fin.ts";
import { sgUen } from "./sg-uen.ts";
import { streetAddress } from "./street-address.ts";
import { thNationalId } from "./th-national-id.ts";
import { trLicensePlate } from "./tr-license-plate.ts";
import { trNationalId } from "./tr-national-id.ts";
import { ukDrivingLicence } from "./uk-driving-licence.ts";
import { ukNhs } from "./uk-nhs.ts";
import { ukNino } from "./uk-nino.ts";
import { ukPassport } from "./uk-passport.ts";
import { ukPostcode } from "./uk-postcode.ts";
import { ukVehicleRegistration } from "./uk-vehicle-registration.ts";
import { url } from "./url.ts";
import { usBankNumber } from "./us-bank-number.ts";
import { usDriverLicense } from "./us-driver-license.ts";
import { usItin } from "./us-itin.ts";
import { usPassport } from "./us-passport.ts";
import { usSsn } from "./us-ssn.ts";
import { usZipCode } from "./us-zip-code.ts";
import { zaIdNumber } from "./za-id-number.ts";

/**
 * Identifiers of persons, companies, devices and places that have a shape of their own. To add one, add its
 * file and a line here.
 */
export const piiDetectors: readonly EntityDetector[] = [
  abaRoutingNumber,
  accountAfterRouting,
  accountBesideRouting,
  auAbn,
  auAcn,
  auMedicare,
  auTfn,
  barePhoneNumber,
  bareYear,
  base58Address,
  bech32Address,
  brCnpj,
  brCpf,
  caSin,
  clockTime,
  cnResidentId,
  creditCard,
  dateOfBirth,
  deCommercialRegister,
  deDriverLicense,
  deIdCard,
  deLicensePlate,
  dePassport,
  dePhysicianNumber,
  dePostalCode,
  dePracticeNumber,
  deSocialSecurity,
  deTaxId,
  deTaxNumber,
  deVatId,
  dkCpr,
  domainName,
  emailAddress,
  encodedEmailAddress,
  esNie,
  esNif,
  esPassport,
  ethereumAddress,
  europeanStreetAddress,
  fiPersonalIdentityCode,
  frNir,
  iban,
  inAadhaar,
  inGstin,
  inPan,
  inPassport,
  inVehicleRegistration,
  inVoter,
  internationalPhoneNumber,
  ipv4Address,
  ipv6Address,
  ipv6MappedAddress,
  itDriverLicense,
  itFiscalCode,
  itIdentityCard,
  itPassport,
  itVatCode,
  krBrn,
  krDriverLicense,
  krFrn,
  krPassport,
  krRrn,
  labelledPhoneNumber,
  labelledPostalCode,
  macAddress,
  militaryAddress,
  monthYear,
  namedDateDetector,
  nationalPhoneNumber,
  ngNin,
  ngVehicleRegistration,
  nlBsn,
  noBirthNumber,
  numericDateDetector,
  phTin,
  plPesel,
  seOrganisationsnummer,
  sePersonnummer,
  sgNricFin,
  sgUen,
  streetAddress,
  thNationalId,
  trLicensePlate,
  trNationalId,
  ukDrivingLicence,
  ukNhs,
  ukNino,
  ukPassport,
  ukPostcode,
  ukVehicleRegistration,
  url,
  usBankNumber,
  usDriverLicense,
  usItin,
  usPassport,
  usSsn,
  usZipCode,
  zaIdNumber,
];
