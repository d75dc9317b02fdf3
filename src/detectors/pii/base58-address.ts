import { base58CheckPayload } from "../checksums/base58check.ts";
import type { EntityDetector } from "../entity.ts";

/** Version bytes of addresses: Bitcoin's P2PKH and P2SH, Litecoin's, Dogecoin's, Tron's. */
const versions: ReadonlySet<number> = new Set([0x00, 0x05, 0x30, 0x32, 0x1e, 0x16, 0x41]);

export const base58Address: EntityDetector = {
  id: "base58-address",
  entityType: "CRYPTO",
  label: "CRYPTO",
  category: "pii",
  description: "A Bitcoin, Litecoin, Dogecoin or Tron address in Base58Check.",
  keywords: [],
  pattern: String.raw`\b[13LMDAT9][1-9A-HJ-NP-Za-km-z]{25,34}\b`,
  score: 0.95,
  validate: (value) => {
    const payload = base58CheckPayload(value);
    return payload?.length === 21 && versions.has(payload[0] ?? -1);
  },
  positives: [
    ["send to 1KPCDZgzQTuniQeXA9bumvc3ATPxNLg8vS now", "1KPCDZgzQTuniQeXA9bumvc3ATPxNLg8vS"],
    ["3LUqJuhGXSx8FfEspHBNyreCBZVbLEeHDt.", "3LUqJuhGXSx8FfEspHBNyreCBZVbLEeHDt"],
  ],
  negatives: ["1KPCDZgzQTuniQeXA9bumvc3ATPxNLg8vT", "17VZNX1SN5NtKa8UQFxwQbFeFc3iqRYhem1"],
};
