import type { AuditEntry, ChainCheck } from '../../doctor/audit/audit-entry.js';
import type { NamedWorkload } from '../../doctor/commands/command.js';
import { isMeant, resolveWorkload } from '../../doctor/commands/resolve-workload.js';
import { type Sight, visibleIn } from '../../doctor/policy/view.js';
import type { Statement } from '../../engine/language/statement.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import type { ApprovalStore } from '../approve/approval-ports.js';
import { type Audited, type AuditedChange, auditedChanges } from '../change/audited-changes.js';
import type { ClusterReader, Unreadable } from '../diagnose/cluster-reader.js';
import { ignoreMalformed } from '../errors.js';
import type { Refused } from './conversation.js';
import type { AuditPage, AuditRange, AuditReader } from './people-ports.js';
import { type Sights, sightOrRefused } from './sights.js';

/** A name that the records do not know, or know several of. */
export type Unmatched =
  | { readonly type: 'choices'; readonly workloads: readonly WorkloadRef[] }
  | { readonly type: 'not-recorded'; readonly near: readonly WorkloadRef[] }
  /** The workloads below the object that was named are not known. */
  | Unreadable;

/** An entry with what the change is called, where its approval is still kept. */
export type TitledAudited = Audited & { readonly title?: Statement };

export interface AuditTrail {
  readonly type: 'audit';
  /** Absent: of all workloads. */
  readonly workload: WorkloadRef | undefined;
  /** Newest first. */
  readonly lines: readonly TitledAudited[];
  /** Further ones in what was looked through. */
  readonly more: number;
  /** RFC3339: what is older was not looked through; absent when all was. */
  readonly since: string | undefined;
  /** Whether the decisions are as they were recorded; of all workloads. */
  readonly chain: ChainCheck;
}

export type ReadAudit = (request: {
  readonly by: string;
  readonly query?: NamedWorkload | undefined;
}) => Promise<AuditTrail | Unmatched | Refused>;

export interface AuditTrailDeps {
  readonly approvals: Pick<ApprovalStore, 'get'>;
  readonly audit: AuditReader;
  readonly cluster: Pick<ClusterReader, 'find'>;
  readonly sights: Pick<Sights, 'ofPerson'>;
}

const linesShown = 12;
const pageSize = 500;
const maxEntries = 3_000;

/** What was changed, by whom it was approved, when, and what came of it. */
export function createReadAudit(deps: AuditTrailDeps): ReadAudit {
  return async ({ by, query }) => {
    const allowed = await sightOrRefused(deps.sights, by);
    if (allowed.type === 'refused') return allowed;
    let workload: WorkloadRef | undefined;
    if (query !== undefined) {
      const matched = await recordedWorkload(deps, query, allowed.sight);
      if (matched.type !== 'one') return matched;
      workload = matched.workload;
    }
    const { entries, since } = await readEntries(deps.audit.decisions, workload);
    const isVisible = ({ workload: of }: AuditEntry): boolean =>
      of === undefined || visibleIn(allowed.sight, of).workload;
    const lines = auditedChanges(entries.filter(isVisible));
    return {
      type: 'audit',
      workload,
      lines: await Promise.all(lines.slice(0, linesShown).map((line) => titled(deps, line))),
      more: Math.max(0, lines.length - linesShown),
      since,
      chain: await deps.audit.checkDecisions(),
    };
  };
}

/**
 * The workload that a name means among those with records that the reader may see; it need not exist any
 * more.
 */
export async function recordedWorkload(
  { audit, cluster }: Pick<AuditTrailDeps, 'audit' | 'cluster'>,
  query: NamedWorkload,
  sight: Sight,
): Promise<{ readonly type: 'one'; readonly workload: WorkloadRef } | Unmatched> {
  const known = await audit.workloads();
  const visible = known.filter((workload) => visibleIn(sight, workload).workload);
  if (query.owner !== undefined) {
    const found = await cluster.find({ ...query, parts: 'every' }, sight);
    if (found.type === 'unreadable') return found;
    const below = found.type === 'found' ? found.workloads : [];
    const workloads = visible.filter((each) => below.some((one) => isMeant(one, each)));
    const [workload, ...others] = workloads;
    if (workload === undefined) return { type: 'not-recorded', near: [] };
    return others.length === 0 ? { type: 'one', workload } : { type: 'choices', workloads };
  }
  const matched = resolveWorkload(query, visible);
  switch (matched.type) {
    case 'one':
      return matched;
    case 'several':
      return { type: 'choices', workloads: matched.workloads };
    case 'none':
      return { type: 'not-recorded', near: matched.near };
  }
}

/**
 * Reads entries newest first, at most `maxEntries`; `since` is the time of the oldest one where more are
 * left.
 */
export async function readEntries(
  read: (limit: number, from: AuditRange) => Promise<AuditPage>,
  of: WorkloadRef | undefined,
): Promise<{ readonly entries: readonly AuditEntry[]; readonly since: string | undefined }> {
  const entries: AuditEntry[] = [];
  let before: string | undefined;
  do {
    const page = await read(pageSize, {
      ...(of === undefined ? {} : { of }),
      ...(before === undefined ? {} : { before }),
    });
    entries.push(...page.entries);
    before = page.before;
  } while (before !== undefined && entries.length < maxEntries);
  return { entries, since: before === undefined ? undefined : entries.at(-1)?.at };
}

/** A record that is gone or cannot be read costs the title only. */
export async function titled<Line extends Audited>(
  { approvals }: Pick<AuditTrailDeps, 'approvals'>,
  line: Line,
): Promise<Line & { readonly title?: Statement }> {
  if (line.type !== 'change') return line;
  const { approvalId } = line satisfies AuditedChange;
  const approval = await approvals.get(approvalId).catch(ignoreMalformed);
  return approval === undefined ? line : { ...line, title: approval.remediation.title };
}
