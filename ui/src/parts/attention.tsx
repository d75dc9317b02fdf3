import { useEffect, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { AuditEventRow } from "../../../src/contract/audit-api.ts";
import type { Provider } from "../../../src/contract/keys-api/provider.ts";
import type { ProviderHealth } from "../../../src/contract/keys-api/provider-health.ts";
import type { ListedUsageLimit } from "../../../src/contract/keys-api/usage-limit.ts";
import { call, gatewayPath, withQuery } from "../api.ts";
import { asError, type Data, type Page } from "../data.ts";
import { count, percent, usd } from "../format.ts";
import { may, session } from "../session.ts";
import { Mark } from "./basics.tsx";
import { useOrganizations } from "./organizations.tsx";

interface Item {
  readonly kind: "bad" | "warn";
  readonly what: string;
  readonly href: string;
  readonly more: string;
}

/** The most organizations and accounts that are asked for, one call each. */
const askedMax = 50;
/** The most limits; they come in one answer. */
const limitsMax = 1000;
const limitShare = 0.8;

interface Balance {
  readonly balanceUsd: string;
  readonly isLow: boolean;
}

/** What somebody should look at now; nothing for a member, who can change nothing. */
export function Attention({ since }: { readonly since: string }) {
  const organizations = useOrganizations();
  const [items, setItems] = useState<readonly Item[] | null>(null);
  const isMember = session.value?.key.role === "member";
  const ids = organizations
    .slice(0, askedMax)
    .map(({ id }) => id)
    .join();
  useEffect(() => {
    if (isMember) return undefined;
    const left = new AbortController();
    const ask: Ask = (path) => call(path, { signal: left.signal });
    const names = new Map(organizations.map(({ id, name }) => [id, name]));
    const questions = [
      unready(ask),
      skippedDebits(ask, since),
      fullLimits(ask, names),
      ...(may("operate") ? [openCircuits(ask)] : []),
      ...ids
        .split(",")
        .filter((id) => id !== "")
        .map((id) => lowBalance(ask, id, names.get(id) ?? id)),
    ];
    // One that can't be answered must not hide the others.
    void Promise.allSettled(questions).then((answers) => {
      if (left.signal.aborted) return;
      setItems(answers.flatMap((one) => (one.status === "fulfilled" ? one.value : [])));
    });
    return () => left.abort();
  }, [ids, isMember, since]);
  if (isMember || items === null) return null;
  return (
    <section aria-label="What needs attention">
      <ul class="attention">
        {items.length === 0 ? (
          <Line>
            <Mark kind="good">Nothing needs attention.</Mark>
          </Line>
        ) : (
          items.map(({ kind, what, href, more }) => (
            <Line key={what + more}>
              <Mark kind={kind}>{what}</Mark>
              <a href={href}>{more}</a>
            </Line>
          ))
        )}
      </ul>
    </section>
  );
}

function Line({ children }: { readonly children: ComponentChildren }) {
  return <li>{children}</li>;
}

type Ask = <T>(path: string) => Promise<T>;

async function unready(ask: Ask): Promise<readonly Item[]> {
  try {
    await ask("/readyz");
    return [];
  } catch (failure) {
    const { message, status } = asError(failure);
    if (status !== 503) return [];
    return [{ kind: "bad", what: "The gateway is not ready", href: "/audit", more: message }];
  }
}

/** Accounts that are out of rotation, because they failed. */
async function openCircuits(ask: Ask): Promise<readonly Item[]> {
  const { data } = await ask<Page<Provider>>(`${gatewayPath}/providers?limit=${askedMax}`);
  const health = await Promise.all(
    data.map(({ name }) => ask<Data<ProviderHealth>>(`${gatewayPath}/providers/${name}/health`)),
  );
  return health
    .filter((one) => one.data.circuit !== "closed")
    .map((one) => ({
      kind: one.data.circuit === "open" ? ("bad" as const) : ("warn" as const),
      what: "A provider's account is out of rotation",
      href: "/providers",
      more: one.data.name,
    }));
}

async function skippedDebits(ask: Ask, since: string): Promise<readonly Item[]> {
  const kind = "payg.debit.insufficient_balance";
  const path = withQuery("/v1/audit/events", { event_type: kind, since, limit: 50 });
  const { data, nextCursor } = await ask<Page<AuditEventRow>>(path);
  if (data.length === 0) return [];
  const many = `${count(data.length)}${nextCursor === null ? "" : " or more"}`;
  const href = `/audit?event_type=${kind}`;
  return [{ kind: "warn", what: "Debits skipped, owed", href, more: `${many} in this range` }];
}

async function lowBalance(ask: Ask, id: string, name: string): Promise<readonly Item[]> {
  const { isLow, balanceUsd } = await ask<Balance>(`${gatewayPath}/orgs/${id}/balance`);
  const href = `/billing?org=${encodeURIComponent(id)}`;
  if (!isLow) return [];
  return [{ kind: "warn", what: "Low balance", href, more: `${name}: ${usd(balanceUsd)}` }];
}

async function fullLimits(ask: Ask, names: ReadonlyMap<string, string>): Promise<readonly Item[]> {
  const path = `${gatewayPath}/usage-limits?limit=${limitsMax}&include=usage`;
  const { data } = await ask<Page<ListedUsageLimit>>(path);
  return data
    .filter(({ enabled }) => enabled)
    .map((limit) => {
      const { currentUsage = "0", threshold = "1" } = limit.usage ?? {};
      return { limit, share: Number(currentUsage) / Number(threshold) };
    })
    .filter(({ share }) => share >= limitShare)
    .map(({ limit, share }) => ({
      kind: share >= 1 ? ("bad" as const) : ("warn" as const),
      what: share >= 1 ? "A limit is reached" : "A limit is nearly reached",
      href: "/limits",
      more: `${names.get(limit.orgId) ?? limit.orgId}: ${limit.name}, ${percent(share)}`,
    }));
}
