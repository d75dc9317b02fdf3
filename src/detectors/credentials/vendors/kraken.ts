import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const kraken: readonly EntityDetector[] = [
  assignedToken({
    id: "kraken-token",
    entityType: "KRAKEN_TOKEN",
    description: "API key or secret of Kraken.",
    owners: ["kraken"],
    value: "[A-Za-z0-9+/=_-]{80,90}|[A-Za-z0-9+/]{56}",
    exampleName: "private_key",
    examples: [
      "igI5bCpNOTXRxcJ5XDx5gfjBlPDCq7PhrOSzndgw9ZzVOjcQZn0OL69pqxPIvaOvuu0IjG0JRLnrI2omK2JpCm",
      "FlJqxd8KpiLakKUHeOjOHyVXRWVJV1QdQttcSdv0gmiHhaLtynGCi3N10f9QYeZpnOSbciOlfzATW3YheaKzva",
    ],
  }),
];
