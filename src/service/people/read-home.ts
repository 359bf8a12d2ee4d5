import type { Severity } from '../../doctor/findings/cause-id.js';
import type { Approval } from '../../doctor/incidents/approval.js';
import { isExpired, missingApprovers } from '../../doctor/incidents/approval-transitions.js';
import { withoutListed } from '../../doctor/incidents/group-rows.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import {
  countSeverities,
  isFirstDiagnosis,
  mostSevereFirst,
  openFirst,
} from '../../doctor/incidents/open-first.js';
import { isClusterVisible, type Sight, visibleIn } from '../../doctor/policy/view.js';
import type { ApprovalStore } from '../approve/approval-ports.js';
import { everywhere } from '../approve/change-stop.js';
import type { MayApprove } from '../approve/may-approve.js';
import { type AuditedChange, auditedChanges } from '../change/audited-changes.js';
import type { FaultyCluster } from '../clusters/cluster-roll.js';
import { ignoreMalformed } from '../errors.js';
import type { Clock } from '../records/process-ports.js';
import { type TitledAudited, titled } from './audit-trail.js';
import type { Refused } from './conversation.js';
import { knownIncidents, type ListIncidentsDeps, type ShownIncident, shown } from './list-incidents.js';
import type { AuditReader, Silence, SilenceStore } from './people-ports.js';
import { sightOrRefused } from './sights.js';

/** A change that somebody has approved and that needs more people. */
export interface PendingApproval extends ShownIncident {
  readonly approval: Approval;
  /** How many people are still missing. */
  readonly missing: number;
  /** Whether this reader's approval would count. */
  readonly mine: boolean;
}

/** What the reader's page shows. */
export interface Home {
  readonly type: 'home';
  /** Those that wait for the reader first, then by when they expire. */
  readonly pending: readonly PendingApproval[];
  readonly morePending: number;
  /** Worst first, then newest first; those with a pending approval stand above only. */
  readonly open: readonly ShownIncident[];
  readonly moreOpen: number;
  /** How many of all that are open are of each severity. */
  readonly severities: Readonly<Record<Severity, number>>;
  /** Open incidents beside them that are diagnosed for the first time. */
  readonly diagnosing?: number;
  /** The newest ones first. */
  readonly changes: readonly TitledChange[];
  /** The channel of the newest incident. */
  readonly channel: string | undefined;
  readonly silences: readonly Silence[];
  /**
   * RFC3339: since when the policy file has a fault. Present for readers who may stop all changes, while the
   * file has one.
   */
  readonly policyFaultSince?: string;
  /** Clusters whose workers do not report, as far as the reader may see them. */
  readonly clustersAway?: readonly string[];
  /** Clusters whose workers run, and what is wrong with each. */
  readonly clusterFaults?: readonly FaultyCluster[];
  /** RFC3339. */
  readonly at: string;
}

export type ReadHome = (request: { readonly by: string }) => Promise<Home | Refused>;

/** A change with its title, where its approval is still kept. */
export type TitledChange = AuditedChange & Pick<TitledAudited, 'title'>;

interface ReadHomeDeps extends ListIncidentsDeps {
  readonly audit: Pick<AuditReader, 'decisions'>;
  readonly approvals: Pick<ApprovalStore, 'get'>;
  readonly clock: Clock;
  readonly mayApprove: MayApprove;
  /** Since when the policy file has a fault; undefined while it has none. */
  readonly policyFaultSince: () => Date | undefined;
  readonly silences: Pick<SilenceStore, 'all'>;
  /** Clusters without a running worker; absent where the app reads the clusters itself. */
  readonly clustersAway?: (() => readonly string[]) | undefined;
  readonly clusterFaults?: (() => readonly FaultyCluster[]) | undefined;
}

/** Each takes a question to the policy. */
const pendingJudged = 30;
const pendingShown = 8;
const openShown = 10;
const changesShown = 5;
/** Decisions that are read for them: a change has some five. */
const decisionsRead = 100;

/** Open incidents, pending approvals and recent changes, as they are at this moment. */
export function createReadHome(deps: ReadHomeDeps): ReadHome {
  return async ({ by }) => {
    const allowed = await sightOrRefused(deps.sights, by);
    if (allowed.type === 'refused') return allowed;
    const now = deps.clock.now();
    const known = await knownIncidents(deps, allowed.sight);
    const open = mostSevereFirst(withoutListed(openFirst(known).open, known));
    const awaiting = open.filter(({ phase }) => phase === 'awaiting');
    const pending = await pendingOf(deps, awaiting, by, now.getTime());
    const ids = new Set(pending.map(({ incident }) => incident.id));
    const others = open.filter(({ id }) => !ids.has(id));
    return {
      type: 'home',
      pending: pending.slice(0, pendingShown),
      morePending: Math.max(0, pending.length - pendingShown),
      open: await shown(deps, others.slice(0, openShown)),
      moreOpen: Math.max(0, others.length - openShown),
      severities: countSeverities(open),
      diagnosing: open.filter(isFirstDiagnosis).length,
      changes: await recentChanges(deps, allowed.sight),
      channel: known.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))[0]?.channel,
      silences: (await deps.silences.all()).filter(
        ({ workload }) => visibleIn(allowed.sight, workload).workload,
      ),
      ...(await policyFault(deps, by)),
      clusterFaults: (deps.clusterFaults?.() ?? []).filter(({ cluster }) =>
        isClusterVisible(allowed.sight, cluster),
      ),
      clustersAway: (deps.clustersAway?.() ?? []).filter((each) => isClusterVisible(allowed.sight, each)),
      at: now.toISOString(),
    };
  };
}

/** Those who may stop all changes are responsible for the whole installation. */
async function policyFault(
  { mayApprove, policyFaultSince }: ReadHomeDeps,
  by: string,
): Promise<Pick<Home, 'policyFaultSince'>> {
  const since = policyFaultSince();
  if (since === undefined) return {};
  const allowed = await mayApprove({ workload: everywhere }, by, 'stop-changes');
  return allowed.type === 'allowed' ? { policyFaultSince: since.toISOString() } : {};
}

/** Changes that people decided on, of workloads that the reader may view. */
async function recentChanges(deps: ReadHomeDeps, sight: Sight): Promise<readonly TitledChange[]> {
  const { entries } = await deps.audit.decisions(decisionsRead);
  const visible = entries.filter(
    ({ workload }) => workload === undefined || visibleIn(sight, workload).workload,
  );
  const changes = auditedChanges(visible).filter((each) => each.type === 'change');
  return Promise.all(changes.slice(0, changesShown).map((change) => titled(deps, change)));
}

async function pendingOf(
  deps: ReadHomeDeps,
  awaiting: readonly Incident[],
  by: string,
  now: number,
): Promise<readonly PendingApproval[]> {
  const all = await Promise.all(
    (await shown(deps, awaiting.slice(0, pendingJudged))).map(async (each) => {
      const { approvalId } = each.incident;
      const approval =
        approvalId === undefined ? undefined : await deps.approvals.get(approvalId).catch(ignoreMalformed);
      if (approval?.state !== 'open' || isExpired(approval, now)) return [];
      const mine = await counts(deps, each.incident, approval, by);
      return [{ ...each, approval, missing: missingApprovers(approval), mine }];
    }),
  );
  return all
    .flat()
    .sort(
      (a, b) =>
        Number(b.mine) - Number(a.mine) ||
        Date.parse(a.approval.expiresAt) - Date.parse(b.approval.expiresAt),
    );
}

/** Asked as at a click: the right, four eyes, and that nobody approves twice. */
async function counts(
  { mayApprove }: ReadHomeDeps,
  incident: Incident,
  approval: Approval,
  by: string,
): Promise<boolean> {
  const allowed = await mayApprove(incident, by, approval.undoes ? 'undo' : approval.remediation.kind);
  if (allowed.type === 'refused') return false;
  const decided = approval.decisions.map((decision) => decision.by);
  const own = await allowed.idsAmong([...decided, ...approval.initiators]);
  if (decided.some((id) => own.has(id))) return false;
  return !(allowed.demands.notRequester && approval.initiators.some((id) => own.has(id)));
}
