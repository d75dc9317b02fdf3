import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { call, curlOf, type CallOptions } from "../api.ts";
import { asError } from "../data.ts";
import { Copy } from "./basics.tsx";

/** A dialog that is open as long as it is there. Escape closes it. */
export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => element.current?.showModal(), []);
  return (
    <dialog ref={element} aria-labelledby={titleId} onClose={props.onClose}>
      <h2 id={titleId}>{props.title}</h2>
      {props.children}
    </dialog>
  );
}

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly value?: string;
  readonly required?: boolean;
  /** A choice out of these: value and label. */
  readonly choices?: readonly (readonly [string, string])[];
  readonly lines?: number;
}

/** A form in a dialog that makes one call of the API; the same call can be copied as curl. */
export function CallForm(props: {
  readonly title: string;
  readonly fields: readonly Field[];
  readonly submit: string;
  /** The call for the texts of the fields; a text is why there is none. */
  readonly callOf: (
    values: Readonly<Record<string, string>>,
  ) => ({ readonly path: string } & CallOptions) | string;
  readonly onDone: (answer: unknown) => void;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}) {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [values, setValues] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(
      props.fields.map(({ name, value, choices }) => [name, value ?? choices?.[0]?.[0] ?? ""]),
    ),
  );
  const prepared = props.callOf(values);
  const send = async () => {
    if (typeof prepared === "string") return setError(prepared);
    setBusy(true);
    setError(null);
    const { path, ...options } = prepared;
    try {
      props.onDone(await call<unknown>(path, options));
    } catch (failure) {
      setError(asError(failure).message);
      setBusy(false);
    }
  };
  const change = (name: string, value: string) => setValues({ ...values, [name]: value });
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {props.children}
        {props.fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={values[field.name] ?? ""}
            onChange={(value) => change(field.name, value)}
          />
        ))}
        {error === null ? null : (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        <footer>
          {typeof prepared === "string" ? null : (
            <Copy text={curlOf(prepared.path, prepared)} label="Copy as curl" />
          )}
          <span class="grow" />
          <button type="button" onClick={props.onClose}>
            Cancel
          </button>
          <button type="submit" class="main" disabled={isBusy}>
            {props.submit}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function FieldInput({
  field,
  value,
  onChange,
}: {
  readonly field: Field;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  const { name, label, hint, required = false, choices, lines } = field;
  const hintId = `${id}-hint`;
  const shared = {
    id,
    name,
    value,
    required,
    ...(hint === undefined ? {} : { "aria-describedby": hintId }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {choices !== undefined ? (
        <select {...shared} onChange={(event) => onChange(event.currentTarget.value)}>
          {choices.map(([choice, text]) => (
            <option key={choice} value={choice}>
              {text}
            </option>
          ))}
        </select>
      ) : lines !== undefined ? (
        <textarea
          {...shared}
          rows={lines}
          spellcheck={false}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <input
          {...shared}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {hint === undefined ? null : <small id={hintId}>{hint}</small>}
    </div>
  );
}

/** The text of a form's field, without spaces around it. */
export function fieldText(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** Asks before something that can't be undone. */
export function Confirm(props: {
  readonly title: string;
  readonly submit: string;
  readonly path: string;
  readonly method?: "DELETE" | "POST";
  readonly onDone: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const { path, method = "DELETE" } = props;
  return (
    <CallForm
      title={props.title}
      fields={[]}
      submit={props.submit}
      callOf={() => ({ path, method })}
      onDone={props.onDone}
      onClose={props.onClose}
    >
      <p>{props.children}</p>
    </CallForm>
  );
}
