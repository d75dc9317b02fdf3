import { spendIn } from "./jobs.ts";
import type { World } from "./world.ts";

/**
 * A thread is in the middle of a change of an account: now and then it stands still there, and the
 * other one goes on, with changes of its own. For a table's `between`.
 */
export function standStill(world: World, thread: number): void {
  const { gateway, random } = world;
  if (gateway === null || world.isCalm || world.standsStill) return;
  const stands = gateway.serving[thread];
  const goesOn = gateway.serving[1 - thread];
  if (stands === undefined || goesOn === undefined) return;
  if (!random.chance(world.weather.standStills)) return;
  world.count("stood still");
  world.note(`thread ${thread} stands still in a change`);
  world.standsStill = true;
  for (let times = random.integer(1, 3); times > 0; times -= 1) spendIn(world, goesOn.spender);
  world.standsStill = false;
  world.note(`thread ${thread} goes on`);
  stands.spender.overtaken(goesOn.spender);
}
