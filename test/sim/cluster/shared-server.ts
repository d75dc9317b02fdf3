import { zstdDecompressSync } from "node:zlib";
import { microUsd, type MicroUsd } from "../../../src/contract/money.ts";
import { usageWindows, type UsageWindow } from "../../../src/contract/usage-limit.ts";
import type { AppliedFlush, Flush } from "../../../src/store/shared/functions.ts";
import type { CapAfter } from "../../../src/store/shared/limit-functions.ts";
import { bucketMs } from "../../../src/store/windows/usage-ring.ts";
import { LimitsModel } from "../../store/shared/limits-model.ts";
import { SharedModel } from "../../store/shared/model.ts";
import type { Server } from "./network.ts";

/** A run with its place in the log, or without one yet. */
export interface ServerRun {
  readonly gateway: number;
  readonly seq: number;
  readonly events: readonly string[];
  /** As the gateway has sent them. */
  readonly lines: Uint8Array | null;
  readonly made: readonly string[];
  readonly operations: Uint8Array | null;
}

/** What a function of the server has just done. */
export interface Done {
  readonly name: string;
  readonly values: readonly unknown[];
  readonly reply: unknown;
}

/** Everything that the server has committed. */
interface Committed {
  readonly model: SharedModel;
  readonly limits: LimitsModel;
  readonly names: Map<number, string>;
  readonly configSeqs: Map<number, number>;
  /** Names, keys and values of rows. */
  readonly changes: (readonly unknown[])[];
  readonly claims: Map<string, number>;
  readonly placed: ServerRun[];
  readonly waiting: ServerRun[];
  storeRuns: number;
}

export interface SharedServerOptions {
  readonly nowMs: () => number;
  readonly notify: (channel: string, payload: string) => void;
  readonly done: (done: Done) => void;
  /** A constraint has refused something. */
  readonly refused: (why: string) => void;
}

/**
 * PostgreSQL with the functions of `src/store/shared/migrations/`: the models that are compared with a real server stand
 * behind them. One call after the other; each is committed when it has its answer.
 */
export class SharedServer implements Server {
  readonly #options: SharedServerOptions;
  #state: Committed;
  /** The flush that is under way was applied. */
  #isApplied = false;

  constructor(options: SharedServerOptions) {
    this.#options = options;
    const model = new SharedModel();
    this.#state = {
      ...{ model, limits: this.#limitsOf(() => this.#state.model) },
      ...{ names: new Map(), configSeqs: new Map(), changes: [], claims: new Map() },
      ...{ placed: [], waiting: [], storeRuns: 0 },
    };
  }

  get model(): SharedModel {
    return this.#state.model;
  }

  get limits(): LimitsModel {
    return this.#state.limits;
  }

  /** The log, in order. */
  get log(): readonly ServerRun[] {
    return this.#state.placed;
  }

  /** Runs that have no place yet. */
  get waiting(): readonly ServerRun[] {
    return this.#state.waiting;
  }

  get configSeq(): number {
    return this.#state.changes.length;
  }

  isLive(gateway: number): boolean {
    return this.model.gateways.get(gateway)?.state === "live";
  }

  get live(): readonly number[] {
    return [...this.model.gateways].filter(([, { state }]) => state === "live").map(([id]) => id);
  }

  /** A copy of everything, to which the server may be set back. */
  copy(): Committed {
    const { model, limits, ...rest } = this.#state;
    const copiedModel = new SharedModel();
    for (const [id, gateway] of structuredClone(model.gateways))
      copiedModel.gateways.set(id, gateway);
    for (const [id, account] of structuredClone(model.accounts))
      copiedModel.accounts.set(id, account);
    for (const [id, hold] of structuredClone(model.holds)) copiedModel.holds.set(id, hold);
    copiedModel.waiting.push(...model.waiting);
    copiedModel.log.push(...model.log);
    for (const item of model.items) copiedModel.items.add(item);
    const copiedLimits = this.#limitsOf(() => copiedModel);
    for (const [id, shares] of structuredClone(limits.rates)) copiedLimits.rates.set(id, shares);
    for (const [id, cap] of structuredClone(limits.caps)) copiedLimits.caps.set(id, cap);
    return { model: copiedModel, limits: copiedLimits, ...structuredClone(rest) };
  }

  setBack(copy: Committed): void {
    this.#state = copy;
  }

  ask(name: string, values: readonly unknown[]): readonly object[] {
    if (name === "runs_after") return this.#runsAfter(Number(values[0]), Number(values[1]));
    const call = this.#functions[name];
    if (call === undefined) throw new Error(`the simulated server has no function ${name}`);
    const runsBefore = this.model.waiting.length;
    const reply = call(values);
    this.#noteRuns(name, values, this.model.waiting.slice(runsBefore));
    this.#options.done({ name, values, reply });
    return [{ reply }];
  }

  readonly #functions: Readonly<Record<string, (values: readonly unknown[]) => unknown>> = {
    join_cluster: ([name]) => {
      const id = this.model.join();
      this.#state.names.set(id, String(name));
      return String(id);
    },
    flush: (values) => this.#flush(values),
    live_gateways: () =>
      Object.fromEntries(
        this.live.map((id) => {
          const seq = this.model.gateways.get(id)?.seq;
          return [id, { name: this.#state.names.get(id), release: "1", seq }];
        }),
      ),
    hello: ([gateway, connection]) => this.#hello(Number(gateway), Number(connection)),
    end_gateway: ([gateway, observed, state]) => {
      const how = state as "fenced" | "left";
      if (!this.model.end(Number(gateway), Number(observed), how)) return false;
      this.limits.end(Number(gateway), how);
      return true;
    },
    grant_money: ([gateway, connection, org, need, target]) => {
      const reply = this.model.grantMoney(
        ...([Number(gateway), Number(connection), String(org)] as const),
        ...([money(need), money(target)] as const),
      );
      if (reply.outcome === "scarce") this.#options.notify("weir_recall", `money ${String(org)}`);
      return inTexts(reply);
    },
    grant_rate: ([gateway, connection, id, need, wish, limit]) => {
      const may = this.#mayBeGranted(gateway, connection);
      if (may !== "yes") return { outcome: may };
      const reply = this.limits.grantRate(
        ...([Number(gateway), String(id), Number(need), Number(wish), Number(limit)] as const),
      );
      if (reply.outcome === "scarce") this.#options.notify("weir_recall", `rate ${String(id)}`);
      return reply;
    },
    grant_cap: ([gateway, connection, id, bucket, need, wish, threshold, hard, idle]) => {
      const may = this.#mayBeGranted(gateway, connection);
      if (may !== "yes") return { outcome: may };
      const terms = {
        ...{ id: String(id), window: windowOf(bucket) },
        ...{ threshold: BigInt(String(threshold)), hard: Boolean(hard) },
        idle: BigInt(String(idle)),
      };
      const amounts = [BigInt(String(need)), BigInt(String(wish))] as const;
      const reply = this.limits.grantCap(Number(gateway), terms, ...amounts);
      if (reply.outcome === "scarce") this.#options.notify("weir_recall", `cap ${terms.id}`);
      if (!("waitMs" in reply)) return reply;
      const { waitMs, ...rest } = reply;
      return { ...inTexts(rest), wait_ms: waitMs };
    },
    used_of_caps: ([asked]) => {
      const caps = JSON.parse(String(asked)) as readonly (readonly [string, number])[];
      const used = caps.map(([id]) => [id, this.limits.usedOf(id)] as const);
      return Object.fromEntries(
        used.flatMap(([id, n]) => (n === undefined ? [] : [[id, String(n)]])),
      );
    },
    sweep_limits: () => this.#sweepLimits(),
    open_account: ([org]) => this.#openAccount(String(org)),
    top_up: (values) => this.#topUp(values),
    recover_some: () => {
      let paid = 0;
      for (const orgId of this.model.accounts.keys()) paid += this.model.recoverDebts(orgId, 100);
      return paid;
    },
    accounts_of: ([orgIds]) => {
      const wanted = (orgIds as readonly string[] | null) ?? [...this.model.accounts.keys()];
      return Object.fromEntries(
        wanted.flatMap((orgId) => {
          const account = this.model.accounts.get(orgId);
          if (account === undefined) return [];
          const { balance } = account;
          return [[orgId, [String(balance), String(balance - this.model.free(orgId))]]];
        }),
      );
    },
    held_of: ([orgId]) => {
      const holds = [...this.model.holds.values()].filter((hold) => hold.orgId === orgId);
      const amount = holds.reduce((sum, hold) => sum + hold.amount, 0n);
      return { amount: String(amount), holds: holds.length };
    },
    claim_jobs: ([gateway, jobIds]) => {
      if (!this.isLive(Number(gateway))) return [];
      return (jobIds as readonly string[]).filter((job) => {
        const owner = this.#state.claims.get(job);
        const isFree = owner === undefined || owner === gateway || !this.isLive(owner);
        if (isFree) this.#state.claims.set(job, Number(gateway));
        return isFree;
      });
    },
    sequence_runs: () => {
      const { waiting, placed } = this.#state;
      waiting.sort((one, other) => one.gateway - other.gateway || one.seq - other.seq);
      placed.push(...waiting.splice(0));
      return this.model.sequenceRuns();
    },
    about_store: () => ({ oldestRelease: "0.0.0", moving: null, logName: "log" }),
    log_head: () => {
      const { placed, waiting } = this.#state;
      return { runs: placed.length, size: this.model.log.length, waiting: waiting.length > 0 };
    },
    change_configuration: ([gateway, basedOn, names, keys, rows, events]) => {
      const { changes, model } = this.#state;
      if (!this.isLive(Number(gateway))) return { outcome: "fenced" };
      if (changes.length !== basedOn) return { outcome: "behind", seq: changes.length };
      changes.push([names, keys, rows]);
      const lines = events as readonly string[];
      if (lines.length > 0) model.waiting.push({ gateway: 0, events: lines });
      this.#options.notify("weir_change", String(changes.length));
      return { outcome: "written", seq: changes.length };
    },
    changes_after: ([after, max]) => {
      const { changes } = this.#state;
      const from = Number(after);
      const some = changes.slice(from, from + Number(max));
      return { seq: changes.length, changes: some.map((change, i) => [from + i + 1, ...change]) };
    },
    gateways_behind: ([seq]) =>
      this.live.filter((id) => (this.#state.configSeqs.get(id) ?? 0) < Number(seq)).length,
  };

  #flush([id, seq, configSeq, batch, lines]: readonly unknown[]): unknown {
    const gateway = Number(id);
    const known = this.model.gateways.get(gateway)?.seq;
    const flush = flushOf(Number(seq), JSON.parse(String(batch)) as StoredBatch);
    if (this.isLive(gateway) && known === flush.seq - 1) this.#checkFlush(gateway, flush);
    const reply = this.model.flush(gateway, flush, linesOf(lines));
    if (reply.outcome === "gap") return reply;
    if (reply.outcome === "fenced") {
      return { outcome: "fenced", last: reply.last === null ? null : storedFlush(reply.last) };
    }
    const me = this.model.gateways.get(gateway);
    if (known === flush.seq || me === undefined) return storedFlush(reply);
    const caps = this.limits.flush(gateway, flush.usage, flush.rateReturns);
    me.reply = { ...reply, caps };
    this.#isApplied = true;
    const { configSeqs } = this.#state;
    configSeqs.set(gateway, Math.max(configSeqs.get(gateway) ?? 0, Number(configSeq)));
    return storedFlush(me.reply);
  }

  /** Throws what the database refuses; the models would write it. */
  #checkFlush(gateway: number, { holds, debits, returns }: Flush): void {
    const { accounts, items } = this.model;
    const twice = holds.find(({ requestId }) => this.model.holds.has(`${gateway} ${requestId}`));
    if (twice !== undefined) throw this.#refusal("23505", `the hold ${twice.requestId} is there`);
    for (const orgId of new Set([...debits, ...returns].map((one) => one.orgId))) {
      const account = accounts.get(orgId);
      if (account === undefined) throw this.#refusal("P0001", `${orgId} has no account`);
      let [own, free] = [this.model.escrowOf(orgId, gateway), this.model.free(orgId)];
      for (const { requestId, cost, paid, item } of debits.filter((one) => one.orgId === orgId)) {
        const isKnown =
          (item !== undefined && items.has(`${item.jobId} ${item.index}`)) ||
          account.debts.has(requestId) ||
          account.entries.some(({ idempotencyKey }) => idempotencyKey === requestId);
        if (isKnown) continue;
        if (paid > own) throw this.#refusal("P0001", `gateway ${gateway} pays ${paid} of ${own}`);
        if (cost - paid > free) continue;
        own -= paid;
        free -= cost - paid;
      }
      for (const { amount } of returns.filter((one) => one.orgId === orgId)) own -= amount;
      if (own < 0n) throw this.#refusal("23514", `gateway ${gateway} has ${own} of ${orgId}`);
    }
  }

  #refusal(code: string, why: string): Error {
    this.#options.refused(why);
    return Object.assign(new Error(why), { code });
  }

  /** The model knows runs by their events alone. */
  #noteRuns(name: string, values: readonly unknown[], runs: SharedModel["waiting"]): void {
    const { waiting } = this.#state;
    const [gateway, seq, , , lines, , operations] = values as readonly [
      ...(readonly [number, number, number, string, Uint8Array | null, unknown, Uint8Array | null]),
    ];
    for (const run of runs) {
      if (run.gateway === 0) {
        this.#state.storeRuns += 1;
        const about = { gateway: 0, seq: this.#state.storeRuns };
        waiting.push({ ...about, ...run, lines: null, made: run.events, operations: null });
      } else {
        const made = run.events.slice(linesOf(lines).length);
        waiting.push({ ...run, seq, lines, made, operations });
      }
    }
    if (name === "flush" && runs.length === 0 && operations !== null && this.#isApplied) {
      waiting.push({ gateway, seq, events: [], lines: null, made: [], operations });
    }
    this.#isApplied = false;
  }

  #runsAfter(after: number, max: number): readonly object[] {
    const { placed } = this.#state;
    let first = placed.slice(0, after).reduce((sum, { events }) => sum + events.length, 0);
    return placed.slice(after, after + max).map(({ events, lines, made, operations }, i) => {
      const row = { place: String(after + i + 1), first: String(first), n: events.length };
      first += events.length;
      return { ...row, lines, made: made.length === 0 ? null : made.join("\n"), operations };
    });
  }

  #hello(gateway: number, connection: number): unknown {
    const reply = this.model.hello(gateway, connection);
    if (reply.outcome !== "known") return reply;
    const rates = [...this.limits.rates.keys()].map(
      (id) => [id, this.limits.shareOf(id, gateway)] as const,
    );
    const caps = [...this.limits.caps.keys()].map(
      (id) => [id, this.limits.grantOf(id, gateway)] as const,
    );
    return {
      ...{ outcome: "known", seq: reply.seq },
      money: Object.fromEntries([...reply.money].map(([org, own]) => [org, String(own)])),
      rates: Object.fromEntries(rates.filter(([, units]) => units > 0)),
      caps: Object.fromEntries(caps.flatMap(([id, own]) => (own > 0n ? [[id, String(own)]] : []))),
    };
  }

  #topUp([org, type, amount, key, balanceMax, debtsMax]: readonly unknown[]): unknown {
    const orgId = String(org);
    this.#openAccount(orgId);
    const reply = this.model.topUp(
      ...([orgId, type as "top_up" | "correction", money(amount), String(key)] as const),
      ...([BigInt(String(balanceMax)), Number(debtsMax)] as const),
    );
    if (reply.outcome === "too_much") this.#options.notify("weir_recall", `money ${orgId}`);
    if (reply.outcome === "written") this.#options.notify("weir_account", orgId);
    if (!("entry" in reply)) return reply;
    const entry = this.model.accounts
      .get(orgId)
      ?.entries.find(({ idempotencyKey }) => idempotencyKey === key);
    if (entry === undefined) throw new Error("the model has lost an entry");
    const { number, balanceAfter } = entry;
    return {
      outcome: reply.outcome,
      entry: {
        ...{ number, type: entry.type, amount: String(entry.amount), request_id: null },
        ...{ balance_after: String(balanceAfter), idempotency_key: entry.idempotencyKey },
        ...{ created_at: "2026-01-20T00:00:00.000Z", detail: null },
      },
    };
  }

  #openAccount(orgId: string): void {
    const { accounts } = this.model;
    if (accounts.has(orgId)) return;
    accounts.set(orgId, { balance: 0n, escrow: new Map(), entries: [], debts: new Map() });
    this.#options.notify("weir_account", orgId);
  }

  /** Rates alone: in the simulated time no cap's window passes. */
  #sweepLimits(): number {
    let swept = 0;
    for (const [id, shares] of this.limits.rates) {
      const isUsed = [...shares.values()].some(
        ({ units, frozenUntilMs }) =>
          units > 0 && (frozenUntilMs ?? Infinity) > this.#options.nowMs(),
      );
      if (!isUsed && this.limits.rates.delete(id)) swept += 1;
    }
    return swept;
  }

  #mayBeGranted(gateway: unknown, connection: unknown): "yes" | "fenced" | "old_connection" {
    const me = this.model.gateways.get(Number(gateway));
    if (me?.state !== "live") return "fenced";
    return me.conn === connection ? "yes" : "old_connection";
  }

  #limitsOf(model: () => SharedModel): LimitsModel {
    const live = (): number =>
      [...model().gateways.values()].filter(({ state }) => state === "live").length;
    return new LimitsModel(this.#options.nowMs, live);
  }
}

/** A member that would be empty is left out. */
interface StoredBatch {
  readonly unholds?: readonly string[];
  readonly holds?: readonly (readonly [string, string, string, Flush["holds"][number]["by"]])[];
  readonly debits?: readonly {
    readonly org: string;
    readonly request: string;
    readonly by: Flush["debits"][number]["by"];
    readonly cost: string;
    readonly paid: string;
    readonly at: string;
    readonly detail: Flush["debits"][number]["detail"];
    readonly job?: string;
    readonly item?: number;
  }[];
  readonly returns?: readonly (readonly [string, string])[];
  readonly usage?: readonly (readonly [string, number, string, string])[];
  readonly rates?: readonly (readonly [string, number])[];
}

function flushOf(seq: number, batch: StoredBatch): Flush {
  const { unholds = [], holds = [], debits = [], returns = [], usage = [], rates = [] } = batch;
  return {
    ...{ seq, configSeq: 0, events: null, operations: null, unholds },
    holds: holds.map(([requestId, orgId, amount, by]) => {
      return { requestId, orgId, amount: money(amount), by };
    }),
    debits: debits.map(({ org, request, by, cost, paid, at, detail, job, item }) => ({
      ...{ orgId: org, requestId: request, by, cost: money(cost), paid: money(paid), at, detail },
      item: job === undefined ? undefined : { jobId: job, index: item ?? 0 },
    })),
    returns: returns.map(([orgId, amount]) => ({ orgId, amount: money(amount) })),
    usage: usage.map(([id, bucket, amount, released]) => {
      return { id, window: windowOf(bucket), amount: BigInt(amount), released: BigInt(released) };
    }),
    rateReturns: rates.map(([id, units]) => ({ id, units })),
  };
}

function storedFlush({ accounts, caps, ...flush }: AppliedFlush): unknown {
  return {
    ...flush,
    accounts: Object.fromEntries(
      [...accounts].map(([orgId, { balance, escrowed, own }]) => [
        orgId,
        [String(balance), String(escrowed), String(own)],
      ]),
    ),
    caps: Object.fromEntries([...caps].map(([id, cap]) => [id, capTexts(cap)])),
  };
}

function capTexts({ used, granted, own }: CapAfter): readonly string[] {
  return [String(used), String(granted), String(own)];
}

/** Amounts as the server writes them. */
function inTexts(reply: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(reply).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === "bigint" ? String(value) : value,
    ]),
  );
}

/** A gateway compresses its lines. */
function linesOf(lines: unknown): readonly string[] {
  return lines instanceof Uint8Array ? zstdDecompressSync(lines).toString().split("\n") : [];
}

function money(text: unknown): MicroUsd {
  return microUsd(BigInt(String(text)));
}

function windowOf(bucket: unknown): UsageWindow {
  const window = usageWindows.find((one) => bucketMs(one) === Number(bucket));
  if (window === undefined) throw new Error("no window has such buckets");
  return window;
}
