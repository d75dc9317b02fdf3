import {
  bundleForm,
  type AuditEventRow,
  type AuditProof,
  type BundleHeader,
} from "../contract/audit-api.ts";
import { canonicalEvent, type AuditEvent } from "../contract/audit.ts";

/** A log of two events. Its proof and its bundle verify. */

const createdAt = "2026-01-17T09:31:00.000Z";

const keyCreated: AuditEvent = {
  eventType: "key.created",
  message: "The keys API changed something.",
  orgId: "org_3e9a",
  requestId: "r-1",
  data: { id: "key_7c1f" },
};

const requestCompleted: AuditEvent = {
  eventType: "request.completed",
  message: "A request was answered.",
  orgId: "org_3e9a",
  requestId: "5mUyOhPrRjuCXXcYRSkHKg-12",
  data: {
    route: "chat",
    type: "request",
    api_key_id: "key_7c1f",
    provider: "openai",
    model: "openai/gpt-5.1",
    http_status: 200,
    error_code: null,
    stream: false,
    end: "complete",
    client_gone: false,
    verdict: "allow",
    score: 0.02,
    usage: null,
    cost_usd: "0.000031",
    cost_status: "calculated",
    latency_ms: 812.4,
  },
};

const firstLine = canonicalEvent(keyCreated, "2026-01-17T09:30:00.000Z");
const secondLine = canonicalEvent(requestCompleted, createdAt);

export const eventExample: AuditEventRow = {
  index: 1,
  event_type: requestCompleted.eventType,
  message: requestCompleted.message,
  org_id: requestCompleted.orgId,
  request_id: requestCompleted.requestId,
  data: requestCompleted.data,
  created_at: createdAt,
};

export const verifierKeyExample =
  "weir-5f0c1d2e3a4b5c6d+03d5c4dc+AQQfOBX2/ETPzV6XGFQDSS7tLy51F603OUxjQwtc2z17\n";

export const checkpointExample =
  "weir-5f0c1d2e3a4b5c6d\n2\nWwA+V9IrDFKQAAC9vxa80rQ6kIw30uTRUz4Re83hGlE=\n\n— weir-5f0c1d2e3a4b5c6d A9XE3HJLoSt7rxkJrXM12CY3gaMyLdxxUzCcHjkcRLIYFppPKHbF7iVvgYdWkYq6wdYeu4YNUhFfeAKyLE4QXk8QJAI=\n";

export const proofExample: AuditProof = {
  index: 1,
  treeSize: 2,
  leafData: btoa(secondLine),
  leafHash: "bprj131+zv3d7qkwToEPYJDQvYKGR2t7QZpnJTyjreA=",
  hashes: ["GrXOwchLESJcLTmbOfUALcl9f8a0PzHnfuvR1R/pMu0="],
  checkpoint: checkpointExample,
};

const bundleHeader: BundleHeader = {
  form: bundleForm,
  kind: "log",
  orgId: null,
  treeSize: 2,
  verifierKey: verifierKeyExample.trim(),
  checkpoint: checkpointExample,
};

export const bundleExample = [JSON.stringify(bundleHeader), firstLine, secondLine, ""].join("\n");

export const csvExample =
  "timestamp,request_id,correlation_id,org_id,api_key_id,route,type,provider,model,status,http_status,error_code,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens,billable_tokens,cost_usd,cost_status,verdict,latency_ms,audit_index,tags\r\n" +
  `${createdAt},5mUyOhPrRjuCXXcYRSkHKg-12,5mUyOhPrRjuCXXcYRSkHKg-12,org_3e9a,key_7c1f,chat,request,openai,openai/gpt-5.1,completed,200,,12,4,0,0,,0.000031,calculated,allow,812.4,1,"feature=rag,customer=acme"\r\n`;
