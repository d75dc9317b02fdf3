import { Compile } from "typebox/compile";
import { BatchAccepted, BatchStatus } from "../../../src/contract/batch.ts";

/** Where a gateway is, and with which key it is asked. */
export interface Caller {
  readonly url: string;
  readonly key: string;
}

const accepted = Compile(BatchAccepted);
const status = Compile(BatchStatus);

export async function postBatch({ url, key }: Caller, body: unknown): Promise<Response> {
  return fetch(`${url}/v1/security/scan/batch`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** The id of a job that must be accepted. */
export async function submit(caller: Caller, items: readonly unknown[]): Promise<string> {
  const response = await postBatch(caller, { items });
  const text = await response.text();
  const body: unknown = JSON.parse(text);
  if (response.status !== 202 || !accepted.Check(body)) throw new Error(text);
  return body.job_id;
}

export async function getBatch({ url, key }: Caller, jobId: string): Promise<Response> {
  return fetch(`${url}/v1/security/scan/batch/${jobId}`, {
    headers: { authorization: `Bearer ${key}` },
  });
}

/** The status of a job that must be there, of the published shape and with counts that add up. */
export async function statusOf(caller: Caller, jobId: string): Promise<BatchStatus> {
  const response = await getBatch(caller, jobId);
  const text = await response.text();
  const body: unknown = JSON.parse(text);
  if (response.status !== 200 || !status.Check(body)) throw new Error(text.slice(0, 2_000));
  const { queued, running, completed, failed } = body.counts;
  const counted = queued + running + completed + failed;
  if (counted !== body.item_count || body.results.length !== body.item_count) {
    throw new Error(`the counts do not add up: ${JSON.stringify(body.counts)}`);
  }
  return body;
}

/** The status of a job once it says what is waited for. */
export async function statusWhen(
  caller: Caller,
  jobId: string,
  isSo: (status: BatchStatus) => boolean,
): Promise<BatchStatus> {
  for (;;) {
    const found = await statusOf(caller, jobId);
    if (isSo(found)) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function ended(caller: Caller, jobId: string): Promise<BatchStatus> {
  return statusWhen(caller, jobId, ({ completed_at }) => completed_at !== null);
}
