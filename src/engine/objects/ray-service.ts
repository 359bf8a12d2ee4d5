import * as z from 'zod';
import { LabelSelector } from './label-selector.js';
import { Condition, controllerOf, ObjectMeta } from './metadata.js';
import { PodTemplate } from './pod-spec.js';
import type { RevisionPart, Revisions } from './revisions.js';
import { count32, count64, defaulted, type Immutable, list, maybe } from './wire.js';

const rayGroup = 'ray.io';

/** Labels that KubeRay puts on pods (kuberay `controllers/ray/utils/constant.go`). */
export const rayLabels = {
  cluster: 'ray.io/cluster',
  nodeType: 'ray.io/node-type',
  group: 'ray.io/group',
} as const;

const WorkerGroup = z.object({
  groupName: defaulted(z.string(), ''),
  replicas: maybe(count32),
  minReplicas: maybe(count32),
  maxReplicas: maybe(count32),
  /** Pods of one replica. */
  numOfHosts: defaulted(count32, 1),
  suspend: defaulted(z.boolean(), false),
  template: PodTemplate,
});

const ParsedConfig = z.object({
  enableInTreeAutoscaling: defaulted(z.boolean(), false),
  headGroupSpec: z.object({ template: PodTemplate }),
  workerGroupSpecs: list(WorkerGroup),
});

/** `raw`: KubeRay compares fields that no rule reads. */
const ClusterConfig = z.record(z.string(), z.unknown()).transform((raw, context) => {
  const parsed = ParsedConfig.safeParse(raw);
  if (parsed.success) return { ...parsed.data, raw };
  for (const { message, path } of parsed.error.issues) {
    context.addIssue({ code: 'custom', message, path: [...path] });
  }
  return z.NEVER;
});

const ClusterStatus = z.object({
  rayClusterName: defaulted(z.string(), ''),
  applicationStatuses: defaulted(z.record(z.string(), z.object({ status: defaulted(z.string(), '') })), {}),
  /** Of the RayCluster, as its own status has it. KubeRay leaves out a number of 0. */
  rayClusterStatus: maybe(
    z.object({ desiredWorkerReplicas: defaulted(count32, 0), state: defaulted(z.string(), '') }),
  ),
});
const noCluster = { rayClusterName: '', applicationStatuses: {}, rayClusterStatus: undefined };

const Status = z.object({
  observedGeneration: defaulted(count64, 0),
  activeServiceStatus: defaulted(ClusterStatus, noCluster),
  pendingServiceStatus: defaulted(ClusterStatus, noCluster),
  conditions: list(Condition),
});

/** `ray.io/v1` RayService. */
export const RayService = z
  .object({
    kind: z.literal('RayService').default('RayService'),
    metadata: ObjectMeta,
    spec: z.object({
      /** Absent: `NewCluster`, unless the operator is started with another default. */
      upgradeStrategy: maybe(z.object({ type: maybe(z.string()) })),
      rayClusterConfig: ClusterConfig,
    }),
    status: Status.nullish().transform((value) => value ?? Status.parse({})),
  })
  .transform((parsed) => {
    const { headGroupSpec, workerGroupSpecs } = parsed.spec.rayClusterConfig;
    const parts: readonly RevisionPart[] = [
      { name: headGroup, count: 1, template: headGroupSpec.template },
      ...workerGroupSpecs.map((group) => ({
        name: group.groupName,
        count: workersOf(group),
        template: group.template,
      })),
    ];
    const revisions = revisionsOf(parsed.status);
    const names = [revisions.next, ...revisions.former, ...revisions.kept].filter(
      (name) => name !== undefined,
    );
    return {
      ...parsed,
      revisions,
      parts,
      spec: {
        ...parsed.spec,
        /** Pods of one RayCluster, its head included. */
        replicas: parts.reduce((sum, { count }) => sum + count, 0),
        /** The API has no such field: pods have the label with the name of their RayCluster. */
        selector: LabelSelector.parse({
          matchExpressions: [
            {
              key: rayLabels.cluster,
              operator: 'In',
              values: names.length === 0 ? [parsed.metadata.name] : names,
            },
          ],
        }),
        /** Of the head. */
        template: headGroupSpec.template,
        /** The kind has no such field. */
        minReadySeconds: 0,
      },
    };
  });
/** See `KindOfWorkload`. The template is that of the heads. */
export const rayServiceKind = {
  apiVersion: `${rayGroup}/v1`,
  plural: 'rayservices',
  names: ['rayservice'],
  alertLabels: ['rayservice', 'ray_io_service'],
  partsBelongTo: 'RayCluster',
  revisionIn: rayClusterOf,
  partsRead: [],
  podSuffix: /^[a-z0-9-]+-(?:head|worker)(?:-[a-z0-9]{5})?$/,
  replaces: 'revisions',
  strategy: 'none',
  templatePaths: ['spec.rayClusterConfig.headGroupSpec.template'],
} as const;

export type RayService = Immutable<z.output<typeof RayService>>;

/**
 * KubeRay keeps the number of workers between the two bounds (kuberay
 * `utils/util.go: GetWorkerGroupDesiredReplicas`).
 */
function workersOf({
  replicas,
  minReplicas = 0,
  maxReplicas = Number.MAX_SAFE_INTEGER,
  numOfHosts,
  suspend,
}: Immutable<z.output<typeof WorkerGroup>>): number {
  return suspend ? 0 : Math.min(Math.max(replicas ?? minReplicas, minReplicas), maxReplicas) * numOfHosts;
}

/** The group that KubeRay labels the head with. */
export const headGroup = 'headgroup';

/** The pending RayCluster becomes the active one when every Serve application in it runs. */
function revisionsOf({
  activeServiceStatus,
  pendingServiceStatus,
}: Immutable<z.output<typeof Status>>): Revisions {
  const active = activeServiceStatus.rayClusterName;
  const next = pendingServiceStatus.rayClusterName === '' ? undefined : pendingServiceStatus.rayClusterName;
  const named = active === '' ? [] : [active];
  const applications = Object.values(pendingServiceStatus.applicationStatuses);
  return {
    label: rayLabels.cluster,
    next,
    former: next === undefined ? [] : named,
    kept: next === undefined ? named : [],
    isSwitching: applications.length > 0 && applications.every(({ status }) => status === 'RUNNING'),
  };
}

/** The revisions once KubeRay prepares a RayCluster for a changed spec. */
export function nextRayRevisions({ status }: RayService, next: string): Revisions {
  return revisionsOf({ ...status, pendingServiceStatus: { ...noCluster, rayClusterName: next } });
}

/** True where a changed spec makes no second RayCluster. */
export function keepsRayCluster({ spec }: RayService): boolean {
  return spec.upgradeStrategy?.type === 'None';
}

/** The name of the RayCluster that a pod is part of. */
export function rayClusterOf({ metadata }: { metadata: Immutable<ObjectMeta> }): string | undefined {
  const controller = controllerOf({ metadata });
  const isRay =
    controller?.kind === rayServiceKind.partsBelongTo && controller.apiVersion.startsWith(`${rayGroup}/`);
  return isRay ? controller.name : undefined;
}
