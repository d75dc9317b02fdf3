import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const heroku: readonly EntityDetector[] = [
  markedToken({
    id: "heroku-token",
    entityType: "HEROKU_API_KEY",
    description: "API key of Heroku.",
    prefix: "HRKU-",
    body: String.raw`AA[\w-]{58}`,
    examples: [
      "AAy0oSB4sa4hLQtDVEpHoGN4RbVd7cqGtjrkd6oaet8Ix2kp4NKJRffyoDnK",
      "AARb9isPy37N5zJlLrxREAZK1AyJ95qdcXwTDUg6iOZobVq8dMnRNyomEq5H",
    ],
  }),
  assignedToken({
    id: "heroku-api-key",
    entityType: "HEROKU_API_KEY",
    description: "API key of Heroku without a prefix.",
    owners: ["heroku"],
    value: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    examples: ["be0aba9c-505e-349b-50aa-ca11f418b67a", "162bd6ec-ebf5-63b0-1b40-1dd134cdbcf3"],
  }),
];
