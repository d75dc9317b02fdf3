import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const ibmCloud: readonly EntityDetector[] = [
  assignedToken({
    id: "ibm-cloud-api-key",
    entityType: "IBM_CLOUD_API_KEY",
    description: "API key of IBM Cloud.",
    owners: ["ibm cloud", "ibm api", "bluemix", "watson"],
    value: String.raw`[\w-]{44}`,
    examples: [
      "rpx8IH5vbljomsx29WujczU9YGP6SxWw4iUiE6LapkRg",
      "aITgqLpaKoJceXBH42IkQFU960mNhJuAPXOEGvgUsWlY",
    ],
  }),
  assignedToken({
    id: "ibm-cos-hmac-secret",
    entityType: "IBM_COS_HMAC_SECRET",
    description: "HMAC secret of IBM Cloud Object Storage.",
    owners: ["cos hmac", "ibm cos"],
    what: "secret",
    value: "[0-9a-f]{48}",
    exampleName: "secret_access_key",
    examples: [
      "6cff31aeea03bdba261ad590acbc5fbb5ecb983b410e6f58",
      "e9b9d56191e28c2f2388dc10da5bffacefd697312bba82af",
    ],
  }),
];
