import type { Org } from "../../../src/contract/keys-api/organization.ts";
import { gatewayPath } from "../api.ts";
import { useData, type Page } from "../data.ts";
import { session } from "../session.ts";
import type { Field } from "./form.tsx";
import { useAddress } from "./range.ts";

/** The organizations that the session may choose from: an operator's first thousand, else its own. */
export function useOrganizations(): readonly Pick<Org, "id" | "name">[] {
  const key = session.value?.key;
  const lists = key?.role === "operator" || key?.role === "admin";
  const { value } = useData<Page<Org>>(lists ? `${gatewayPath}/orgs?limit=1000` : null);
  const own = key?.orgId ?? null;
  return value?.data ?? (own === null ? [] : [{ id: own, name: own }]);
}

export function orgField(organizations: readonly Pick<Org, "id" | "name">[]): Field {
  return {
    name: "orgId",
    label: "Organization",
    choices: organizations.map(({ id, name }) => [id, name]),
  };
}

/** The organization in the page's address, else the first. */
export function useChosen(organizations: readonly Pick<Org, "id" | "name">[]): string | null {
  const { query } = useAddress();
  return query["org"] ?? organizations[0]?.id ?? null;
}

export function OrgChoice({
  organizations,
  chosen,
}: {
  readonly organizations: readonly Pick<Org, "id" | "name">[];
  readonly chosen: string | null;
}) {
  const { change } = useAddress();
  if (organizations.length < 2) return null;
  return (
    <select
      aria-label="Organization"
      value={chosen ?? ""}
      onChange={(event) => change({ org: event.currentTarget.value })}
    >
      {organizations.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
