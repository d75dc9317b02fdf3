import { randomBytes } from "node:crypto";
import { accept, type Outcome } from "../../../contract/outcome.ts";
import type { Store } from "../store.ts";
import { newSigningKey } from "../../audit/signed-note.ts";

/** The signing key of an audit log, as stored in LMDB. */
export interface AuditKeyRecord {
  readonly v: 1;
  readonly name: string;
  /** PKCS #8. */
  readonly privateKeyPem: string;
}

/**
 * The audit log's key. If there is none yet, makes one with a name that no other log has. Durable when
 * resolved, because its signatures must stay verifiable. Errors: `internal_error` if the disk is full.
 */
export async function auditKey(store: Store): Promise<Outcome<AuditKeyRecord>> {
  const { auditKeys } = store.tables;
  const known = auditKeys.get("signing");
  if (known !== undefined) return accept(known);
  const name = `weir-${randomBytes(8).toString("hex")}`;
  const record: AuditKeyRecord = { v: 1, name, privateKeyPem: newSigningKey() };
  return store.write(() => {
    auditKeys.putSync("signing", record);
    return accept(record);
  });
}
