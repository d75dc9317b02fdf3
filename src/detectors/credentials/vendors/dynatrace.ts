import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const dynatrace: readonly EntityDetector[] = [
  markedToken({
    id: "dynatrace-token",
    entityType: "DYNATRACE_TOKEN",
    description: "API token of Dynatrace.",
    prefix: ["dt0c01.", "dt0s01.", "dt0s02.", "dt0s08."],
    body: String.raw`[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}|[A-Z0-9]{8}\.[A-Z0-9]{64}`,
    examples: [
      "7V3FRGQHYGJ2IYZYSGS7TLDL.UYMQ7FUJRG3H3WGMRZ4KTKG7BKVKFNJXZMPZJJOMKU25KBVTPDTDWGIMJO4R7VIE",
      "54KMWVUEU5VKEQAWACNUIUR4.UVSSTKR4PMMBRP7LK4F4ZA2TPWCY5QVRKRFLM333WQGVPKAXO5H556HLBP72OIIL",
    ],
  }),
];
