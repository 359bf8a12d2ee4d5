import { isResourceKind } from '../../core/cluster/cluster-objects.js';
import type { ConsumedApproval } from '../../core/incident/approval.js';
import { otherFields } from '../../core/remediation/holds.js';
import type { Plan } from '../../core/remediation/plan.js';
import type { ChangeOutcome, Clock, WorkloadPatcher } from '../../usecases/ports.js';
import { type ApiCall, unanswered } from './api-call.js';
import { type ApiObject, approvalAnnotation, bodyOf, type Resolved, resolve } from './change-body.js';
import { outcomeOf, refused } from './change-outcome.js';
import type { ClusterConnection } from './cluster-connection.js';
import { collectionPath, objectPath } from './resource-paths.js';

/** Names us in managedFields. Not kubectl-like: Flux drops fields of managers whose name starts with `kubectl`. */
const fieldManager = 'rollout-doctor';

/** How often an overtaken change is sent again at most. */
const rounds = 10;

interface Sending {
  readonly dryRun: boolean;
  /** Id of the approval, written on the object; absent for a dry run. */
  readonly mark: string | undefined;
}

interface Sent {
  readonly outcome: ChangeOutcome;
  /** Somebody wrote the object between our read and our write. */
  readonly overtaken: boolean;
}

interface Ready {
  readonly type: 'ready';
  readonly resolved: Resolved;
  readonly current: ApiObject;
  readonly path: string;
}

export interface WorkloadPatcherDeps {
  readonly connections: readonly ClusterConnection[];
  readonly clock: Clock;
  /** Deadline of one call in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * The only writer to clusters. It takes nothing but a plan to try, or a consumed approval to carry out; the object is
 * re-read first and must still be the one the plan was made for.
 */
export function createWorkloadPatcher({
  connections,
  clock,
  timeoutMs,
}: WorkloadPatcherDeps): WorkloadPatcher {
  const callOf = (cluster: string): ApiCall | undefined =>
    connections.find(({ name }) => name === cluster)?.call;
  return {
    async dryRun(cluster, plan) {
      const call = callOf(cluster);
      if (call === undefined) return unknownCluster(cluster);
      return send(call, plan, { dryRun: true, mark: undefined });
    },
    async apply(approval) {
      const call = callOf(approval.workload.cluster);
      if (call === undefined) return unknownCluster(approval.workload.cluster);
      const outcome = await send(call, approval.plan, { dryRun: false, mark: approval.id });
      if (outcome.type === 'accepted') await announce(call, approval);
      return outcome;
    },
  };

  /**
   * Sends until it was not overtaken. Controllers write the status of a busy object many times a minute, which spoils
   * the resourceVersion and not the plan; what would spoil the plan shows in the generation when it is read again.
   */
  async function send(call: ApiCall, plan: Plan, how: Sending): Promise<ChangeOutcome> {
    try {
      for (let round = 1; ; round += 1) {
        const { outcome, overtaken } = await sendOnce(call, plan, how);
        if (!overtaken || round === rounds) return outcome;
      }
    } catch (error) {
      return unanswered(error);
    }
  }

  async function sendOnce(call: ApiCall, plan: Plan, how: Sending): Promise<Sent> {
    const ready = await prepare(call, plan, how);
    if (ready.type !== 'ready') return { outcome: ready, overtaken: false };
    const { resolved, current, path } = ready;
    const { request, changes } = resolved;
    const deletes = request.verb === 'delete';
    const subresource = request.verb === 'patch' ? request.subresource : undefined;
    const answer = await call({
      ...bodyOf(request, current, how),
      path: subresource === undefined ? path : `${path}/${subresource}`,
      query: { ...(how.dryRun ? { dryRun: 'All' } : {}), ...(deletes ? {} : { fieldManager }) },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (answer.status !== 200 && answer.status !== 202) {
      const outcome = outcomeOf(answer);
      return { outcome, overtaken: outcome.type === 'refused' && outcome.because === 'stale' };
    }
    const after = whole(answer.body as ApiObject);
    const outcome: ChangeOutcome = {
      type: 'accepted',
      generation: deletes ? undefined : after.metadata?.generation,
      mutated: deletes ? [] : otherFields(changes, after),
    };
    return { outcome, overtaken: false };
  }

  /** Reads the object and says whether the plan still holds for it, or was carried out before. */
  async function prepare(call: ApiCall, plan: Plan, { mark }: Sending): Promise<Ready | ChangeOutcome> {
    const { target, request } = plan;
    if (!isResourceKind(target.kind)) return refused('unsupported', target.kind);
    const path = objectPath(target.kind, target.namespace, target.name);
    const read = await call({ path, signal: AbortSignal.timeout(timeoutMs) });
    if (read.status === 404)
      return request.verb === 'delete' && mark !== undefined ? gone() : refused('gone', '');
    if (read.status !== 200) return outcomeOf(read);
    const current = read.body as ApiObject;
    const { metadata } = current;
    if (mark !== undefined && metadata.annotations?.[approvalAnnotation] === mark) {
      return { type: 'accepted', generation: metadata.generation, mutated: [] };
    }
    if (mark !== undefined && wasMade(plan, current)) {
      return { type: 'accepted', generation: metadata.generation, mutated: [] };
    }
    if (metadata.uid !== target.uid && request.verb === 'delete' && mark !== undefined) return gone();
    if (metadata.uid !== target.uid)
      return refused('stale', `uid is ${metadata.uid}, the plan was made for ${target.uid}`);
    if (target.generation !== undefined && metadata.generation !== target.generation) {
      return refused(
        'stale',
        `generation is ${metadata.generation}, the plan was made for ${target.generation}`,
      );
    }
    const resolved = await resolve(call, plan, {
      now: clock.now(),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (resolved.type !== 'resolved') return resolved;
    return { type: 'ready', resolved, current, path };
  }

  /** Best effort: the change stands whether or not the cluster keeps an Event about it. */
  async function announce(call: ApiCall, approval: ConsumedApproval): Promise<void> {
    const at = clock.now().toISOString();
    const { target } = approval.plan;
    const by = approval.decisions.filter(({ decision }) => decision === 'approve').map((each) => each.by);
    try {
      await call({
        method: 'POST',
        path: collectionPath('Event', target.namespace),
        query: { fieldManager },
        body: {
          apiVersion: 'v1',
          kind: 'Event',
          metadata: { name: `${target.name}.${approval.id.slice(0, 16)}`, namespace: target.namespace },
          involvedObject: {
            apiVersion: target.apiVersion,
            kind: target.kind,
            namespace: target.namespace,
            name: target.name,
            uid: target.uid,
          },
          reason: approval.undoes ? 'RemediationUndone' : 'RemediationApplied',
          message: `${approval.undoes ? 'undo of ' : ''}${approval.remediation.kind} for ${approval.cause}, approved by ${by.join(', ')} (approval ${approval.id})`,
          type: 'Normal',
          source: { component: fieldManager },
          reportingComponent: fieldManager,
          reportingInstance: fieldManager,
          firstTimestamp: at,
          lastTimestamp: at,
          count: 1,
        },
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch {
      return;
    }
  }
}

/**
 * Whether an earlier attempt got through although its answer was lost: the object is the planned one, has moved on
 * since, and holds every planned value. Scale requests cannot carry the mark, so this is how they are recognised.
 */
function wasMade({ target, changes }: Plan, object: ApiObject): boolean {
  const { uid, generation } = object.metadata;
  const movedOn =
    target.generation !== undefined && generation !== undefined && generation > target.generation;
  return uid === target.uid && movedOn && changes.length > 0 && otherFields(changes, object).length === 0;
}

/** A Scale of no replicas leaves the field out (`autoscaling/v1 ScaleSpec.Replicas`, omitempty). */
function whole(answer: ApiObject): ApiObject {
  return answer.kind === 'Scale' ? { ...answer, spec: { replicas: 0, ...answer.spec } } : answer;
}

/** Deleting what is gone already is what was wanted. */
function gone(): ChangeOutcome {
  return { type: 'accepted', generation: undefined, mutated: [] };
}

function unknownCluster(cluster: string): ChangeOutcome {
  return {
    type: 'unreadable',
    because: 'unavailable',
    message: `no cluster is configured under the name ${cluster}`,
  };
}
