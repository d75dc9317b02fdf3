import { useState } from "preact/hooks";
import { call, gatewayPath } from "../api.ts";
import { asError, type Data } from "../data.ts";
import { fieldText } from "../parts/form.tsx";
import { signedIn, signedOutWhy, type Session } from "../session.ts";

/** Exchanges a key for a session. The page forgets the key at once. */
export function SignIn() {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const send = async (form: HTMLFormElement) => {
    const key = fieldText(form, "key");
    setBusy(true);
    setError(null);
    try {
      const options = { method: "POST", body: { key } } as const;
      const { data } = await call<Data<Session & { token: string }>>(
        `${gatewayPath}/sessions`,
        options,
      );
      const { token, ...opened } = data;
      form.reset();
      signedIn(token, opened);
    } catch (failure) {
      setError(asError(failure).message);
      setBusy(false);
    }
  };
  return (
    <main class="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send(event.currentTarget);
        }}
      >
        <h1 class="brand">
          <img src="/favicon.svg" width="22" height="22" alt="" /> Weir
        </h1>
        {signedOutWhy.value === null ? null : <p role="status">{signedOutWhy.value}</p>}
        <label for="key">Service key</label>
        <input
          id="key"
          name="key"
          type="password"
          autocomplete="off"
          placeholder="sk-gw-…"
          required
          autofocus
          aria-describedby="key-hint"
        />
        <small id="key-hint">
          The first start printed an operator key and a key of the organization demo. The browser
          keeps a session, not the key.
        </small>
        {error === null ? null : (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        <button type="submit" class="main" disabled={isBusy}>
          Sign in
        </button>
      </form>
    </main>
  );
}
