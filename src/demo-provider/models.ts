import { toolsModel } from "./answer.ts";
import { hashModel } from "./body.ts";
import { faults, type Behaviour } from "./faults.ts";
import { rendered, sendAnswer } from "./sending.ts";

/** Models that answer as a healthy provider does; `GET /v1/models` lists them. */
const healthyModels = ["echo", toolsModel, hashModel, "text-embedding-echo"] as const;

/** Every model of the provider with its behaviour. */
export const models: ReadonlyMap<string, Behaviour> = new Map<string, Behaviour>([
  ...healthyModels.map((name): [string, Behaviour] => [name, echo]),
  ...faults,
]);

/** For `GET /v1/models`: one shape that both wires' clients read. */
export const modelListJson: string = JSON.stringify({
  object: "list",
  data: healthyModels.map((id) => ({
    id,
    object: "model",
    created: 1_767_225_600,
    owned_by: "demo",
    type: "model",
    display_name: `Demo ${id}`,
    created_at: "2026-01-01T00:00:00Z",
  })),
  has_more: false,
  first_id: healthyModels[0],
  last_id: healthyModels[healthyModels.length - 1],
});

async function echo(exchange: Parameters<Behaviour>[0]): Promise<void> {
  const answer = rendered(exchange);
  if (answer !== undefined) await sendAnswer(exchange, answer);
}
