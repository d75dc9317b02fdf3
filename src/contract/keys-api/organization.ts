import { Type, type Static } from "typebox";
import { members, oneOf, wholeNumber } from "../documented-schema.ts";
import { retentionDaysMax } from "../limits.ts";
import {
  budget,
  dataOf,
  id,
  listOf,
  moment,
  name,
  nullable,
  rateLimit,
  securityPolicyId,
} from "./fields.ts";

const plan = oneOf(["free", "paid"], { description: "Usage limits need `paid`." });
const payg = oneOf(["enabled", "disabled"], {
  description: "Whether requests may be paid through the service.",
});
const retentionDays = nullable(
  wholeNumber(1, retentionDaysMax, { description: "Days." }),
  "Days that readable content is kept; null: 90.",
  `a whole number from 1 to ${retentionDaysMax}`,
);

/** An organization as the API shows it. */
export const Org = members(
  {
    id: id("Names the organization."),
    name: name("Unique."),
    plan,
    rateLimit,
    budget,
    retentionDays,
    payg,
    securityPolicyId,
    createdAt: moment("When it was created."),
    updatedAt: moment("When it was last changed."),
  },
  { description: "A tenant: what keys, limits, balances and records belong to." },
);
export type Org = Static<typeof Org>;

export const CreateOrg = members(
  {
    name: name("Unique."),
    plan,
    rateLimit: Type.Optional(rateLimit),
    budget: Type.Optional(budget),
    retentionDays: Type.Optional(retentionDays),
    payg: Type.Optional({ ...payg, default: "enabled" }),
  },
  { description: "An organization to be made." },
);
export type CreateOrg = Static<typeof CreateOrg>;

export const UpdateOrg = members(
  {
    name: Type.Optional(name("Unique.")),
    plan: Type.Optional(plan),
    rateLimit: Type.Optional(rateLimit),
    budget: Type.Optional(budget),
    retentionDays: Type.Optional(retentionDays),
    payg: Type.Optional(payg),
    securityPolicyId: Type.Optional(securityPolicyId),
  },
  { description: "What is to be another; what is left out stays." },
);
export type UpdateOrg = Static<typeof UpdateOrg>;

export const OrgAnswer = dataOf(Org, "An organization.");
export type OrgAnswer = Static<typeof OrgAnswer>;
export const OrgList = listOf(Org, "Organizations.");
export type OrgList = Static<typeof OrgList>;
