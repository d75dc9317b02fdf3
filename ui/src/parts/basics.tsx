import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { curlOf, type CallOptions } from "../api.ts";
import type { Loaded } from "../data.ts";
import { time } from "../format.ts";

/** A page's head: its name, what it is about, and what can be done here. */
export function Head(props: {
  readonly title: string;
  readonly about?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <header class="head">
      <div>
        <h1>{props.title}</h1>
        {props.about === undefined ? null : <p>{props.about}</p>}
      </div>
      <div class="actions">{props.children}</div>
    </header>
  );
}

/** A moment in the chosen zone; UTC in the tooltip. */
export function Moment({ at }: { readonly at: string | null }) {
  if (at === null) return <span class="none">never</span>;
  return (
    <time dateTime={at} title={`${at} (UTC)`}>
      {time(at)}
    </time>
  );
}

/** `key_…360005a778cc`: ids of one kind begin alike. */
export function shortId(id: string): string {
  return id.replace(/^([a-z]+_).{9,}(.{12})$/, "$1…$2");
}

/** An id in a table; the whole one is in the tooltip. */
export function Id({ id }: { readonly id: string }) {
  return (
    <span class="id" title={id}>
      {shortId(id)}
    </span>
  );
}

export function Mark(props: {
  readonly kind: "good" | "bad" | "warn" | "plain";
  readonly children: ComponentChildren;
}) {
  return <span class={`mark ${props.kind}`}>{props.children}</span>;
}

/** Copies a text; says so for a moment. */
export function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), 1500);
      },
      () => undefined,
    );
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      {isCopied ? "Copied" : label}
    </button>
  );
}

export function CopyCurl({
  path,
  options,
}: {
  readonly path: string;
  readonly options?: CallOptions;
}) {
  return <Copy text={curlOf(path, options)} label="Copy as curl" />;
}

/** What stands in place of content that is not there. */
export function State({
  loaded,
  children,
}: {
  readonly loaded: Pick<Loaded<unknown>, "value" | "error" | "loading" | "reload">;
  readonly children?: ComponentChildren;
}) {
  const { error, loading, value, reload } = loaded;
  if (error !== null) {
    return (
      <div class="state" role="alert">
        <p>{error.message}</p>
        <p class="none">
          {error.code}
          {error.requestId === null ? "" : ` · ${error.requestId}`}
        </p>
        <button type="button" onClick={reload}>
          Try again
        </button>
      </div>
    );
  }
  if (value === null) {
    return (
      <div class="state" aria-busy={loading}>
        <p class="none">{loading ? "Loading…" : "Nothing to show."}</p>
      </div>
    );
  }
  return <>{children}</>;
}

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <div class="state">{children}</div>;
}

/** A share of a whole as a bar; its number stands beside it. */
export function Bar({ share, label }: { readonly share: number; readonly label: string }) {
  const kind = share >= 1 ? "bad" : share >= 0.8 ? "warn" : "good";
  return (
    <meter
      class={kind}
      min={0}
      max={1}
      low={0.8}
      high={0.999}
      optimum={0}
      value={Math.min(1, share)}
      aria-label={label}
    >
      {label}
    </meter>
  );
}

export interface Column<T> {
  readonly name: string;
  readonly cell: (row: T) => ComponentChildren;
  readonly isNumber?: boolean;
}

export function Table<T>(props: {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
}) {
  const { columns, rows, label, keyOf } = props;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <caption class="hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" class={isNumber === true ? "number" : undefined}>
                {name === "" ? <span class="hidden">Actions</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, cell, isNumber }) => (
                <td key={name} class={isNumber === true ? "number" : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function More({ onClick }: { readonly onClick: () => void }) {
  return (
    <p class="more">
      <button type="button" onClick={onClick}>
        Show more
      </button>
    </p>
  );
}
