import { useState } from "preact/hooks";
import type { Provider } from "../../../src/contract/keys-api/provider.ts";
import type { ProviderHealth } from "../../../src/contract/keys-api/provider-health.ts";
import { gatewayPath } from "../api.ts";
import { useData, type Data } from "../data.ts";
import { count } from "../format.ts";
import { CopyCurl, Head, Mark, Moment, More, State, Table } from "../parts/basics.tsx";
import { CallForm, Confirm, type Field } from "../parts/form.tsx";
import { useList } from "../parts/list.ts";
import { may } from "../session.ts";

const path = `${gatewayPath}/providers?limit=100`;

type Open =
  { readonly what: "create" } | { readonly what: "edit" | "remove"; readonly account: Provider };

export function Providers() {
  const accounts = useList<Provider>(path);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const done = () => {
    close();
    accounts.reload();
  };
  return (
    <>
      <Head
        title="Providers"
        about="Accounts that serve paid requests. A credential is an environment variable of the gateway; no page shows one."
      >
        <CopyCurl path={path} />
        {may("operate") ? (
          <button type="button" class="main" onClick={() => setOpen({ what: "create" })}>
            New account
          </button>
        ) : null}
      </Head>
      <State loaded={accounts}>
        <Table
          label="Accounts"
          rows={accounts.rows}
          keyOf={({ name }) => name}
          columns={[
            { name: "Name", cell: ({ name }) => name },
            { name: "Prefix", cell: ({ provider }) => provider },
            { name: "Type", cell: ({ type }) => type },
            {
              name: "Address",
              cell: ({ baseUrl }) => baseUrl ?? <span class="none">built in</span>,
            },
            {
              name: "Credential",
              cell: ({ credential, apiKey }) => (
                <Mark
                  kind={credential === "missing" ? "bad" : credential === "set" ? "good" : "plain"}
                >
                  {credential} {apiKey === null ? "" : <span class="id">{apiKey.env}</span>}
                </Mark>
              ),
            },
            { name: "Circuit", cell: ({ name }) => <Circuit name={name} /> },
            { name: "Models", cell: ({ models }) => modelsOf(models) },
            { name: "From", cell: ({ source }) => (source === "file" ? "file, read-only" : "API") },
            {
              name: "",
              cell: (account) =>
                may("operate") && account.source === "api" ? (
                  <>
                    <button
                      type="button"
                      class="quiet"
                      aria-label={`Change ${account.name}`}
                      onClick={() => setOpen({ what: "edit", account })}
                    >
                      Change
                    </button>
                    <button
                      type="button"
                      class="quiet bad"
                      aria-label={`Remove ${account.name}`}
                      onClick={() => setOpen({ what: "remove", account })}
                    >
                      Remove
                    </button>
                  </>
                ) : null,
            },
          ]}
        />
        {accounts.more === null ? null : <More onClick={accounts.more} />}
      </State>
      {open?.what === "create" ? (
        <CallForm
          title="New account"
          submit="Make the account"
          fields={[
            { name: "name", label: "Name", required: true, hint: "a-z, 0-9, _ and -" },
            typeField,
            ...accountFields(null),
          ]}
          callOf={({ name, type, ...rest }) => ({
            path: `${gatewayPath}/providers`,
            method: "POST",
            body: { name, type, ...accountOf(rest, undefined) },
          })}
          onDone={done}
          onClose={close}
        />
      ) : null}
      {open?.what === "edit" ? (
        <CallForm
          title={`Change ${open.account.name}`}
          submit="Save"
          fields={accountFields(open.account)}
          callOf={(values) => ({
            path: `${gatewayPath}/providers/${open.account.name}`,
            method: "PATCH",
            body: accountOf(values, null),
          })}
          onDone={done}
          onClose={close}
        />
      ) : null}
      {open?.what === "remove" ? (
        <Confirm
          title={`Remove ${open.account.name}`}
          submit="Remove"
          path={`${gatewayPath}/providers/${open.account.name}`}
          onDone={done}
          onClose={close}
        >
          Requests that run finish.
        </Confirm>
      ) : null}
    </>
  );
}

/** Whether calls go to an account, and how they went. */
function Circuit({ name }: { readonly name: string }) {
  const { value } = useData<Data<ProviderHealth>>(`${gatewayPath}/providers/${name}/health`);
  if (value === null) return <span class="none">…</span>;
  const { circuit, recent, lastError, retryAfterSeconds } = value.data;
  const kind = circuit === "closed" ? "good" : circuit === "open" ? "bad" : "warn";
  return (
    <>
      <Mark kind={kind}>
        {circuit.replace("_", " ")}
        {retryAfterSeconds === null ? "" : `, again in ${retryAfterSeconds} s`}
      </Mark>
      <br />
      <small>
        {count(recent.failures)} of {count(recent.calls)} calls failed in {recent.seconds} s
        {lastError === null ? null : (
          <>
            , last: {lastError.code ?? lastError.outcome} {lastError.status}{" "}
            <Moment at={lastError.at} />
          </>
        )}
      </small>
    </>
  );
}

function modelsOf(models: Provider["models"]): string {
  const shown = models
    .slice(0, 3)
    .map(({ id, alias }) => (alias === null ? id : `${id} (${alias})`));
  return models.length > 3 ? `${shown.join(", ")} and ${models.length - 3} more` : shown.join(", ");
}

const typeField: Field = {
  name: "type",
  label: "Type",
  choices: ["openai", "anthropic", "bedrock", "vertex"].map((type) => [type, type]),
};

function accountFields(account: Provider | null): readonly Field[] {
  return [
    {
      name: "baseUrl",
      label: "Address",
      value: account?.baseUrl ?? "",
      hint: "Without /v1, such as https://api.openai.com. Bedrock and Vertex need none.",
    },
    {
      name: "env",
      label: "Credential's environment variable",
      value: account?.apiKey?.env ?? "",
      hint: "Its name, never the secret. Empty: none.",
    },
    {
      name: "models",
      label: "Models",
      lines: 4,
      hint: "One a line; an alias behind a space.",
      value:
        account?.models
          .map(({ id, alias }) => (alias === null ? id : `${id} ${alias}`))
          .join("\n") ?? "",
    },
  ];
}

/** `none` stands for a member that is empty: left out of a new account, null in a change. */
function accountOf(values: Readonly<Record<string, string>>, none: null | undefined): object {
  const { baseUrl = "", env = "", models = "" } = values;
  const lines = models
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return {
    baseUrl: baseUrl.trim() || none,
    apiKey: env.trim() === "" ? none : { env: env.trim() },
    models:
      lines.length === 0
        ? none
        : lines.map((line) => {
            const [id, alias] = line.split(/\s+/);
            return alias === undefined ? id : { id, alias };
          }),
  };
}
