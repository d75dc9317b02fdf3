import { Compile } from "typebox/compile";
import { ScanResponse } from "../../../src/contract/scan-response.ts";
import type { TestGateway } from "../../support/gateway.ts";

/** A refusal's envelope, as far as tests look at it. */
export interface Refused {
  readonly error: Readonly<Record<string, unknown>> & { readonly code: string };
}

/** Sends a scan request as a client would. */
export async function postScan(gateway: TestGateway, body: unknown): Promise<Response> {
  return fetch(`${gateway.url}/v1/security/scan`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

const published = Compile(ScanResponse);

/** The response of a scan that must succeed, and be of the published shape. */
export async function scan(gateway: TestGateway, body: unknown): Promise<ScanResponse> {
  const response = await postScan(gateway, body);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  const found: unknown = JSON.parse(text);
  if (published.Check(found)) return found;
  throw new Error(`not of the published shape: ${JSON.stringify(published.Errors(found))}`);
}

/** The envelope of a scan that must be refused with 400. */
export async function refusedScan(gateway: TestGateway, body: unknown): Promise<Refused["error"]> {
  const response = await postScan(gateway, body);
  const text = await response.text();
  if (response.status !== 400) throw new Error(`${response.status} ${text}`);
  return (JSON.parse(text) as Refused).error;
}
