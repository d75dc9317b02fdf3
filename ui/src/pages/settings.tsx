import { Head, Moment } from "../parts/basics.tsx";
import { session } from "../session.ts";
import { keptZone, theme, type Theme } from "../settings.ts";

const themes: readonly Theme[] = ["system", "light", "dark"];

/** Settings of this browser. */
export function Settings() {
  const open = session.value;
  const zones = [...new Set(["UTC", keptZone.value, ...Intl.supportedValuesOf("timeZone")])];
  return (
    <>
      <Head title="Settings" about="Kept in this browser." />
      <section class="panel">
        <div class="field">
          <label for="zone">Time zone</label>
          <select
            id="zone"
            value={keptZone.value}
            onChange={(event) => (keptZone.value = event.currentTarget.value)}
          >
            {zones.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <small>Times are shown in it, and days end in it. The tooltip of a time is UTC.</small>
        </div>
        <div class="field">
          <label for="theme">Theme</label>
          <select
            id="theme"
            value={theme.value}
            onChange={(event) =>
              (theme.value = themes.find((one) => one === event.currentTarget.value) ?? "system")
            }
          >
            {themes.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
      </section>
      <section class="panel">
        <h2>Session</h2>
        <dl class="facts">
          <dt>Key</dt>
          <dd>{open?.key.label}</dd>
          <dt>Role</dt>
          <dd>{open?.key.role}</dd>
          <dt>Ends at the latest</dt>
          <dd>
            <Moment at={open?.endsAt ?? null} />
          </dd>
        </dl>
      </section>
    </>
  );
}
