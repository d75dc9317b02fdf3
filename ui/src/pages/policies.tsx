import { useState } from "preact/hooks";
import type { Policy } from "../../../src/contract/keys-api/policy.ts";
import { gatewayPath } from "../api.ts";
import { CopyCurl, Head, Mark, More, State, Table } from "../parts/basics.tsx";
import { CallForm, Confirm, type Field } from "../parts/form.tsx";
import { PolicyTester } from "../parts/policy-tester.tsx";
import { useList } from "../parts/list.ts";
import { orgField, useOrganizations } from "../parts/organizations.tsx";
import { may } from "../session.ts";

const path = `${gatewayPath}/policies?limit=100`;

type Open =
  { readonly what: "create" } | { readonly what: "edit" | "remove"; readonly policy: Policy };

export function Policies() {
  const policies = useList<Policy>(path);
  const organizations = useOrganizations();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const done = () => {
    close();
    policies.reload();
  };
  const nameOf = (orgId: string | null) =>
    organizations.find(({ id }) => id === orgId)?.name ?? orgId;
  return (
    <>
      <Head
        title="Policies"
        about="What is looked for on the way to and from a provider, and what happens then."
      >
        <CopyCurl path={path} />
        {may("write") ? (
          <button type="button" class="main" onClick={() => setOpen({ what: "create" })}>
            New policy
          </button>
        ) : null}
      </Head>
      <State loaded={policies}>
        <Table
          label="Policies"
          rows={policies.rows}
          keyOf={({ id }) => id}
          columns={[
            { name: "Name", cell: (policy) => policy.name },
            {
              name: "Organization",
              cell: ({ orgId }) => nameOf(orgId) ?? <span class="none">default of all</span>,
            },
            {
              name: "Injection",
              cell: ({ injection }) => `${injection.action}, ${injection.sensitivity}`,
            },
            {
              name: "Entities",
              cell: ({ entities }) =>
                entities
                  .map((rule) => `${rule.category}: ${rule.action} (${rule.direction})`)
                  .join("; ") || <span class="none">none</span>,
            },
            {
              name: "Patterns",
              cell: ({ customPatterns }) => customPatterns.length,
              isNumber: true,
            },
            {
              name: "Mode",
              cell: ({ dryRun }) => (
                <Mark kind={dryRun ? "warn" : "good"}>{dryRun ? "dry run" : "enforced"}</Mark>
              ),
            },
            {
              name: "",
              cell: (policy) =>
                may("write") && policy.source === "api" ? (
                  <>
                    <button
                      type="button"
                      class="quiet"
                      aria-label={`Change ${policy.name}`}
                      onClick={() => setOpen({ what: "edit", policy })}
                    >
                      Change
                    </button>
                    <button
                      type="button"
                      class="quiet bad"
                      aria-label={`Remove ${policy.name}`}
                      onClick={() => setOpen({ what: "remove", policy })}
                    >
                      Remove
                    </button>
                  </>
                ) : null,
            },
          ]}
        />
        {policies.more === null ? null : <More onClick={policies.more} />}
        <PolicyTester policies={policies.rows} />
      </State>
      {open?.what === "create" ? (
        <CallForm
          title="New policy"
          submit="Make the policy"
          fields={[nameField(""), orgField(organizations), ...ruleFields(null)]}
          callOf={({ name, orgId, ...rules }) => {
            const read = rulesOf(rules);
            if (typeof read === "string") return read;
            return {
              path: `${gatewayPath}/policies`,
              method: "POST",
              body: { name, orgId, ...read },
            };
          }}
          onDone={done}
          onClose={close}
        />
      ) : null}
      {open?.what === "edit" ? (
        <CallForm
          title={`Change ${open.policy.name}`}
          submit="Save"
          fields={[nameField(open.policy.name), ...ruleFields(open.policy)]}
          callOf={({ name, ...rules }) => {
            const read = rulesOf(rules);
            if (typeof read === "string") return read;
            return {
              path: `${gatewayPath}/policies/${open.policy.id}`,
              method: "PATCH",
              body: { name, ...read },
            };
          }}
          onDone={done}
          onClose={close}
        />
      ) : null}
      {open?.what === "remove" ? (
        <Confirm
          title={`Remove ${open.policy.name}`}
          submit="Remove"
          path={`${gatewayPath}/policies/${open.policy.id}`}
          onDone={done}
          onClose={close}
        >
          Keys and organizations must not name it any more.
        </Confirm>
      ) : null}
    </>
  );
}

const nameField = (value: string): Field => ({
  name: "name",
  label: "Name",
  required: true,
  value,
});
const categories = ["pii", "phi", "credential"] as const;
const categoryNames = {
  pii: "Personal data",
  phi: "Health data",
  credential: "Credentials",
} as const;

function ruleFields(policy: Policy | null): readonly Field[] {
  return [
    {
      name: "action",
      label: "Prompt injection",
      value: policy?.injection.action ?? "block",
      choices: [
        ["block", "block the request"],
        ["replace", "replace a harmful result, else block"],
        ["flag", "record only"],
      ],
    },
    {
      name: "sensitivity",
      label: "Sensitivity",
      value: policy?.injection.sensitivity ?? "balanced",
      choices: [
        ["strict", "strict: catches more, errs more"],
        ["balanced", "balanced"],
        ["permissive", "permissive"],
      ],
    },
    ...categories.map((category) => {
      const rule = policy?.entities.find((one) => one.category === category);
      return {
        name: category,
        label: categoryNames[category],
        value: rule === undefined ? "" : `${rule.action} ${rule.direction}`,
        choices: [
          ["", "not looked for"],
          ...["flag", "redact", "block"].flatMap((action) =>
            ["input", "output", "both"].map(
              (direction) => [`${action} ${direction}`, `${action}, ${direction}`] as const,
            ),
          ),
        ] as const,
      };
    }),
    {
      name: "customPatterns",
      label: "Patterns of your own",
      lines: 4,
      value:
        policy === null || policy.customPatterns.length === 0
          ? ""
          : JSON.stringify(policy.customPatterns, null, 1),
      hint: 'A list such as [{"name": "ticket", "regex": "T-\\\\d+", "direction": "input", "action": "flag"}], RE2 syntax.',
    },
    {
      name: "dryRun",
      label: "Mode",
      value: String(policy?.dryRun ?? false),
      choices: [
        ["false", "enforced"],
        ["true", "dry run: record, do nothing"],
      ],
    },
  ];
}

function rulesOf(values: Readonly<Record<string, string>>): object | string {
  let customPatterns: unknown = [];
  const written = (values["customPatterns"] ?? "").trim();
  try {
    if (written !== "") customPatterns = JSON.parse(written);
  } catch {
    return "The patterns are no JSON.";
  }
  const entities = categories.flatMap((category) => {
    const [action, direction] = (values[category] ?? "").split(" ");
    return direction === undefined ? [] : [{ category, action, direction }];
  });
  return {
    injection: { action: values["action"], sensitivity: values["sensitivity"] },
    entities,
    customPatterns,
    dryRun: values["dryRun"] === "true",
  };
}
