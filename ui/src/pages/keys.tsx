import { useState } from "preact/hooks";
import type { CreatedKeyAnswer, Key, KeySort } from "../../../src/contract/keys-api/api-key.ts";
import { gatewayPath, withQuery } from "../api.ts";
import { Copy, CopyCurl, Empty, Head, Mark, Moment, More, State, Table } from "../parts/basics.tsx";
import { CallForm, Confirm, Dialog, type Field } from "../parts/form.tsx";
import { useList } from "../parts/list.ts";
import { orgField, useOrganizations } from "../parts/organizations.tsx";
import { useAddress } from "../parts/range.ts";
import { Teams } from "../parts/teams.tsx";
import { may, session } from "../session.ts";

const sorts = {
  "": "oldest first",
  "-createdAt": "newest first",
  name: "by name",
  "-lastUsedAt": "last used first",
  lastUsedAt: "longest unused first",
} as const satisfies Partial<Record<KeySort | "", string>>;

type Open =
  | { readonly what: "create" }
  | { readonly what: "secret"; readonly secret: string; readonly name: string }
  | { readonly what: "edit" | "rotate" | "revoke"; readonly key: Key };

export function Keys() {
  const { query, change } = useAddress();
  const { q, status, sort } = query;
  const path = withQuery(`${gatewayPath}/api-keys`, { q, status, sort, limit: 100 });
  const keys = useList<Key>(path);
  const organizations = useOrganizations();
  const [open, setOpen] = useState<Open | null>(null);
  const nameOf = (orgId: string | null) =>
    organizations.find(({ id }) => id === orgId)?.name ?? orgId;
  const close = () => setOpen(null);
  const done = () => {
    close();
    keys.reload();
  };
  const shown = (answer: unknown) => {
    // Both calls that lead here answer so.
    const { data, key } = answer as CreatedKeyAnswer;
    setOpen({ what: "secret", secret: key, name: data.name });
    keys.reload();
  };
  return (
    <>
      <Head title="Keys" about="A secret is shown once, when it is made. Only its hash is kept.">
        <CopyCurl path={path} />
        {may("write") ? (
          <button type="button" class="main" onClick={() => setOpen({ what: "create" })}>
            New key
          </button>
        ) : null}
      </Head>
      <div class="filters" role="group" aria-label="Which keys">
        <input
          aria-label="Name, or the beginning of an id or a secret's label"
          placeholder="Name, id or label"
          value={q ?? ""}
          onChange={(event) => change({ q: event.currentTarget.value.trim() })}
        />
        <select
          aria-label="Status"
          value={status ?? ""}
          onChange={(event) => change({ status: event.currentTarget.value })}
        >
          <option value="">active and revoked</option>
          <option value="active">active</option>
          <option value="revoked">revoked</option>
        </select>
        <select
          aria-label="Order"
          value={sort ?? ""}
          onChange={(event) => change({ sort: event.currentTarget.value })}
        >
          {Object.entries(sorts).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </div>
      <State loaded={keys}>
        {keys.rows.length === 0 ? (
          <Empty>
            <p>{keys.more === null ? "There is no such key." : "None so far."}</p>
          </Empty>
        ) : (
          <Table
            label="Keys"
            rows={keys.rows}
            keyOf={({ id }) => id}
            columns={[
              { name: "Name", cell: (key) => key.name },
              { name: "Secret", cell: (key) => <span class="id">{key.label}</span> },
              { name: "Role", cell: (key) => key.role },
              {
                name: "Organization",
                cell: (key) => nameOf(key.orgId) ?? <span class="none">platform</span>,
              },
              {
                name: "Status",
                cell: (key) => (
                  <Mark kind={key.status === "active" ? "good" : "bad"}>{key.status}</Mark>
                ),
              },
              { name: "Team", cell: (key) => key.team?.name ?? <span class="none">–</span> },
              {
                name: "A minute",
                cell: (key) => key.rateLimit ?? <span class="none">no cap</span>,
                isNumber: true,
              },
              { name: "Last used", cell: (key) => <Moment at={key.lastUsedAt} /> },
              { name: "Ends", cell: (key) => <Moment at={key.expiresAt} /> },
              { name: "", cell: (key) => <Actions row={key} open={setOpen} /> },
            ]}
          />
        )}
        {keys.more === null ? null : <More onClick={keys.more} />}
        <Teams nameOf={nameOf} />
      </State>
      {open?.what === "create" ? (
        <CallForm
          title="New key"
          submit="Make the key"
          fields={[nameField(""), roleField, { ...orgField(organizations) }, ...restrictions(null)]}
          callOf={(values) => createCall(values)}
          onDone={shown}
          onClose={close}
        />
      ) : null}
      {open?.what === "secret" ? (
        <Secret secret={open.secret} name={open.name} onClose={close} />
      ) : null}
      {open?.what === "edit" ? (
        <CallForm
          title={`Change ${open.key.name}`}
          submit="Save"
          fields={[nameField(open.key.name), ...restrictions(open.key)]}
          callOf={(values) => {
            const limits = restrictionsOf(values);
            if (typeof limits === "string") return limits;
            const body = { name: values["name"] ?? "", ...limits };
            return { path: `${gatewayPath}/api-keys/${open.key.id}`, method: "PATCH", body };
          }}
          onDone={done}
          onClose={close}
        />
      ) : null}
      {open?.what === "rotate" ? (
        <CallForm
          title={`Give ${open.key.name} another secret`}
          submit="Rotate"
          fields={[
            {
              name: "grace",
              label: "The secret of now works on for",
              choices: [
                ["0", "no time"],
                ["3600", "an hour"],
                ["86400", "a day"],
                ["604800", "a week"],
              ],
            },
          ]}
          callOf={({ grace }) => ({
            path: `${gatewayPath}/api-keys/${open.key.id}/rotate`,
            method: "POST",
            body: { gracePeriodSeconds: Number(grace) },
          })}
          onDone={shown}
          onClose={close}
        />
      ) : null}
      {open?.what === "revoke" ? (
        <Confirm
          title={`Revoke ${open.key.name}`}
          submit="Revoke for good"
          path={`${gatewayPath}/api-keys/${open.key.id}`}
          onDone={done}
          onClose={close}
        >
          The next request with <span class="id">{open.key.label}</span> is refused. This can't be
          undone.
        </Confirm>
      ) : null}
    </>
  );
}

function Actions({ row, open }: { readonly row: Key; readonly open: (what: Open) => void }) {
  if (!may("write") || row.status !== "active") return null;
  return (
    <>
      <button
        type="button"
        class="quiet"
        aria-label={`Change ${row.name}`}
        onClick={() => open({ what: "edit", key: row })}
      >
        Change
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={`Rotate ${row.name}`}
        onClick={() => open({ what: "rotate", key: row })}
      >
        Rotate
      </button>
      {row.id === session.value?.key.id ? null : (
        <button
          type="button"
          class="quiet bad"
          aria-label={`Revoke ${row.name}`}
          onClick={() => open({ what: "revoke", key: row })}
        >
          Revoke
        </button>
      )}
    </>
  );
}

function Secret({
  secret,
  name,
  onClose,
}: {
  readonly secret: string;
  readonly name: string;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={`The secret of ${name}`} onClose={onClose}>
      <p>Copy it now. It is shown this once.</p>
      <code class="secret">{secret}</code>
      <footer>
        <Copy text={secret} label="Copy" />
        <span class="grow" />
        <button type="button" class="main" onClick={onClose}>
          I have it
        </button>
      </footer>
    </Dialog>
  );
}

const nameField = (value: string): Field => ({
  name: "name",
  label: "Name",
  required: true,
  value,
});

const roleField: Field = {
  name: "role",
  label: "Role",
  choices: [
    ["member", "member: calls models and scans"],
    ["viewer", "viewer: sees its organization, changes nothing"],
    ["admin", "admin: manages its organization"],
    ["operator", "operator: manages everything, belongs to none"],
  ],
};

function restrictions(key: Key | null): readonly Field[] {
  return [
    {
      name: "rateLimit",
      label: "Requests a minute",
      hint: "Empty: no cap.",
      value: key?.rateLimit?.toString() ?? "",
    },
    {
      name: "allowedModels",
      label: "Models",
      hint: "One a line, provider/model. Empty: all.",
      lines: 3,
      value: key?.allowedModels?.join("\n") ?? "",
    },
  ];
}

function restrictionsOf(values: Readonly<Record<string, string>>): object | string {
  const { rateLimit = "", allowedModels = "" } = values;
  if (!/^\s*\d*\s*$/.test(rateLimit)) return "Requests a minute must be a whole number.";
  const models = allowedModels.split(/\s+/).filter((model) => model !== "");
  return {
    rateLimit: rateLimit.trim() === "" ? null : Number(rateLimit),
    allowedModels: models.length === 0 ? null : models,
  };
}

function createCall(values: Readonly<Record<string, string>>) {
  const limits = restrictionsOf(values);
  if (typeof limits === "string") return limits;
  const { name = "", role = "member", orgId = "" } = values;
  const body = { name, role, orgId: role === "operator" ? null : orgId, ...limits };
  return { path: `${gatewayPath}/api-keys`, method: "POST", body } as const;
}
