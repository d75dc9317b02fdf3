import type { Mode } from "./lab.ts";
import type { Scenarios } from "./stub/script.ts";

/** Where a client runs, and what it is told of the gateway. */
export interface Setting {
  readonly mode: Mode;
  /** A home of its own: no file of the person's who runs this is read. */
  readonly home: string;
  /** A repository with notes.md, CLAUDE.md and AGENTS.md. */
  readonly project: string;
  /** Without `/v1`. */
  readonly gatewayUrl: string;
  readonly serviceKey: string;
  /** The caller's own at the provider. */
  readonly providerKey: string;
  readonly upstreamUrl: string;
  readonly prompt: string;
  /** In place of the client's usual one. */
  readonly model?: string;
  /** Whether the prompt goes on with the session that the last run has left. */
  readonly continues: boolean;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Written into the home before the start: content by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A coding agent or an SDK's agent loop. */
export interface AgentClient {
  readonly name: string;
  readonly modes: readonly Mode[];
  /** Whether its session writes copy.md with a tool of its own. */
  readonly writes: boolean;
  /** What the model says in it; tools have other names in every client. */
  scenarios(project: string): Scenarios;
  command(setting: Setting): Command;
}

/** What both credentials are called in own-keys mode. */
export function ownKeysHeaders(setting: Setting): Readonly<Record<string, string>> {
  return {
    "X-Svc-Api-Key": setting.serviceKey,
    "X-Svc-Upstream-Url": setting.upstreamUrl,
  };
}

/** What stands in the slot of the provider's key. */
export function credential({ mode, serviceKey, providerKey }: Setting): string {
  return mode === "own keys" ? providerKey : serviceKey;
}
