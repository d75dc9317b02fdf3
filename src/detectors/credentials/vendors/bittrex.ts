import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const bittrex: readonly EntityDetector[] = [
  assignedToken({
    id: "bittrex-key",
    entityType: "BITTREX_KEY",
    description: "API key or secret of Bittrex.",
    owners: ["bittrex"],
    value: "[A-Za-z0-9]{32}",
    exampleName: "secret_key",
    examples: ["dxbxSZR7xXJthYXQVNAMHU2dqLy8oLKC", "DqX3cIscZ33nyF7AR2vSvSJM7uw3mZ5i"],
  }),
];
