import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const sonar: readonly EntityDetector[] = [
  markedToken({
    id: "sonar-token",
    entityType: "SONAR_TOKEN",
    description: "Token of SonarQube or SonarCloud.",
    prefix: ["squ_", "sqp_", "sqa_"],
    body: String.raw`[\w=-]{40}`,
    examples: [
      "xCZiPBpHQIntDGaWPWea1Ri77VsE1xb55NjSkACX",
      "RF1pcPvAQs99u0S4rfkvNBufb3355EHoypR9SKcG",
    ],
  }),
  assignedToken({
    id: "sonar-legacy-token",
    entityType: "SONAR_TOKEN",
    description: "Token of SonarQube or SonarCloud without a prefix.",
    owners: ["sonar", "sonarqube", "sonarcloud"],
    what: "(?:token|login|password|key)",
    value: String.raw`[\w=-]{40}`,
    exampleName: "login",
    examples: [
      "UIuXkhfiCCL8MkeFzlPN7L33oz9UYowv5o4uZa6e",
      "4qtVkfaiNFDjKAUzaIWWpMnFQXSTwGv118phKlsl",
    ],
  }),
];
