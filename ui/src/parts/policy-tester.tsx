import { useState } from "preact/hooks";
import type { Policy } from "../../../src/contract/keys-api/policy.ts";
import { call, curlOf } from "../api.ts";
import { asError } from "../data.ts";
import { session } from "../session.ts";
import { Copy, Mark } from "./basics.tsx";
import { ScanResult, type Scanned } from "./scan-result.tsx";

const path = "/v1/security/scan";

/** Scans a text with the detectors of a policy, and says what the policy would do. Nothing of the text is kept. */
export function PolicyTester({ policies }: { readonly policies: readonly Policy[] }) {
  const [chosen, setChosen] = useState("");
  const [text, setText] = useState("");
  const [key, setKey] = useState("");
  const [scanned, setScanned] = useState<Scanned | null>(null);
  const [error, setError] = useState<string | null>(null);
  const policy = policies.find(({ id }) => id === chosen) ?? policies[0];
  if (policy === undefined) return null;
  // A scan is paid by an organization, and an operator has none.
  const needsKey = session.value?.key.orgId === null;
  const body = {
    input: text,
    categories: ["prompt_injection", ...new Set(policy.entities.map(({ category }) => category))],
    sensitivity: policy.injection.sensitivity,
    ...(policy.customPatterns.length === 0 ? {} : { custom_patterns: policy.customPatterns }),
    store_input: false,
  };
  const scan = async () => {
    setError(null);
    try {
      setScanned(
        await call<Scanned>(path, { method: "POST", body, ...(key === "" ? {} : { key }) }),
      );
    } catch (failure) {
      setScanned(null);
      setError(asError(failure).message);
    }
  };
  return (
    <section class="panel tester">
      <h2>Try a policy</h2>
      <p class="none">
        Scans a text as the policy does for what is sent. It is billed like any scan of its
        organization; the text is not kept.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void scan();
        }}
      >
        <div class="field">
          <label for="tested">Policy</label>
          <select
            id="tested"
            value={policy.id}
            onChange={(event) => {
              setChosen(event.currentTarget.value);
              setScanned(null);
            }}
          >
            {policies.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="tested-text">Text</label>
          <textarea
            id="tested-text"
            rows={4}
            required
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </div>
        {needsKey ? (
          <div class="field">
            <label for="tested-key">Key of an organization</label>
            <input
              id="tested-key"
              type="password"
              autocomplete="off"
              placeholder="sk-gw-…"
              required
              value={key}
              onInput={(event) => setKey(event.currentTarget.value.trim())}
            />
            <small>It pays for the scan. This page forgets it.</small>
          </div>
        ) : null}
        <p class="actions">
          <button type="submit" class="main">
            Scan
          </button>
          <Copy text={curlOf(path, { method: "POST", body })} label="Copy as curl" />
        </p>
      </form>
      {error === null ? null : (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {scanned === null ? null : (
        <>
          <Outcome policy={policy} scanned={scanned} />
          <ScanResult scanned={scanned} actionOf={(category) => actionOf(policy, category)} />
        </>
      )}
    </section>
  );
}

function actionOf({ entities }: Policy, category: string): string {
  const rule = entities.find((one) => one.category === category && one.direction !== "output");
  return rule?.action ?? "nothing in requests";
}

/** The gravest thing that the policy does. */
function Outcome({ policy, scanned }: { readonly policy: Policy; readonly scanned: Scanned }) {
  const actions = [
    ...(scanned.injection?.verdict === "block" ? [policy.injection.action] : []),
    ...scanned.detections.map(({ category }) => actionOf(policy, category)),
    ...scanned.custom_pattern_findings
      .filter(({ pattern_name: name }) => {
        const pattern = policy.customPatterns.find((one) => one.name === name);
        return pattern?.direction !== "output";
      })
      .map(({ action }) => action),
  ];
  const gravest = ["block", "replace", "redact", "flag"].find((one) =>
    actions.includes(one as never),
  );
  if (gravest === undefined) return <Mark kind="good">It passes.</Mark>;
  const words = {
    block: "It is blocked.",
    replace: "It is blocked; in a tool's result the text is replaced.",
    redact: "It passes, redacted.",
    flag: "It passes, and is recorded.",
  }[gravest];
  if (policy.dryRun) return <Mark kind="warn">A dry run: it passes. Enforced: {words}</Mark>;
  return <Mark kind={gravest === "block" || gravest === "replace" ? "bad" : "warn"}>{words}</Mark>;
}
