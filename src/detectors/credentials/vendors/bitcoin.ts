import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const bitcoin: readonly EntityDetector[] = [
  assignedToken({
    id: "bitcoin-private-key",
    entityType: "BITCOIN_PRIVATE_KEY",
    description: "Private key of a Bitcoin wallet in import format.",
    owners: ["private key", "privkey", "wif", "bitcoin", "btc", "wallet"],
    what: null,
    value: "[5KL][1-9A-HJ-NP-Za-km-z]{50,51}",
    exampleName: "",
    examples: [
      "K8XKD11WCzjg24eTgsnMkogvFCZxppFsJWLfGKadZ4gyzyS2LZzA",
      "Kg3vAeispJk4qFoLpCsCcaXwWjZjv7tmhoq7pggW8di4HkC5LqaK",
    ],
  }),
];
