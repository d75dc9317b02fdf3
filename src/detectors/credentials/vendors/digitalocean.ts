import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const digitalocean: readonly EntityDetector[] = [
  markedToken({
    id: "digitalocean-token",
    entityType: "DIGITALOCEAN_TOKEN",
    description: "Personal, OAuth or refresh token of DigitalOcean.",
    prefix: ["dop_v1_", "doo_v1_", "dor_v1_"],
    body: "[0-9a-f]{64}",
    examples: [
      "a077bbd142880e8427abeec12975fd55911ea2cbd390b656a4d2bad821df997d",
      "29975dcb6de0703b4ab7ed013e50181d960e9558c1530a493afbb8b64cb580fa",
    ],
  }),
  assignedToken({
    id: "digitalocean-spaces-key",
    entityType: "DIGITALOCEAN_SPACES_KEY",
    description: "Secret key of DigitalOcean Spaces.",
    owners: ["spaces", "digitalocean"],
    what: "secret",
    value: "[A-Za-z0-9+/]{43}",
    exampleName: "secret",
    examples: [
      "5ErtPpwZub4Q60SSKdi1edl0y6WU1josnTA0pkHE37A",
      "1AsjarA7717TZnLiRtTFKBsH2cDE2WIOvmeUuymJpEf",
    ],
  }),
];
