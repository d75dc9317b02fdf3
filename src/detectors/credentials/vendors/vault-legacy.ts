import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";
import { looksRandom } from "../randomness.ts";

export const vaultLegacy: readonly EntityDetector[] = [
  markedToken({
    id: "vault-legacy-token",
    entityType: "VAULT_TOKEN",
    description: "Service token of HashiCorp Vault before 1.10.",
    prefix: "s.",
    body: "[A-Za-z0-9]{24}",
    score: 0.8,
    validate: (value) => looksRandom(value.slice(2)),
    keywords: ["s."],
    examples: ["X4KesdYNVvYDeXEKtAqNohDx", "yyrizJQjgZFxYghCcjYwluRA"],
  }),
];
