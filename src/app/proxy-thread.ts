import { parentPort, workerData } from "node:worker_threads";
import { pino } from "pino";
import { billingUrlOf, BoundPort } from "./bound-port.ts";
import { ledgerSweepMs } from "../contract/limits.ts";
import { openManagedResources } from "./managed-resources.ts";
import { sharedWindows } from "./open-limits.ts";
import { endExchanges, openGatewayListener } from "./open-listener.ts";
import { providerStateOf } from "./open-provider-state.ts";
import { openProxy } from "./open-proxy.ts";
import { authenticate } from "../pipeline/caller/authenticate.ts";
import { UnownedResponses } from "../pipeline/record/unowned-responses.ts";
import { Accounts } from "../pipeline/routing/accounts.ts";
import { entryResolver } from "../config/accounts.ts";
import { resolvedAccounts } from "../pipeline/routing/provider-accounts.ts";
import { systemClock } from "../runtime/clock.ts";
import { openKeyFinder } from "../store/embedded/keys/key-finder.ts";
import { SharedAccounts } from "../store/ledger/shared-accounts.ts";
import { Spending } from "../store/ledger/spending.ts";
import { openStoreReader } from "../store/embedded/store.ts";
import { WriteHalt } from "../store/embedded/write-halt.ts";
import { CatchUp } from "../threads/catch-up.ts";
import { HandOver } from "../threads/hand-over.ts";
import type {
  FromThread,
  ThreadAnswer,
  ThreadQuestion,
  ThreadStart,
  ToThread,
} from "../threads/messages.ts";
import { Lease } from "../store/shared/lease.ts";
import { whileLeased } from "./while-leased.ts";
import { AskGrants } from "../threads/ask-grants.ts";
import { Outbox } from "../threads/outbox.ts";
import { SharedFlags } from "../threads/shared-flags.ts";

/*
 * A proxy thread beside the main one. It serves requests with the state that the main thread keeps. It
 * reads the store, and writes only to shared memory and its outbox.
 */
if (parentPort === null) throw new Error("proxy-thread.ts runs in a thread");
const port = parentPort;
const post = (message: FromThread, transferred: readonly ArrayBuffer[] = []): void =>
  port.postMessage(message, transferred);

// The starter's own data, which structured cloning preserves.
const start = workerData as ThreadStart;
const { index, threads, configuration, fileAccounts } = start;
const words = new SharedFlags(threads, start.words);
const lease = start.lease === null ? null : new Lease(start.lease);
const grants = new AskGrants(post);
const outbox: Outbox = new Outbox({
  words,
  index,
  threads,
  post,
  takeUses: () => keys.takeUses(),
  ...(lease === null ? {} : { lease }),
});
const logger = pino({ level: configuration.gateway.logLevel, base: null }, outbox);

const store = openStoreReader(start.databasePath, new WriteHalt(start.writeHalt));
const keys = openKeyFinder(
  store,
  (error) => logger.error({ err: error }, "the keys can't be checked"),
  () => outbox.keyUsed(),
);
const resolve = entryResolver(process.env);
const providerAccounts = () => resolvedAccounts(fileAccounts, managed.providers.all(), resolve);
const managed = openManagedResources(
  store,
  keys,
  () => accounts.replace(providerAccounts()),
  (error) => logger.error({ err: error }, "the store can't be checked"),
);
const accounts = new Accounts(providerAccounts());
const spending = new Spending({
  journal: outbox,
  accounts: new SharedAccounts(start.accounts),
  clock: systemClock,
  billingUrl: billingUrlOf(configuration, new BoundPort(start.boundPort)),
  holdsMax: configuration.billing.holdsPerOrganizationMax,
  ...(lease === null ? {} : { grants }),
});
const leases = setInterval(() => spending.expireLeases(), ledgerSweepMs);
const findKey = whileLeased(lease, (secret) => keys.findBySecret(secret));
const catchUp = new CatchUp(post);
const handOver = new HandOver(post, (head) => authenticate(head, findKey).ok);

const unowned = new UnownedResponses(start.unowned);
const proxy = await openProxy({
  configuration,
  logger,
  findKey,
  lease,
  managed,
  accounts,
  ledger: spending,
  contents: outbox,
  unowned,
  windows: sharedWindows(start.windows, lease === null ? null : grants, (error, message) =>
    logger.error({ err: error }, message),
  ),
  providerState: providerStateOf(store, managed, () => catchUp.ask()),
  scanBegan: () => words.scanned(index, Date.now()),
  sources: {
    openExchanges: () => listener.openExchanges,
    batchItemsOpen: () => 0,
    // The main thread reports this one, because it writes for all threads.
    journalFailing: () => false,
    journalPendingBytes: () => outbox.pendingBytes,
    contentsDropped: () => outbox.dropped,
    contentPendingBytes: () => 0,
  },
});
const listener = openGatewayListener({
  configuration,
  logger,
  proxy,
  backOffice: handOver.routes(start.handedOver),
  unowned,
  storeOpen: () => keys.available && lease?.isOver !== true,
  writesHalted: () => store.halt.halted,
  journalFailing: () => lease === null && words.journalFails,
});

process.on("exit", () => {
  // Node aborts the process if a thread ends with uWS sockets in its loop.
  listener.close();
  words.closed(index);
});

async function answer(question: ThreadQuestion): Promise<ThreadAnswer> {
  switch (question.about) {
    case "sync":
      outbox.post();
      return null;
    case "metrics":
      return proxy.metrics.values();
    case "account":
      return proxy.accountHealth(question.name);
    case "drained":
      await drain(question.waitMsMax);
      return null;
  }
}

async function drain(waitMsMax: number): Promise<void> {
  await endExchanges([listener], waitMsMax, { proxy, logger });
  await proxy.close();
  clearInterval(leases);
  await outbox.close();
  managed.close();
  keys.close();
  await store.close();
}

port.on("message", (message: ToThread) => {
  switch (message.kind) {
    case "change":
      store.changes.receive(message.change);
      return;
    case "forgetCached":
      proxy.cache?.forget(message.orgId);
      return;
    case "durable":
      outbox.woken();
      return;
    case "caughtUp":
      catchUp.answered(message.number);
      return;
    case "granted":
      grants.answered(message.number, message.answer);
      return;
    case "exchange":
      handOver.step(message.id, message.step);
      return;
    case "end":
      process.exit(1);
      return;
    case "question":
      void answer(message.question).then((answer) => {
        post({ kind: "answer", number: message.number, answer });
        if (message.question.about === "drained") port.close();
      });
  }
});
post({ kind: "ready", listener: listener.descriptor });
