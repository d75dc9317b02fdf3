import type { TSchema } from "typebox";
import {
  AuditConsistency,
  AuditContent,
  AuditEventDetail,
  AuditEventList,
  AuditEventRow,
  AuditProof,
  StoredBody,
} from "../contract/audit-api.ts";
import {
  BatchAccepted,
  BatchItemResult,
  BatchRequest,
  BatchState,
  BatchStatus,
  DirectBatchItem,
  ListedBatch,
  ProviderBatchItem,
} from "../contract/batch.ts";
import {
  CustomPattern,
  CustomPatternAction,
  CustomPatternError,
} from "../contract/custom-pattern.ts";
import { ProviderEntry } from "../contract/configuration-provider.ts";
import { ErrorEnvelope, ErrorObject, MessagesSecurityBlock } from "../contract/error-schema.ts";
import { CreateKey, Key, RotateKey, UpdateKey } from "../contract/keys-api/api-key.ts";
import { BudgetUse, OrgBudget } from "../contract/keys-api/budget.ts";
import { BudgetBody } from "../contract/keys-api/fields.ts";
import { Balance, Me } from "../contract/keys-api/me.ts";
import { CreateOrg, Org, UpdateOrg } from "../contract/keys-api/organization.ts";
import { CreatePolicy, Policy, UpdatePolicy } from "../contract/keys-api/policy.ts";
import { ProviderHealth } from "../contract/keys-api/provider-health.ts";
import { Provider, UpdateProvider } from "../contract/keys-api/provider.ts";
import {
  CreateUsageLimit,
  ListedUsageLimit,
  UpdateUsageLimit,
  UsageView,
} from "../contract/keys-api/usage-limit.ts";
import { Team } from "../contract/keys-api/team.ts";
import { McpError, McpRequest, McpResponse } from "../contract/mcp.ts";
import { EntityRule } from "../contract/security-policy.ts";
import { UsageLimit } from "../contract/usage-limit.ts";
import {
  DetectionLocation,
  EntityCategory,
  InjectionResult,
  Location,
  ScanCategory,
  Segment,
  Sensitivity,
} from "../contract/scan.ts";
import {
  ContentPart,
  DirectScanRequest,
  ProviderScanRequest,
  ScanRequest,
} from "../contract/scan-request.ts";
import {
  CustomPatternFinding,
  CustomPatternScan,
  Detection,
  ScannedSpan,
  ScanResponse,
  UnscannedPart,
} from "../contract/scan-response.ts";
import {
  Alive,
  DetectorCatalog,
  DetectorEntry,
  Model,
  ModelList,
  Ready,
  Version,
} from "../contract/service-schemas.ts";
import {
  ChatCompletion,
  ChatCompletionsRequest,
  EventStream,
  Message,
  MessagesRequest,
  ProviderError,
} from "./provider-bodies.ts";

/** The schemas that the document names. All others are written where they are used. */
export const namedSchemas: Readonly<Record<string, TSchema>> = {
  Alive,
  AuditConsistency,
  AuditContent,
  AuditEventDetail,
  AuditEventList,
  AuditEventRow,
  AuditProof,
  Balance,
  BatchAccepted,
  BatchItemResult,
  BatchRequest,
  BatchState,
  BatchStatus,
  Budget: BudgetBody,
  BudgetUse,
  ChatCompletion,
  ChatCompletionsRequest,
  ContentPart,
  CreateKey,
  CreateOrg,
  CreatePolicy,
  CreateProvider: ProviderEntry,
  CreateUsageLimit,
  CustomPattern,
  CustomPatternAction,
  CustomPatternError,
  CustomPatternFinding,
  CustomPatternScan,
  Detection,
  DetectionLocation,
  DetectorCatalog,
  DetectorEntry,
  DirectBatchItem,
  DirectScanRequest,
  EntityCategory,
  EntityRule,
  ErrorEnvelope,
  ErrorObject,
  EventStream,
  InjectionResult,
  Key,
  ListedBatch,
  ListedUsageLimit,
  Location,
  McpError,
  McpRequest,
  McpResponse,
  Me,
  Message,
  MessagesRequest,
  MessagesSecurityBlock,
  Model,
  ModelList,
  Org,
  OrgBudget,
  Policy,
  Provider,
  ProviderBatchItem,
  ProviderError,
  ProviderHealth,
  ProviderScanRequest,
  Ready,
  RotateKey,
  ScanCategory,
  ScannedSpan,
  ScanRequest,
  ScanResponse,
  Segment,
  Sensitivity,
  StoredBody,
  Team,
  UnscannedPart,
  UpdateKey,
  UpdateOrg,
  UpdatePolicy,
  UpdateProvider,
  UpdateUsageLimit,
  UsageLimit,
  UsageView,
  Version,
};

const names: ReadonlyMap<string, string> = new Map(
  Object.entries(namedSchemas).map(([name, schema]) => [JSON.stringify(schema), name]),
);

/** A part of the published document: named schemas are replaced by references. */
export function published(node: unknown): unknown {
  if (typeof node !== "object" || node === null) return node;
  const name = names.get(JSON.stringify(node));
  return name === undefined ? definition(node) : { $ref: `#/components/schemas/${name}` };
}

/** The same, but a named schema itself stays. Schemas in it may become references. */
export function definition(node: object): unknown {
  if (Array.isArray(node)) return node.map(published);
  const entries = Object.entries(node)
    // Not a keyword of OpenAPI. Only messages of refusals use it.
    .filter(([key]) => key !== "errorMessage")
    .map(([key, value]) => [key, published(value)] as const);
  // Code generators need the type of an enumeration. All enumerations here are strings.
  if ("enum" in node && !("type" in node)) entries.unshift(["type", "string"]);
  return Object.fromEntries(entries);
}
