import { refuse } from "../../src/contract/errors.ts";
import { accept } from "../../src/contract/outcome.ts";
import type { Forward } from "../../src/exchange/exchange.ts";
import type { PaidScanServices } from "../../src/endpoints/scan/paid-scan.ts";
import type { Scan } from "../../src/pipeline/screen/screen.ts";
import { planAnswer } from "./answers.ts";
import { responseIdOf } from "./response-id.ts";
import { scanMicroUsd, scanTokensMin } from "./simulated-gateway.ts";
import { forwardTo } from "./simulated-provider.ts";
import type { World } from "./world.ts";

/** Calls a provider that answers, fails and charges as the world has it. */
export const forwardWith =
  (world: World): Forward =>
  (call, plan, exchange) => {
    const { requestId } = exchange;
    const body = JSON.parse(Buffer.concat(call.body).toString()) as {
      readonly max_tokens?: number;
      readonly max_output_tokens?: number;
      readonly stream?: boolean;
    };
    const { failures, excess } = world.weather;
    const answer = planAnswer(
      {
        wire: plan.wire ?? "chat",
        isCount: exchange.head.path.endsWith("/count_tokens"),
        id: responseIdOf(requestId),
        stream: body.stream ?? false,
        outputTokensMax: body.max_tokens ?? body.max_output_tokens ?? 0,
        failures: world.isCalm ? 0 : failures,
        excess,
      },
      world.random,
    );
    return forwardTo(answer, { call, plan, exchange }, world.random, world.time, (charge) => {
      world.note(`${requestId}: the provider charges ${charge}`);
      world.oracle.charges.set(requestId, BigInt(charge));
    });
  };

/** A scan for a verdict, which may fail. */
export const scanWith =
  (world: World): Scan =>
  async () => {
    await world.time.sleep(world.random.between(0, 3), "process");
    const fails = world.random.chance(world.weather.failures);
    if (fails) return refuse("detector_unavailable", "A simulated detector failed.");
    const isBlocked = world.random.chance(world.weather.failures);
    return accept({
      kind: "verdict",
      injection: isBlocked ? block : allow,
      leaves: 1,
      worst: null,
    });
  };

/** A reported scan, which may fail; what it costs is known from its tokens. */
export const reportWith =
  (world: World): PaidScanServices["report"] =>
  async ({ bytes }) => {
    await world.time.sleep(world.random.between(0, 30), "process");
    const fails = world.random.chance(world.weather.failures);
    if (fails) return refuse("detector_unavailable", "A simulated detector failed.");
    const tokens = world.random.integer(0, bytes.length);
    const [requestId = ""] = String(JSON.parse(Buffer.from(bytes).toString())).split("|");
    const charge = Math.max(tokens, scanTokensMin) * scanMicroUsd;
    world.note(`${requestId}: the scan costs ${charge}`);
    world.oracle.charges.set(requestId, BigInt(charge));
    return accept({
      kind: "report",
      input_tokens: tokens,
      billable_tokens: tokens,
      scannedJson: `{"spans":[],"unscanned":[]}`,
      injection: allow,
      entities: null,
      detectionsJson: "[]",
      findingCounts: null,
      redactedJson: null,
    });
  };

const allow = { verdict: "allow", score: 0, reason_code: "below_strict_threshold" } as const;
const block = { verdict: "block", score: 1, reason_code: "at_or_above_selected" } as const;
