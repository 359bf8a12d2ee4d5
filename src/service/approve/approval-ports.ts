import type { AuditEntry } from '../../doctor/audit/audit-entry.js';
import type { Approval, ApprovalState, Seal } from '../../doctor/incidents/approval.js';
import type { Conflict } from '../records/incident-store.js';

/** Why a stored approval is not the one that people gave. */
export type Distrust =
  | 'unsigned'
  | 'format'
  | 'unknown-key'
  | 'signature'
  /** The record of one approval under the id of another. */
  | 'id'
  | 'digest'
  /** Too few people approved it, or somebody rejected it. */
  | 'decisions'
  | 'shape'
  | 'template';

/** Signs and checks texts with the keys that only the app and the remediation worker hold. */
export interface ApprovalSigner {
  /** @throws DoctorError `config-invalid` where this process has no key */
  sign(text: string): Seal;
  check(text: string, seal: Seal | undefined): 'valid' | 'unsigned' | 'format' | 'unknown-key' | 'signature';
}

export interface ApprovalStore {
  /** Creates it unless one with its id exists; gives the stored one. */
  open(approval: Approval): Promise<Approval>;
  get(id: string): Promise<Approval | undefined>;
  /**
   * Stores the next version, and records the decision in the same write: either both are stored or neither.
   */
  replace(next: Approval, decision?: AuditEntry): Promise<Approval | Conflict>;
  /** Ids of approvals in state `approved` or `running`; for the start-up sweep. */
  underway(): Promise<readonly string[]>;
  /**
   * Moves `approved` to `running` once, and records the start in the same write: no entry, no change. A
   * second call for a running one (a resumed worker) gives it as well. The state is bookkeeping and no
   * permission: what may be sent is verified apart from it.
   */
  consume(
    id: string,
    started: (approval: Approval) => AuditEntry,
  ): Promise<Approval | { readonly type: 'not-approved'; readonly state: ApprovalState | undefined }>;
}
