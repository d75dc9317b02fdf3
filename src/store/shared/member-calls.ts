import { balanceUsdMax, batchResultsMs, recoveryDebtsPerSlice } from "../../contract/limits.ts";
import { microUsdPerUsd } from "../../contract/money.ts";
import type { SharedCalls } from "./calls.ts";
import type { Member } from "./member.ts";

const topUpBounds = {
  balanceMax: BigInt(balanceUsdMax) * microUsdPerUsd,
  debtsMax: recoveryDebtsPerSlice,
};

/** The calls of a gateway, under its id. */
export function callsOf(member: Member): SharedCalls {
  const { grants: functions, limits, reads } = member;
  return {
    async grantMoney(orgId, need, target) {
      const { gateway, connection } = await member.asking();
      const { epoch } = member;
      const reply = await functions.grantMoney(gateway, connection, orgId, need, target);
      // The gateway was fenced meanwhile, and what it was given is gone.
      if (member.epoch !== epoch) return fenced;
      if (reply.outcome === "granted") member.allowances.grantedMoney(orgId, reply.amount);
      return reply;
    },
    liveGateways: () => functions.liveGateways(),
    ownId: () => Promise.resolve(member.id),
    claimJobs: (jobIds) => functions.claimJobs(member.id, jobIds, batchResultsMs),
    openAccount: (orgId) => functions.openAccount(orgId),
    topUp: (orgId, type, amount, key) => functions.topUp(orgId, type, amount, key, topUpBounds),
    accounts: (orgIds) => reads.accounts(orgIds),
    held: (orgId) => reads.held(orgId),
    entriesBefore: (orgId, before, limit) => reads.entriesBefore(orgId, before, limit),
    months: (orgId, limit) => reads.months(orgId, limit),
    recoverSome: (orgsMax, debtsMax) => reads.recoverSome(orgsMax, debtsMax),
    async grantRate(id, need, wish, limit) {
      const { gateway, connection } = await member.asking();
      const { epoch } = member;
      const reply = await limits.grantRate(gateway, connection, id, need, wish, limit);
      if (member.epoch !== epoch) return fenced;
      if (reply.outcome === "granted") member.allowances.grantedRate(id, reply.units);
      return reply;
    },
    async grantCap(terms, need, wish) {
      const { gateway, connection } = await member.asking();
      const { epoch } = member;
      const reply = await limits.grantCap(gateway, connection, terms, need, wish);
      if (member.epoch !== epoch) return fenced;
      if (reply.outcome === "granted") member.allowances.grantedCap(terms.id, reply.amount);
      return reply;
    },
    usedOfCaps: (caps) => limits.usedOfCaps(caps),
    forgetCaps: (ids) => limits.forgetCaps(ids),
  };
}

const fenced = { outcome: "fenced" } as const;
