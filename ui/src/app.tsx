import { useEffect } from "preact/hooks";
import { ErrorBoundary, LocationProvider, Route, Router, lazy, useLocation } from "preact-iso";
import { call, gatewayPath } from "./api.ts";
import { asError, type Data } from "./data.ts";
import { SignIn } from "./pages/sign-in.tsx";
import { Overview } from "./pages/overview.tsx";
import { Messages } from "./pages/messages.tsx";
import { isZone, zoneOfAddress } from "./settings.ts";
import { session, sessionToken, signedOut, type Session } from "./session.ts";

const Message = lazy(() => import("./pages/message.tsx").then(({ Message: page }) => page));
const Usage = lazy(() => import("./pages/usage.tsx").then(({ Usage: page }) => page));
const Security = lazy(() => import("./pages/security.tsx").then(({ Security: page }) => page));
const Keys = lazy(() => import("./pages/keys.tsx").then(({ Keys: page }) => page));
const Limits = lazy(() => import("./pages/limits.tsx").then(({ Limits: page }) => page));
const Policies = lazy(() => import("./pages/policies.tsx").then(({ Policies: page }) => page));
const Providers = lazy(() => import("./pages/providers.tsx").then(({ Providers: page }) => page));
const Orgs = lazy(() => import("./pages/orgs.tsx").then(({ Orgs: page }) => page));
const Billing = lazy(() => import("./pages/billing.tsx").then(({ Billing: page }) => page));
const Try = lazy(() => import("./pages/try.tsx").then(({ Try: page }) => page));
const Exports = lazy(() => import("./pages/exports.tsx").then(({ Exports: page }) => page));
const Audit = lazy(() => import("./pages/audit.tsx").then(({ Audit: page }) => page));
const Settings = lazy(() => import("./pages/settings.tsx").then(({ Settings: page }) => page));

type Role = Session["key"]["role"];

interface Place {
  readonly path: string;
  readonly name: string;
  readonly roles: readonly Role[];
}

const all: readonly Role[] = ["operator", "admin", "viewer", "member"];
const ofOrganization: readonly Role[] = ["operator", "admin", "viewer"];

/** What the navigation shows. The server decides what each role gets; this only hides dead ends. */
const groups: readonly (readonly [string, readonly Place[]])[] = [
  [
    "Traffic",
    [
      { path: "/", name: "Overview", roles: all },
      { path: "/messages", name: "Messages", roles: all },
      { path: "/usage", name: "Usage", roles: all },
      { path: "/security", name: "Security", roles: all },
      { path: "/try", name: "Try", roles: all },
    ],
  ],
  [
    "Manage",
    [
      { path: "/keys", name: "Keys", roles: ofOrganization },
      { path: "/limits", name: "Limits", roles: ofOrganization },
      { path: "/policies", name: "Policies", roles: ofOrganization },
      { path: "/providers", name: "Providers", roles: ["operator"] },
      { path: "/orgs", name: "Organizations", roles: ["operator", "admin"] },
    ],
  ],
  [
    "Books",
    [
      { path: "/billing", name: "Billing", roles: all },
      { path: "/audit", name: "Audit log", roles: ofOrganization },
      { path: "/exports", name: "Exports", roles: ofOrganization },
      { path: "/settings", name: "Settings", roles: all },
    ],
  ],
];

export function App() {
  useEffect(() => {
    if (sessionToken() === null) return signedOut();
    call<Data<Session>>(`${gatewayPath}/sessions/current`).then(
      ({ data }) => (session.value = data),
      (error: unknown) => {
        if (asError(error).status !== 401) signedOut();
      },
    );
    return undefined;
  }, []);
  if (session.value === undefined) return null;
  if (session.value === null) return <SignIn />;
  return (
    <LocationProvider>
      <Shell role={session.value.key.role} />
    </LocationProvider>
  );
}

function Shell({ role }: { readonly role: Role }) {
  const { route, path, query } = useLocation();
  const tz = query["tz"] ?? "";
  zoneOfAddress.value = isZone(tz) ? tz : null;
  useEffect(() => {
    document.title = titleOf(path);
  }, [path]);
  useEffect(() => {
    // `/` anywhere goes to the search of messages.
    const listen = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      const isTyping =
        target instanceof Element && target.closest("input,select,textarea,dialog") !== null;
      if (key !== "/" || isTyping || ctrlKey || metaKey || altKey) return;
      event.preventDefault();
      const search = document.getElementById("search");
      if (search === null) route("/messages?find=1");
      else search.focus();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [route]);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <Side role={role} />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary>
          <Router>
            <Route path="/" component={Overview} />
            <Route path="/messages" component={Messages} />
            <Route path="/messages/:id" component={Message} />
            <Route path="/usage" component={Usage} />
            <Route path="/security" component={Security} />
            <Route path="/keys" component={Keys} />
            <Route path="/limits" component={Limits} />
            <Route path="/policies" component={Policies} />
            <Route path="/providers" component={Providers} />
            <Route path="/orgs" component={Orgs} />
            <Route path="/billing" component={Billing} />
            <Route path="/audit" component={Audit} />
            <Route path="/exports" component={Exports} />
            <Route path="/try" component={Try} />
            <Route path="/settings" component={Settings} />
            <Route default component={Nowhere} />
          </Router>
        </ErrorBoundary>
      </main>
    </div>
  );
}

function titleOf(path: string): string {
  const place = groups.flatMap(([, places]) => places).find((one) => one.path === path);
  return place === undefined ? "Weir" : `${place.name} · Weir`;
}

function Side({ role }: { readonly role: Role }) {
  const { path } = useLocation();
  const isAt = (one: string) => (one === "/" ? path === "/" : path.startsWith(one));
  return (
    <div class="side">
      <a class="brand" href="/">
        <img src="/favicon.svg" width="18" height="18" alt="" /> Weir
      </a>
      <nav aria-label="Pages">
        {groups.map(([name, places]) => {
          const shown = places.filter(({ roles }) => roles.includes(role));
          if (shown.length === 0) return null;
          return (
            <>
              <span class="group">{name}</span>
              {shown.map((one) => (
                <a
                  key={one.path}
                  href={one.path}
                  aria-current={isAt(one.path) ? "page" : undefined}
                >
                  {one.name}
                </a>
              ))}
            </>
          );
        })}
      </nav>
      <Who />
    </div>
  );
}

function Who() {
  const key = session.value?.key;
  const out = () => {
    const done = () => signedOut();
    call(`${gatewayPath}/sessions/current`, { method: "DELETE" }).then(done, done);
  };
  return (
    <div class="who">
      <span>{key?.name}</span>
      <small>{key?.role}</small>
      <span class="id">{key?.label}</span>
      <button type="button" onClick={out}>
        Sign out
      </button>
    </div>
  );
}

function Nowhere() {
  return <p class="state">There is no such page.</p>;
}
