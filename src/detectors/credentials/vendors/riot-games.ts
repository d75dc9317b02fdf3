import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const riotGames: readonly EntityDetector[] = [
  markedToken({
    id: "riot-games-api-key",
    entityType: "RIOT_GAMES_API_KEY",
    description: "API key of Riot Games.",
    prefix: "RGAPI-",
    body: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    examples: ["fd733556-0ee0-92c0-55ed-31d31bc651c6", "9255c985-dae4-8031-aafc-f383bec53293"],
  }),
];
