import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const etherscan: readonly EntityDetector[] = [
  assignedToken({
    id: "etherscan-api-key",
    entityType: "ETHERSCAN_API_KEY",
    description: "API key of Etherscan and its siblings.",
    owners: ["etherscan", "bscscan", "polygonscan", "arbiscan"],
    value: "[A-Z0-9]{34}",
    examples: ["HFYWFZ38JTQAG5G4O3TY80D84STC3B0TH8", "EKDYR8NNBI66ND9OWT4Z7GZ6KEDI1MUM7E"],
  }),
];
