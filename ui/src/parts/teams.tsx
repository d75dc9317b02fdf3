import type { Team } from "../../../src/contract/keys-api/team.ts";
import { gatewayPath } from "../api.ts";
import { count } from "../format.ts";
import { CopyCurl, More, State, Table } from "./basics.tsx";
import { Spent } from "./budget.tsx";
import { useList } from "./list.ts";

const path = `${gatewayPath}/teams?limit=100`;

/** Teams that keys name, with what they have spent; nothing if no key names one. */
export function Teams({ nameOf }: { readonly nameOf: (orgId: string) => string | null }) {
  const teams = useList<Team>(path);
  if (teams.error === null && teams.rows.length === 0) return null;
  return (
    <section class="panel below">
      <div class="legend">
        <h2>Teams</h2>
        <CopyCurl path={path} />
      </div>
      <State loaded={teams}>
        <Table
          label="Teams"
          rows={teams.rows}
          keyOf={({ orgId, name }) => `${orgId} ${name}`}
          columns={[
            {
              name: "Name",
              cell: ({ name }) => <a href={`/messages?team=${encodeURIComponent(name)}`}>{name}</a>,
            },
            { name: "Organization", cell: ({ orgId }) => nameOf(orgId) },
            { name: "Keys", cell: ({ keys }) => count(keys), isNumber: true },
            { name: "Revoked", cell: ({ revokedKeys }) => count(revokedKeys), isNumber: true },
            {
              name: "Budget",
              cell: ({ budgets }) =>
                budgets.length === 0 ? (
                  <span class="none">none</span>
                ) : (
                  budgets.map((budget) => (
                    <div key={budget.window}>
                      <Spent budget={budget} />
                    </div>
                  ))
                ),
            },
          ]}
        />
        {teams.more === null ? null : <More onClick={teams.more} />}
      </State>
    </section>
  );
}
