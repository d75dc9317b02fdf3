import type { ScanKind } from "./scan-activities.ts";
import type { Seen } from "./wire-client.ts";

/** An answer that said what it cost and that it is debited. */
export interface PromisedDebit {
  readonly requestId: string;
  readonly costUsd: string;
}

/** A scan whose answer came, from which its price follows. */
export interface SeenScan {
  /** The id under which it is debited. */
  readonly requestId: string;
  readonly kind: ScanKind;
  readonly billableTokens: number;
}

/** What the clients have seen, all together. */
export class Witness {
  readonly promised: PromisedDebit[] = [];
  readonly scans: SeenScan[] = [];
  /** By activity and status; `left` is a client that left on purpose. */
  readonly counts = new Map<string, number>();
  /** What no client should see. The first few, as sentences. */
  readonly faults: string[] = [];
  readonly faultsMax = 20;
  requests = 0;
  left = 0;
  /** Refused because the gateway was busy. */
  shed = 0;

  /** Notes one answer; `expected` are the statuses that it may have. */
  note(activity: string, seen: Seen, expected: readonly number[]): void {
    this.requests += 1;
    const shed = isShed(seen);
    if (seen.left) this.left += 1;
    else if (shed) this.shed += 1;
    this.#count(`${activity} ${seen.left ? "left" : shed ? "shed" : String(seen.status)}`);
    const { headers } = seen;
    const costUsd = headers["x-svc-cost-usd"];
    const requestId = headers["x-svc-request-id"];
    if (typeof costUsd === "string" && typeof requestId === "string") {
      if ("x-svc-payg-debited-cents" in headers) this.promised.push({ requestId, costUsd });
    }
    if (seen.left || shed) return;
    if (!expected.includes(seen.status)) {
      this.fault(`${activity} was answered ${seen.status}: ${seen.text.slice(0, 300)}`);
    } else if (!seen.whole)
      this.fault(`${activity} had an answer of ${seen.status} without an end`);
  }

  fault(sentence: string): void {
    if (this.faults.length < this.faultsMax) this.faults.push(sentence);
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}

/** 503 with a time to come back: the machine is busier than the gateway can serve. */
function isShed({ status, headers, text }: Seen): boolean {
  return status === 503 && "retry-after" in headers && text.includes('"detector_unavailable"');
}
