import type { ApiKey } from "../../contract/identity.ts";

/**
 * Whether a key may use a model. `model` is its catalog id, `provider/model`, or with own keys the upstream's
 * name for it. `aliases` are its other names (spec: Gateway key attributes). Names must match exactly.
 */
export function mayUseModel(
  { allowedModels }: Pick<ApiKey, "allowedModels">,
  model: string,
  aliases: readonly string[],
): boolean {
  if (allowedModels === null) return true;
  return allowedModels.includes(model) || aliases.some((alias) => allowedModels.includes(alias));
}
