import { useState } from "preact/hooks";
import { request, curlOf, type CallOptions } from "../api.ts";
import { asError } from "../data.ts";
import { usd } from "../format.ts";
import { Copy, Head } from "../parts/basics.tsx";
import { fieldText } from "../parts/form.tsx";
import { ScanResult, type Scanned } from "../parts/scan-result.tsx";

const kinds = {
  chat: { name: "A chat", path: "/v1/chat/completions" },
  scan: { name: "A scan", path: "/v1/security/scan" },
} as const;
type Kind = keyof typeof kinds;

interface Tried {
  readonly requestId: string | null;
  readonly costUsd: string | null;
  readonly answer: unknown;
}

interface Chat {
  readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[];
}

/** A chat or a scan with a key, as any client sends it. */
export function Try() {
  const [kind, setKind] = useState<Kind>("chat");
  const [model, setModel] = useState("demo/echo");
  const [text, setText] = useState("Hello, Weir!");
  const [tried, setTried] = useState<Tried | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { path } = kinds[kind];
  const options: CallOptions = {
    method: "POST",
    body:
      kind === "chat"
        ? { model, messages: [{ role: "user", content: text }] }
        : { input: text, categories: ["prompt_injection", "pii", "phi", "credential"] },
  };
  const send = async (key: string) => {
    setBusy(true);
    setError(null);
    setTried(null);
    try {
      const response = await request(path, { ...options, key });
      setTried({
        requestId: response.headers.get("x-svc-request-id"),
        costUsd: response.headers.get("x-svc-cost-usd"),
        answer: await response.json(),
      });
    } catch (failure) {
      const { message, requestId } = asError(failure);
      setError(message);
      setTried(requestId === null ? null : { requestId, costUsd: null, answer: null });
    }
    setBusy(false);
  };
  return (
    <>
      <Head
        title="Try"
        about="A request as any client sends it. It is paid, scanned and recorded like one."
      >
        <Copy text={curlOf(path, options)} label="Copy as curl" />
      </Head>
      <section class="panel">
        <form
          class="tester"
          onSubmit={(event) => {
            event.preventDefault();
            void send(fieldText(event.currentTarget, "key"));
          }}
        >
          <div class="filters" role="group" aria-label="What to send">
            {(Object.keys(kinds) as Kind[]).map((name) => (
              <button
                type="button"
                key={name}
                aria-pressed={name === kind}
                onClick={() => {
                  setKind(name);
                  setTried(null);
                }}
              >
                {kinds[name].name}
              </button>
            ))}
          </div>
          <div class="field">
            <label for="key">Key of an organization</label>
            <input
              id="key"
              name="key"
              type="password"
              autocomplete="off"
              placeholder="sk-gw-…"
              required
            />
            <small>It is sent with this request, and kept nowhere.</small>
          </div>
          {kind === "chat" ? (
            <div class="field">
              <label for="model">Model</label>
              <input
                id="model"
                value={model}
                required
                onInput={(event) => setModel(event.currentTarget.value.trim())}
              />
            </div>
          ) : null}
          <div class="field">
            <label for="text">Text</label>
            <textarea
              id="text"
              rows={4}
              required
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </div>
          <button type="submit" class="main" disabled={isBusy}>
            Send
          </button>
        </form>
      </section>
      {error === null ? null : (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {tried === null ? null : <Answer kind={kind} tried={tried} />}
    </>
  );
}

function Answer({ kind, tried }: { readonly kind: Kind; readonly tried: Tried }) {
  const { requestId, costUsd, answer } = tried;
  return (
    <section class="panel" aria-live="polite">
      <h2>Answer</h2>
      {answer === null ? null : kind === "scan" ? (
        // What the API documents.
        <ScanResult scanned={answer as Scanned} />
      ) : (
        <pre tabIndex={0} class="body">
          {textOf(answer as Chat)}
        </pre>
      )}
      <p>
        {costUsd === null ? "" : `${usd(costUsd)} · `}
        {requestId === null ? null : (
          <a href={`/messages/${encodeURIComponent(requestId)}`}>Look at its record</a>
        )}
      </p>
    </section>
  );
}

function textOf(chat: Chat): string {
  const content = chat.choices?.[0]?.message?.content;
  return typeof content === "string" ? content : JSON.stringify(chat, null, 2);
}
