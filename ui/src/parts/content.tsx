import { useState } from "preact/hooks";
import type { AuditContent, StoredBody } from "../../../src/contract/audit-api.ts";
import type { RecordContent } from "../../../src/contract/records-api.ts";
import { call, gatewayPath, withQuery } from "../api.ts";
import { asError, useData, type Data } from "../data.ts";
import { may } from "../session.ts";
import { CopyCurl, Mark, State } from "./basics.tsx";
import { fieldText } from "./form.tsx";

const unmaskPath = `${gatewayPath}/records/content/unmask`;

/** What is readable of a request: masked, until somebody says why the plain text is needed. */
export function Content({ requestId }: { readonly requestId: string }) {
  const path = withQuery(`${gatewayPath}/records/content`, { request_id: requestId });
  const loaded = useData<Data<RecordContent>>(may("write") ? path : null);
  const [plain, setPlain] = useState<AuditContent | null>(null);
  const [error, setError] = useState<string | null>(null);
  if (!may("write")) return null;
  const content = plain ?? loaded.value?.data.content ?? null;
  const unmask = async (reason: string) => {
    setError(null);
    try {
      const body = { request_id: requestId, reason };
      const answer = await call<Data<RecordContent>>(unmaskPath, { method: "POST", body });
      setPlain(answer.data.content);
    } catch (failure) {
      setError(asError(failure).message);
    }
  };
  return (
    <section class="panel">
      <h2>Content</h2>
      <State loaded={loaded}>
        {content === null ? (
          <p class="none">None was kept, or its time is over.</p>
        ) : (
          <>
            <p class="actions" aria-live="polite">
              {content.masked ? (
                <Mark kind="good">What the detectors have found is masked.</Mark>
              ) : (
                <Mark kind="warn">Plain. That it was read stands in the audit log.</Mark>
              )}
              <CopyCurl path={path} />
            </p>
            <Body name="Request" body={content.request} />
            <Body name="Answer" body={content.response} />
            {content.masked ? (
              <form
                class="actions"
                onSubmit={(event) => {
                  event.preventDefault();
                  void unmask(fieldText(event.currentTarget, "reason"));
                }}
              >
                <label for="reason">Reason to read it plain</label>
                <input id="reason" name="reason" required maxLength={500} autocomplete="off" />
                <button type="submit">Unmask</button>
              </form>
            ) : null}
          </>
        )}
      </State>
      {error === null ? null : (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </section>
  );
}

function Body({ name, body }: { readonly name: string; readonly body: StoredBody | null }) {
  if (body === null) return null;
  return (
    <>
      <h3>{name}</h3>
      <pre tabIndex={0} class="body">
        {textOf(body)}
      </pre>
    </>
  );
}

function textOf({ text, encoding, truncated, withheld }: StoredBody): string {
  if (withheld !== undefined) {
    return withheld === "no_text" ? "Not shown: it is no UTF-8." : "The detectors gave no verdict.";
  }
  const end = truncated ? "\n… (cut)" : "";
  if (encoding === "base64") return `base64: ${text}${end}`;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text + end;
  }
}
