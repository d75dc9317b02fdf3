import { Type, type Static } from "typebox";
import { members } from "../documented-schema.ts";
import { UsageLimit } from "../usage-limit.ts";
import { Key } from "./api-key.ts";
import { dataOf, nullable } from "./fields.ts";
import { Org } from "./organization.ts";
import { UsageView } from "./usage-limit.ts";

const { id, name, plan, rateLimit, budget, payg } = Org.properties;

const MyLimit = members(
  {
    ...UsageView.properties,
    name: UsageLimit.properties.name,
    apiKeyId: UsageLimit.properties.apiKeyId,
  },
  { description: "A limit that this key's requests are checked against, and its use." },
);

/** A balance as it is shown: decimal strings with six places. */
export const Balance = members(
  {
    balanceUsd: Type.String({ description: "The prepaid balance, US dollars." }),
    availableUsd: Type.String({ description: "What no request in flight holds." }),
  },
  { description: "The organization's prepaid balance." },
);
export type Balance = Static<typeof Balance>;

/** `GET /v1/me`: the data about itself that a key may read (design section 7). */
export const Me = members(
  {
    organization: members(
      { id, name, plan, rateLimit, budget, payg },
      { description: "The key's organization." },
    ),
    key: Key,
    limits: Type.Array(MyLimit, { description: "Enabled limits, the organization's first." }),
    balance: nullable(Balance, "The balance; null where none is kept.", "a balance"),
  },
  { description: "What a key may know of itself." },
);
export type Me = Static<typeof Me>;

export const MeAnswer = dataOf(Me, "The caller.");
export type MeAnswer = Static<typeof MeAnswer>;
