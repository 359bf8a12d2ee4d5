import { fieldAt } from '../../doctor/fixes/field-at.js';
import { otherFields } from '../../doctor/fixes/forecast-change.js';
import type { Plan, PlanTarget } from '../../doctor/fixes/plan.js';
import type { AuthenticApproval, VerifiedApproval } from '../../doctor/incidents/approval.js';
import { isPastExpiry } from '../../doctor/incidents/approval-transitions.js';
import { originOf } from '../../doctor/incidents/change-origin.js';
import { isResourceKind } from '../../engine/objects/cluster-objects.js';
import { type ApprovalAuthority, isDistrusted } from '../../service/approve/approval-authority.js';
import type { ChangeOutcome, Lapsed, WorkloadPatcher } from '../../service/change/workload-patcher.js';
import type { Unreadable } from '../../service/diagnose/cluster-reader.js';
import { DoctorError } from '../../service/errors.js';
import type { Clock, SharedClock } from '../../service/records/process-ports.js';
import { type ApiAnswer, type ApiCall, type ApiRequest, notUnderstood, unanswered } from './api-call.js';
import type { ApiObject, Resolved, TargetRead } from './change-body.js';
import {
  bodyOf,
  expectedObject,
  isDeletion,
  madeOutcome,
  outcomeOf,
  refused,
  resolve,
  staleness,
} from './change-body.js';
import type { ClusterConnection } from './cluster-connection.js';
import { collectionPath, objectPath } from './resource-paths.js';
import { createSecondStep } from './second-step.js';

/** How often an overtaken change is sent again at most. */
const rounds = 10;
/** Of the Event about a change. The verdict waits for it. */
const eventAttempts = 2;

/** A dry run alone needs no decision of people; a change does. */
type Sending =
  | { readonly to: 'try'; readonly approval: AuthenticApproval }
  | {
      readonly to: 'change';
      readonly approval: VerifiedApproval;
      /** A request for good has left in this attempt: what it is answered need not be what it did. */
      hasLeft: boolean;
    };

interface Sent {
  readonly outcome: ChangeOutcome | Lapsed;
  /** Somebody wrote the object between our read and our write. */
  readonly overtaken: boolean;
}

interface Ready {
  readonly type: 'ready';
  readonly resolved: Resolved;
  readonly current: ApiObject;
  readonly path: string;
}

interface WorkloadPatcherDeps {
  readonly connections: readonly ClusterConnection[];
  readonly clock: Clock;
  /** Decides what has expired. */
  readonly sharedClock: SharedClock;
  readonly authority: ApprovalAuthority;
  /** Deadline of one call in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * The only writer to clusters. It takes nothing but an authentic approval to try, or a verified one to carry
 * out; the object is re-read first and must still be the one the plan was made for. A change is sent only
 * after the API server accepted the same request in a dry run. Right before each request it checks seal, plan
 * and expiry of the approval itself.
 *
 * @throws DoctorError `redis-unavailable`, retryable, when the shared clock cannot be read; nothing was sent
 *   then
 */
export function createWorkloadPatcher({
  connections,
  clock,
  sharedClock,
  authority,
  timeoutMs,
}: WorkloadPatcherDeps): WorkloadPatcher {
  const callOf = (cluster: string): ApiCall | undefined =>
    connections.find(({ name }) => name === cluster)?.call;
  const secondStep = createSecondStep({ timeoutMs, lapse, rounds });
  return {
    async dryRun(approval) {
      const call = callOf(approval.workload.cluster);
      if (call === undefined) return unknownCluster(approval.workload.cluster);
      return send(call, { to: 'try', approval });
    },
    async apply(approval) {
      const call = callOf(approval.workload.cluster);
      if (call === undefined) return unknownCluster(approval.workload.cluster);
      const outcome = await send(call, { to: 'change', approval, hasLeft: false });
      if (outcome.type === 'accepted') await announce(call, approval, approval.plan.target);
      return outcome;
    },
    async findMade(approval) {
      const call = callOf(approval.workload.cluster);
      if (call === undefined) return unknownCluster(approval.workload.cluster);
      try {
        const read = await readTarget(call, approval.plan);
        if (read.type === 'unreadable') return read;
        const made = madeOutcome(approval, read, true);
        // The attempt that made it may have ended before it sent the Event.
        if (made?.type === 'accepted') await announce(call, approval, approval.plan.target);
        return made ?? movedOn(approval.plan, read);
      } catch (error) {
        return unanswered(error);
      }
    },
    async readFirstStep(approval) {
      const call = callOf(approval.workload.cluster);
      if (call === undefined) return unknownCluster(approval.workload.cluster);
      return secondStep.read(call, approval).catch(unanswered);
    },
    async applySecondStep(approval) {
      const call = callOf(approval.workload.cluster);
      if (call === undefined) {
        return { deleted: [], skipped: [], failed: unknownCluster(approval.workload.cluster) };
      }
      const outcome = await secondStep.send(call, approval);
      const { namespace } = approval.plan.target;
      for (const { name, uid } of approval.plan.afterwards?.pods ?? []) {
        if (!outcome.deleted.includes(name)) continue;
        await announce(call, approval, { apiVersion: 'v1', kind: 'Pod', namespace, name, uid });
      }
      return outcome;
    },
  };

  /**
   * Sent again where the answer is lost or the API server is busy: the name is that of the approval, so it is
   * one Event. The change stands whether or not the cluster keeps it.
   */
  async function announce(call: ApiCall, approval: AuthenticApproval, object: PlanTarget): Promise<void> {
    const event = changeEvent(approval, object, clock.now());
    for (let attempt = 1; attempt <= eventAttempts; attempt += 1) {
      const signal = AbortSignal.timeout(timeoutMs);
      const answer = await call({ ...event, signal }).catch(() => undefined);
      if (answer !== undefined && answer.status < 500 && answer.status !== 429) return;
    }
  }

  /**
   * Sends until it was not overtaken. Controllers write the status of a busy object many times a minute,
   * which spoils the resourceVersion and not the plan; what would spoil the plan shows in the generation when
   * it is read again.
   */
  async function send(call: ApiCall, sending: Sending): Promise<ChangeOutcome | Lapsed> {
    for (let round = 1; ; round += 1) {
      const { outcome, overtaken } = await sendOnce(call, sending).catch(failed);
      if (!overtaken || round === rounds) return settled(call, sending, outcome);
    }
  }

  /**
   * A request that left may have been carried out whatever came back: proxies answer in place of the API
   * server, and connections end. The object itself shows it, by the mark or by its values.
   */
  async function settled(
    call: ApiCall,
    sending: Sending,
    outcome: ChangeOutcome | Lapsed,
  ): Promise<ChangeOutcome | Lapsed> {
    if (sending.to === 'try' || !sending.hasLeft || outcome.type === 'accepted') return outcome;
    const { approval } = sending;
    const read = await readTarget(call, approval.plan).catch(unanswered);
    return (read.type === 'unreadable' ? undefined : madeOutcome(approval, read, true)) ?? outcome;
  }

  /**
   * Asked for right before the request leaves, since reads, waits and crashes lie between approval and
   * request.
   */
  async function lapse(approval: AuthenticApproval): Promise<Lapsed | undefined> {
    const authentic = authority.authenticate(approval.id, approval);
    if (isDistrusted(authentic)) return { type: 'lapsed', because: authentic.because };
    // People approved a pull request and no change of the cluster.
    if (approval.gitTarget !== undefined) return { type: 'lapsed', because: 'shape' };
    const now = (await sharedClock.now()).getTime();
    return isPastExpiry(approval, now) ? { type: 'lapsed', because: 'expired' } : undefined;
  }

  /** Tries all steps, and sends the first one for good when it is to be made and all were accepted. */
  async function sendOnce(call: ApiCall, sending: Sending): Promise<Sent> {
    const ready = await prepare(call, sending);
    if (ready.type !== 'ready') return { outcome: ready, overtaken: false };
    const tried = await request(call, sending.approval, ready, { dryRun: true });
    if (tried.outcome.type !== 'accepted') return tried;
    const refusal = await secondStep.tryOut(call, sending.approval, sending.to === 'try');
    if (refusal !== undefined) return { outcome: refusal, overtaken: false };
    if (sending.to === 'try') return tried;
    return request(call, sending.approval, ready, {
      dryRun: false,
      leaves: () => {
        sending.hasLeft = true;
      },
    });
  }

  async function request(
    call: ApiCall,
    approval: AuthenticApproval,
    { resolved, current, path }: Ready,
    { dryRun, leaves }: { dryRun: boolean; leaves?: () => void },
  ): Promise<Sent> {
    const { request, changes } = resolved;
    const { plan } = approval;
    const deletes = request.verb === 'delete';
    const subresource = request.verb === 'patch' ? request.subresource : undefined;
    const prepared = {
      ...bodyOf(request, current, { mark: approval.id, dryRun }),
      path: subresource === undefined ? path : `${path}/${subresource}`,
      query: { ...(dryRun ? { dryRun: 'All' } : {}), ...(deletes ? {} : { fieldManager }) },
    };
    const lapsed = await lapse(approval);
    if (lapsed !== undefined) return { outcome: lapsed, overtaken: false };
    leaves?.();
    const answer = await call({ ...prepared, signal: AbortSignal.timeout(timeoutMs) });
    if (answer.status !== 200 && answer.status !== 202) {
      const outcome = outcomeOf(answer);
      return { outcome, overtaken: outcome.type === 'refused' && outcome.because === 'stale' };
    }
    const after = understood(answer, plan, subresource);
    if (after === undefined) return { outcome: notUnderstood(plan.target.kind), overtaken: false };
    const lacking = dryRun ? droppedFields(plan, resolved, after) : [];
    if (lacking.length > 0) {
      return { outcome: refused('dropped', lacking.join(', ')), overtaken: false };
    }
    const outcome: ChangeOutcome = {
      type: 'accepted',
      generation: deletes ? undefined : after.metadata?.generation,
      mutated: deletes ? [] : otherFields(changes, after),
    };
    return { outcome, overtaken: false };
  }

  /** Reads the object and says whether the plan still holds for it, or was carried out before. */
  async function prepare(call: ApiCall, sending: Sending): Promise<Ready | ChangeOutcome> {
    const { approval } = sending;
    const { plan } = approval;
    const read = await readTarget(call, plan);
    if (read.type === 'unreadable') return read;
    const made =
      sending.to === 'change'
        ? madeOutcome(approval, read, sending.hasLeft || approval.state === 'running')
        : undefined;
    if (made !== undefined) return made;
    if (read.type !== 'read') return read.type === 'gone' ? refused('gone', '') : read;
    const { current, path } = read;
    const outdated = staleness(plan, current);
    if (outdated !== undefined) return refused('stale', outdated);
    const resolved = await resolve(call, plan, {
      now: clock.now(),
      signal: AbortSignal.timeout(timeoutMs),
      isReviewed: (template) => authority.isSealedTemplate(template, approval.template),
    });
    if (resolved.type !== 'resolved') return resolved;
    return { type: 'ready', resolved, current, path };
  }

  async function readTarget(call: ApiCall, { target }: Plan): Promise<TargetRead> {
    if (!isResourceKind(target.kind)) return refused('unsupported', target.kind);
    const path = objectPath(target.kind, target.namespace, target.name);
    const read = await call({ path, signal: AbortSignal.timeout(timeoutMs) });
    if (read.status === 404) return { type: 'gone' };
    if (read.status !== 200) return outcomeOf(read);
    const current = expectedObject(read.body, target);
    return current === undefined ? notUnderstood(target.kind) : { type: 'read', current, path };
  }
}

function failed(error: unknown): Sent {
  if (error instanceof DoctorError) throw error;
  return { outcome: unanswered(error), overtaken: false };
}

/** A status has no mark: where it has moved on, an earlier request may have been carried out. */
function movedOn(plan: Plan, read: TargetRead): ChangeOutcome | undefined {
  if (plan.target.mustHold === undefined || read.type !== 'read') return undefined;
  const outdated = staleness(plan, read.current);
  return outdated === undefined ? undefined : refused('stale', outdated);
}

/** The changed object, or undefined where the answer is not about it. */
function understood(
  answer: ApiAnswer,
  { target, request }: Plan,
  subresource: string | undefined,
): ApiObject | undefined {
  const { uid } = target;
  if (request.verb === 'delete') {
    return isDeletion(answer, target, uid) ? { metadata: { uid } } : undefined;
  }
  const kind = subresource === 'scale' ? 'Scale' : target.kind;
  const object = expectedObject(answer.body, { ...target, kind });
  return object?.metadata.uid === uid ? whole(object) : undefined;
}

/**
 * A custom resource whose definition lacks a field is stored without it, and the API server reports no error.
 */
function droppedFields(
  { target }: Plan,
  { request, changes }: Resolved,
  after: ApiObject,
): readonly string[] {
  const isCustom = !target.apiVersion.startsWith('apps/') && target.apiVersion !== 'v1';
  if (!isCustom || request.verb === 'delete' || request.subresource !== undefined) return [];
  return changes
    .filter(({ path, after: wanted }) => wanted !== undefined && fieldAt(after, path) === undefined)
    .map(({ path }) => path);
}

/** A Scale of no replicas leaves the field out (`autoscaling/v1 ScaleSpec.Replicas`, omitempty). */
function whole(answer: ApiObject): ApiObject {
  return answer.kind === 'Scale' ? { ...answer, spec: { replicas: 0, ...answer.spec } } : answer;
}

function unknownCluster(cluster: string): Unreadable {
  return {
    type: 'unreadable',
    because: 'unavailable',
    message: `no cluster is configured under the name ${cluster}`,
  };
}

/**
 * Names us in managedFields. Not kubectl-like: Flux drops fields of managers whose name starts with
 * `kubectl`.
 */
const fieldManager = 'rollout-doctor';

/** The request for an Event on a changed object: what was done, and who approved it. */
function changeEvent(
  approval: AuthenticApproval,
  { apiVersion, kind, namespace, name, uid }: PlanTarget,
  now: Date,
): Pick<ApiRequest, 'method' | 'path' | 'query' | 'body'> {
  const at = now.toISOString();
  const by = approval.decisions.filter(({ decision }) => decision === 'approve').map((each) => each.by);
  const done = `${approval.undoes ? 'undo of ' : ''}${approval.remediation.kind} ${reasonFor(approval)}`;
  return {
    method: 'POST',
    path: collectionPath('Event', namespace),
    query: { fieldManager },
    body: {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${approval.id.slice(0, 16)}`, namespace },
      involvedObject: { apiVersion, kind, namespace, name, uid },
      reason: approval.undoes ? 'RemediationUndone' : 'RemediationApplied',
      message: `${done}, approved by ${by.join(', ')} (approval ${approval.id})`,
      type: 'Normal',
      source: { component: fieldManager },
      reportingComponent: fieldManager,
      reportingInstance: fieldManager,
      firstTimestamp: at,
      lastTimestamp: at,
      count: 1,
    },
  };
}

/** What an event says of the origin of a change. */
function reasonFor(approval: AuthenticApproval): string {
  const origin = originOf(approval);
  return origin.type === 'finding' ? `for ${origin.cause}` : `requested by ${origin.requester.by}`;
}
