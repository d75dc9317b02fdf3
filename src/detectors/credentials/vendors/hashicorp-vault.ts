import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const hashicorpVault: readonly EntityDetector[] = [
  markedToken({
    id: "vault-service-token",
    entityType: "VAULT_TOKEN",
    description: "Service token of HashiCorp Vault.",
    prefix: "hvs.",
    body: String.raw`[\w-]{90,120}|[A-Za-z0-9]{24}`,
    examples: [
      "TaQuBr5e9cK3Syv1oQVxbL7Bb9Q6HIwyRdwCoq33UxxY8c2hwF6sD9HOwXlmnwI5T0VHXErsRccQF6Hyit41X2xLy9tpz6t",
      "gJzIJlOuyOcxHgVhofgI1f4DDQrWULjxAe3doGxBIxVNny5sC2T3TFHpW9wSpQVqqIyq34187J9h1SDqztnPT8XdjlFUhiu",
      "b1F6w70WAKadYEjW1W5bSapf",
    ],
  }),
  markedToken({
    id: "vault-batch-token",
    entityType: "VAULT_TOKEN",
    description: "Batch token of HashiCorp Vault.",
    prefix: ["hvb.", "hvr."],
    body: String.raw`[\w-]{138,300}`,
    examples: [
      "GAdSCas9RwFyzjtUgqGO6sXbQVFfncTut6tAjZ5FdXlLFDe1RfakyqcgX9JgHIErW2UmCmSkAGYgG0IDx5Xc33lt6RoJrKg3dUVtOJmlQkbcwdEm9xcVElXN8iqiFoh5zq4oWNKImBi9mA",
      "wEej1Qzpw7FnjKCLbhjLzTgM7OQFZwkezgwSPQRrFQeZLWT6W1nYJ12zJIRIL4TpafFmX76yJYIYwH7YXnaDayjuh7OCgMPiSh21mglKfEOjFJT4hyZYgjP5PTf2vYt9THG4PyT0SJIj3C",
    ],
  }),
  assignedToken({
    id: "vault-legacy-token",
    entityType: "VAULT_TOKEN",
    description: "Service token of HashiCorp Vault before 1.10.",
    owners: ["vault"],
    value: String.raw`s\.[A-Za-z0-9]{24}`,
    exampleName: "token",
    examples: ["s.X4KesdYNVvYDeXEKtAqNohDx", "s.yyrizJQjgZFxYghCcjYwluRA"],
    negatives: ["vault_token = s.thisIsTheLongNameOfATok"],
  }),
];
