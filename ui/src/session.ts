import { signal } from "@preact/signals";

/** Whose session this is, as the server tells it. */
export interface Session {
  readonly id: string;
  readonly key: {
    readonly id: string;
    readonly name: string;
    readonly label: string;
    readonly role: "operator" | "admin" | "viewer" | "member";
    readonly orgId: string | null;
  };
  readonly endsAt: string;
}

const tokenPlace = "weir.session";

/** null: nobody is signed in; undefined: not known yet. */
export const session = signal<Session | null | undefined>(undefined);

/** Why somebody who was signed in is asked for a key again. */
export const signedOutWhy = signal<string | null>(null);
export const hasEnded = "Your session has ended. Sign in again to go on where you were.";

/**
 * The session's second secret. Its place belongs to this very origin, port included, unlike the cookie's:
 * another program on this machine can't read it.
 */
export function sessionToken(): string | null {
  return localStorage.getItem(tokenPlace);
}

export function signedIn(token: string, opened: Session): void {
  localStorage.setItem(tokenPlace, token);
  session.value = opened;
}

export function signedOut(why: string | null = null): void {
  localStorage.removeItem(tokenPlace);
  signedOutWhy.value = why;
  session.value = null;
}

export function may(what: "write" | "operate"): boolean {
  const role = session.value?.key.role;
  return role === "operator" || (what === "write" && role === "admin");
}
