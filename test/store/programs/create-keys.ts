// Creates keys without end; prints each secret as soon as its creation is acknowledged.
import { openKeys } from "../../../src/store/embedded/keys/keys.ts";
import { openStore } from "../../../src/store/embedded/store.ts";

const [dataDir = ""] = process.argv.slice(2);
const opened = await openStore({ dataDir });
if (!opened.ok) throw new Error(opened.fault);
const keys = openKeys(opened.value, {
  onCheckFailed: (error) => {
    throw error;
  },
});
const draft = { orgId: null, role: "operator", name: "k" } as const;
for (;;) {
  const created = await keys.create({ draft, expiresAt: null });
  if (!created.ok) throw new Error(created.refusal.message);
  console.log(created.value.secret);
}
