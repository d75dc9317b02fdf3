import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const ethereum: readonly EntityDetector[] = [
  assignedToken({
    id: "ethereum-private-key",
    entityType: "ETHEREUM_PRIVATE_KEY",
    description: "Private key of an Ethereum account.",
    owners: [
      "private key",
      "priv key",
      "secret key",
      "wallet key",
      "deployer key",
      "signer key",
      "account key",
      "eth key",
      "ethereum",
    ],
    what: null,
    value: "(?:0x)?[0-9a-fA-F]{64}",
    exampleName: "",
    examples: [
      "0xf191cf4da006d0ef0b1667c8f3989c2f0f0149d78956b120ef930b2b35044513",
      "0xdc4dc71263825facbeab5c221aef59ad571d6a099dd0c88ad4ee8a58a3192a0f",
    ],
  }),
];
