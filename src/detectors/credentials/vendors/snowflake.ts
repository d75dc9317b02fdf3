import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const snowflake: readonly EntityDetector[] = [
  assignedToken({
    id: "snowflake-password",
    entityType: "SNOWFLAKE_PASSWORD",
    description: "Password or token of a Snowflake account.",
    owners: ["snowflake"],
    what: "(?:password|token|secret)",
    value: "[A-Za-z0-9!@#$%^&*_+=.-]{12,64}",
    exampleName: "password",
    examples: ["OCYfXvbnu5Q7WaNggPLr", "K2rsMStxL7Tc6b6kz3Rt"],
  }),
];
