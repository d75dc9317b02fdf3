import type { ProviderAccount } from "../contract/account.ts";
import { models } from "../demo-provider/models.ts";
import { startDemoProvider, type DemoProvider } from "../demo-provider/server.ts";

/** Starts the built-in provider if any account uses it. */
export async function startDemo(
  accounts: readonly ProviderAccount[],
): Promise<DemoProvider | null> {
  return accounts.some(({ type }) => type === "demo") ? startDemoProvider() : null;
}

/** The demo accounts with their provider's address and all of its models. */
export function withDemoProvider(
  accounts: readonly ProviderAccount[],
  demo: DemoProvider | null,
): readonly ProviderAccount[] {
  if (demo === null) return accounts;
  return accounts.map((account) => {
    if (account.type !== "demo") return account;
    const listed = new Set(account.models.map(({ id }) => id));
    const others = [...models.keys()].filter((id) => !listed.has(id));
    return {
      ...account,
      origin: demo.origin,
      models: [
        ...account.models,
        ...others.map((id) => ({ id, alias: null, priority: 0, weight: 1 })),
      ],
    };
  });
}
