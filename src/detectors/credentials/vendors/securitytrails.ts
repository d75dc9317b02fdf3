import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const securitytrails: readonly EntityDetector[] = [
  assignedToken({
    id: "securitytrails-api-key",
    entityType: "SECURITYTRAILS_API_KEY",
    description: "API key of SecurityTrails.",
    owners: ["securitytrails"],
    value: String.raw`[\w-]{32}`,
    examples: ["S9YwgJ1PSQmgEHxflspjXh6JwMibqR2x", "kkJI2Jwj5TPaEhujQVhUL2o50vd56ElS"],
  }),
];
