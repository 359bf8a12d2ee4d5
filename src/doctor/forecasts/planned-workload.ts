import type { Statement } from '../../engine/language/statement.js';
import { type ObjectOf, schemas } from '../../engine/objects/cluster-objects.js';
import { PodTemplate } from '../../engine/objects/pod-spec.js';
import type { JsonObject } from '../../engine/objects/wire.js';
import type { RevisionedService, Workload, WorkloadKind } from '../../engine/objects/workload.js';
import { hasPodPerNode, isRevisioned } from '../../engine/objects/workload.js';
import { annotationsOfNextTemplate } from '../../engine/workloads/controller-revisions.js';
import { serviceKindOf } from '../../engine/workloads/revisioned/pods.js';
import { sameTemplate } from '../../engine/workloads/template-equality.js';
import { state } from './text.js';

/** A manifest as its author wrote it. */
export interface Manifest {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
  readonly raw: JsonObject;
}

const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The workload as the API server would hold it after `kubectl apply`: what the manifest says; what it leaves
 * out stays as it is, unless the manifest that was applied before said it, in which case it goes back to its
 * default (kubernetes.io/docs/tasks/manage-kubernetes-objects/declarative-config). A new workload gets a uid
 * of its own, so that it owns its pods in a simulation.
 *
 * @param live the workload in the cluster, if there is one
 * @throws z.ZodError when the manifest cannot be a workload
 */
export function plannedWorkload(
  { kind, namespace, name, raw }: Manifest,
  live: Workload | undefined,
): Workload {
  const spec = fields(raw.spec);
  const before = fields(lastApplied(live).spec);
  const template = withKeptMetadata(fields(spec.template), fields(before.template), live);
  const parsed: ObjectOf<WorkloadKind> = schemas[kind].parse({ ...raw, spec: { ...spec, template } });
  const metadata = {
    ...parsed.metadata,
    ...(live === undefined
      ? { uid: `planned:${namespace}/${name}` }
      : {
          uid: live.metadata.uid,
          creationTimestamp: live.metadata.creationTimestamp,
          generation: (live.metadata.generation ?? 0) + 1,
          annotations: annotationsAfter(live, parsed),
          labels: { ...live.metadata.labels, ...parsed.metadata.labels },
        }),
    name,
    namespace,
  };
  const kept = live === undefined ? {} : keptFields(spec, before, fields(live.spec));
  const status = live?.kind === parsed.kind ? live.status : parsed.status;
  // The kind decides which fields there are, in the manifest and in the live object alike.
  const planned = { ...parsed, metadata, status, spec: { ...parsed.spec, ...kept } } as Workload;
  return isRevisioned(planned)
    ? withPlannedRevisions({ ...planned, spec: parsed.spec } as typeof planned, live)
    : planned;
}

/** A new template of a DaemonSet counts as one more, whatever the manifest says. */
function annotationsAfter(live: Workload, planned: Workload): Readonly<Record<string, string>> {
  const applied = { ...live.metadata.annotations, ...planned.metadata.annotations };
  const isNext = hasPodPerNode(live) && !sameTemplate(live.spec.template, planned.spec.template);
  // The API server counts from its own annotation.
  return isNext ? { ...applied, ...annotationsOfNextTemplate(live.metadata.annotations) } : applied;
}

const keptWhenLeftOut = [
  'replicas',
  'strategy',
  'updateStrategy',
  'minReadySeconds',
  'progressDeadlineSeconds',
  'revisionHistoryLimit',
  'paused',
  'podManagementPolicy',
  'ordinals',
  'volumeClaimTemplates',
] as const;

function keptFields(spec: JsonObject, before: JsonObject, live: JsonObject): JsonObject {
  const kept: Record<string, unknown> = {};
  for (const field of keptWhenLeftOut) {
    if ((spec[field] ?? undefined) === undefined && before[field] === undefined && field in live) {
      kept[field] = live[field];
    }
  }
  const bounds = keptBounds(spec, before, live);
  return bounds === undefined ? kept : { ...kept, strategy: bounds };
}

/**
 * A Deployment's strategy is replaced as a whole but for its bounds, which are merged (patchStrategy
 * retainKeys).
 */
function keptBounds(spec: JsonObject, before: JsonObject, live: JsonObject): JsonObject | undefined {
  const strategy = fields(spec.strategy);
  if (strategy.rollingUpdate === undefined || strategy.rollingUpdate === null) return undefined;
  const said = fields(strategy.rollingUpdate);
  const saidBefore = fields(fields(before.strategy).rollingUpdate);
  const now = fields(fields(live.strategy).rollingUpdate);
  const bound = (name: string): unknown =>
    said[name] ?? (saidBefore[name] === undefined ? now[name] : undefined) ?? '25%';
  return {
    type: 'RollingUpdate',
    rollingUpdate: { maxSurge: bound('maxSurge'), maxUnavailable: bound('maxUnavailable') },
  };
}

/** Labels and annotations of the template that others have set (`kubectl rollout restart` sets one) stay. */
function withKeptMetadata(template: JsonObject, before: JsonObject, live: Workload | undefined): JsonObject {
  if (live === undefined) return template;
  const metadata = fields(template.metadata);
  const liveMetadata = fields(live.spec.template.raw.metadata);
  const merged: Record<string, unknown> = { ...metadata };
  for (const field of ['labels', 'annotations']) {
    const said = fields(metadata[field]);
    const saidBefore = fields(fields(before.metadata)[field]);
    const kept = Object.entries(fields(liveMetadata[field])).filter(
      ([key]) => !(key in said) && !(key in saidBefore),
    );
    if (kept.length > 0) merged[field] = { ...Object.fromEntries(kept), ...said };
  }
  return PodTemplate.parse({ ...template, metadata: merged }).raw;
}

function lastApplied(live: Workload | undefined): JsonObject {
  const text = live?.metadata.annotations[lastAppliedAnnotation];
  if (text === undefined) return {};
  try {
    return fields(JSON.parse(text));
  } catch {
    return {};
  }
}

/** The fields of a map; none of anything else. */
export function fields(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** What a name that the API server makes up ends with in a simulation. */
const plannedSuffix = 'planned';

/**
 * The service as it is once its controller has seen the changed spec. A spec that makes no revision leaves
 * those that there are.
 */
function withPlannedRevisions(planned: RevisionedService, live: Workload | undefined): RevisionedService {
  const next = `${planned.metadata.name}-${plannedSuffix}`;
  const before = presentOf(planned, live) ?? planned;
  const revisions = makesRevision(planned, live)
    ? serviceKindOf(planned).nextRevisions(before, planned, next)
    : before.revisions;
  return { ...planned, revisions };
}

function presentOf(planned: RevisionedService, live: Workload | undefined): RevisionedService | undefined {
  return live !== undefined && isRevisioned(live) && live.kind === planned.kind ? live : undefined;
}

/** Whether the changed spec makes a new revision. */
export function makesRevision(planned: RevisionedService, live: Workload | undefined): boolean {
  const present = presentOf(planned, live);
  return present === undefined || serviceKindOf(planned).changeOf(present, planned).kind === 'new-revision';
}

/** A service of which the changed spec makes no new revision, and what becomes of the change. */
export function keepsRevision(
  planned: Workload,
  live: Workload | undefined,
  rolls: boolean,
): Statement | undefined {
  if (!isRevisioned(planned) || rolls) return undefined;
  const present = presentOf(planned, live);
  const change = present && serviceKindOf(planned).changeOf(present, planned);
  switch (change?.kind) {
    case 'numbers':
      return state('keeps-ray-numbers');
    case 'added-groups':
      return state('adds-ray-groups', { groups: change.groups });
    case 'kept':
      return state('keeps-ray-cluster');
    default:
      return undefined;
  }
}

/** What decides whether a revision is made, and is not in the cluster's objects. */
export function revisionDoubts(planned: Workload): readonly Statement[] {
  const isGated = isRevisioned(planned) && serviceKindOf(planned).isGated(planned);
  return isGated ? [state('ray-upgrade-gate')] : [];
}
