import { isResourceKind } from '../../core/cluster/cluster-objects.js';
import type { ConsumedApproval } from '../../core/incident/approval.js';
import {
  type ChangeRequest,
  canonicalJson,
  type FieldChange,
  type Plan,
} from '../../core/remediation/plan.js';
import type { ChangeOutcome, Clock, WorkloadPatcher } from '../../usecases/ports.js';
import { type ApiAnswer, type ApiCall, statusOf, unanswered, unreadable } from './api-call.js';
import type { ClusterConnection } from './cluster-connection.js';
import { collectionPath, objectPath } from './resource-paths.js';

/** Names us in managedFields. Not kubectl-like: Flux drops fields of managers whose name starts with `kubectl`. */
const fieldManager = 'rollout-doctor';

/** Marks the changed object, so that a repeated attempt knows the change was made. */
export const approvalAnnotation = 'rollout-doctor.dev/approval';

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

  async function send(
    call: ApiCall,
    plan: Plan,
    { dryRun, mark }: { readonly dryRun: boolean; readonly mark: string | undefined },
  ): Promise<ChangeOutcome> {
    const { target, request } = plan;
    if (!isResourceKind(target.kind)) return refused('unsupported', target.kind);
    const path = objectPath(target.kind, target.namespace, target.name);
    try {
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
      if (metadata.uid !== target.uid)
        return refused('stale', `uid is ${metadata.uid}, the plan was made for ${target.uid}`);
      if (target.generation !== undefined && metadata.generation !== target.generation) {
        return refused(
          'stale',
          `generation is ${metadata.generation}, the plan was made for ${target.generation}`,
        );
      }
      const answer = await call({
        ...bodyOf(request, current, { mark, dryRun }),
        path:
          request.verb === 'patch' && request.subresource !== undefined
            ? `${path}/${request.subresource}`
            : path,
        query: {
          ...(dryRun ? { dryRun: 'All' } : {}),
          ...(request.verb === 'patch' ? { fieldManager } : {}),
        },
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (answer.status !== 200 && answer.status !== 202) return outcomeOf(answer);
      const after = answer.body as ApiObject;
      return {
        type: 'accepted',
        generation: request.verb === 'delete' ? undefined : after.metadata?.generation,
        mutated: request.verb === 'delete' ? [] : mutatedFields(plan.changes, after),
      };
    } catch (error) {
      return unanswered(error);
    }
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

/** What the patcher reads of any object's JSON. */
interface ApiObject {
  readonly metadata: {
    readonly uid?: string;
    readonly generation?: number;
    readonly resourceVersion?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/**
 * The request with our preconditions: the uid (a replaced object is refused with 422) and the resourceVersion just
 * read (a concurrent write is refused with 409).
 */
function bodyOf(
  request: ChangeRequest,
  { metadata }: ApiObject,
  { mark, dryRun }: { readonly mark: string | undefined; readonly dryRun: boolean },
) {
  const { uid, resourceVersion } = metadata;
  if (request.verb === 'delete') {
    return {
      method: 'DELETE' as const,
      // The API server ignores the query's dryRun when a DELETE has a body (apiserver handlers/delete.go).
      body: {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions: { uid, resourceVersion },
        ...(dryRun ? { dryRun: ['All'] } : {}),
      },
    };
  }
  if (request.patchType === 'json') {
    const marked =
      mark === undefined
        ? []
        : [
            ...(metadata.annotations === undefined
              ? [{ op: 'add', path: '/metadata/annotations', value: {} }]
              : []),
            {
              op: 'add',
              path: `/metadata/annotations/${approvalAnnotation.replace('/', '~1')}`,
              value: mark,
            },
          ];
    return {
      method: 'PATCH' as const,
      contentType: 'application/json-patch+json',
      body: [
        { op: 'test', path: '/metadata/uid', value: uid },
        { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
        ...(request.body as readonly unknown[]),
        ...(request.subresource === undefined ? marked : []),
      ],
    };
  }
  const body = request.body as { readonly metadata?: object };
  const annotations =
    mark === undefined || request.subresource !== undefined
      ? {}
      : { annotations: { [approvalAnnotation]: mark } };
  return {
    method: 'PATCH' as const,
    contentType: 'application/merge-patch+json',
    body: { ...body, metadata: { ...body.metadata, uid, resourceVersion, ...annotations } },
  };
}

/**
 * Whether an earlier attempt got through although its answer was lost: the object is the planned one, has moved on
 * since, and holds every planned value. Scale requests cannot carry the mark, so this is how they are recognised.
 */
function wasMade({ target, changes }: Plan, object: ApiObject): boolean {
  const { uid, generation } = object.metadata;
  const movedOn =
    target.generation !== undefined && generation !== undefined && generation > target.generation;
  return uid === target.uid && movedOn && changes.length > 0 && mutatedFields(changes, object).length === 0;
}

/** Planned fields that the answer shows with another value: a webhook or a controller changed them. */
function mutatedFields(changes: readonly FieldChange[], object: unknown): readonly FieldChange[] {
  return changes.flatMap(({ path, after }) => {
    const found = path.split('.').reduce<unknown>((value, step) => {
      return typeof value === 'object' && value !== null
        ? (value as Record<string, unknown>)[step]
        : undefined;
    }, object);
    return canonicalJson(found ?? null) === canonicalJson(after ?? null)
      ? []
      : [{ path, before: after, after: found }];
  });
}

function outcomeOf(answer: ApiAnswer): ChangeOutcome {
  const { reason, message } = statusOf(answer.body);
  switch (answer.status) {
    case 403:
      return refused(
        /admission|denied the request|forbidden: .*polic/i.test(message) ? 'admission' : 'forbidden',
        message,
      );
    case 404:
      return refused('gone', message);
    case 409:
      return refused('stale', message);
    case 400:
      return refused(
        /dry run/i.test(message)
          ? 'unsupported'
          : /admission webhook/i.test(message)
            ? 'admission'
            : 'invalid',
        message,
      );
    case 422:
      return refused(
        /uid/i.test(message) && reason === 'Invalid' && /immutable/i.test(message) ? 'stale' : 'invalid',
        message,
      );
    default:
      return answer.status >= 400 && answer.status < 500 && answer.status !== 429 && answer.status !== 401
        ? refused('invalid', message)
        : unreadable(answer);
  }
}

function refused(
  because: Extract<ChangeOutcome, { readonly type: 'refused' }>['because'],
  message: string,
): ChangeOutcome {
  return { type: 'refused', because, message };
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
