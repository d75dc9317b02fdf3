import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const doppler: readonly EntityDetector[] = [
  markedToken({
    id: "doppler-token",
    entityType: "DOPPLER_TOKEN",
    description: "Token of Doppler.",
    prefix: ["dp.pt.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit.", "dp.said."],
    body: "[A-Za-z0-9]{40,44}",
    examples: [
      "pIqhhqY5aDu5QoPgeXLT3V5zdJybzpkCtHcKEGHlPed",
      "1Vb5kMALVyvvXlvVPBSlkXMHMQpw8Zj4Sv7sITvyVCy",
    ],
  }),
  markedToken({
    id: "doppler-service-token",
    entityType: "DOPPLER_TOKEN",
    description: "Service token of Doppler.",
    prefix: "dp.st.",
    body: String.raw`(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}`,
    examples: [
      "prd.3fOnwkUSlnyweRuEPCt8Xtzv0UuYfQqIeyAOoje0YDv",
      "prd.A0fx05IJGaPQvL889zjVN65gZ61q54QIJK5O2XzHEIG",
    ],
  }),
];
