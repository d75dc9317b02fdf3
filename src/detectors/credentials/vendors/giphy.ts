import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const giphy: readonly EntityDetector[] = [
  assignedToken({
    id: "giphy-api-key",
    entityType: "GIPHY_API_KEY",
    description: "API key of Giphy.",
    owners: ["giphy"],
    value: "[A-Za-z0-9]{32}",
    examples: ["CPCYTO0OT032rbEY4rkYcbV7Hkf9GvEo", "4FTP5wuYlQnJDjTOzdTjcXLG8D65lco4"],
  }),
];
