import * as z from 'zod';
import { LabelSelector } from './label-selector.js';
import { Condition, controllerOf, ObjectMeta } from './metadata.js';
import { PodTemplate } from './pod-spec.js';
import type { RevisionPart, Revisions } from './revisions.js';
import { count32, count64, defaulted, type Immutable, list, maybe, stringMap } from './wire.js';

const dynamoGroup = 'nvidia.com';

/**
 * Labels that the Dynamo operator puts on Deployments, ReplicaSets and pods (dynamo
 * `internal/consts/consts.go`).
 */
export const dynamoLabels = {
  graph: 'nvidia.com/dynamo-graph-deployment-name',
  component: 'nvidia.com/dynamo-component',
  hash: 'nvidia.com/dynamo-worker-hash',
} as const;

/** On the DynamoGraphDeployment: the generation that serves. During a first update after 1.2 both are set. */
const currentHashAnnotations = [
  'nvidia.com/current-worker-hash',
  'nvidia.com/current-worker-hash-v2',
] as const;

/**
 * Components whose pods have generations (dynamo `IsWorkerComponent`); others are Deployments of their own.
 */
const workerTypes: ReadonlySet<string> = new Set(['worker', 'prefill', 'decode']);

const Component = z.object({
  name: defaulted(z.string(), ''),
  type: defaulted(z.string(), ''),
  replicas: defaulted(count32, 1),
  podTemplate: PodTemplate.nullish().transform((value) => value ?? PodTemplate.parse({})),
  multinode: maybe(z.object({ nodeCount: defaulted(count32, 2) })),
  scalingAdapter: maybe(z.object({ enabled: maybe(z.boolean()) })),
});
type Component = Immutable<z.output<typeof Component>>;

const Status = z.object({
  observedGeneration: defaulted(count64, 0),
  components: defaulted(
    z.record(
      z.string(),
      z.object({ componentKind: defaulted(z.string(), ''), componentNames: list(z.string()) }),
    ),
    {},
  ),
  rollingUpdate: maybe(z.object({ phase: defaulted(z.string(), '') })),
  conditions: list(Condition),
});
type Status = Immutable<z.output<typeof Status>>;

/** A component with workers, with what decides how the operator replaces them. */
export interface DynamoWorkers {
  readonly name: string;
  readonly replicas: number;
  /**
   * Those of its pod template come before those of the graph (dynamo `GetDGDComponentResourceAnnotations`).
   */
  readonly annotations: Readonly<Record<string, string>>;
  /** The planner or an autoscaler may change `replicas`. */
  readonly isScaled: boolean;
}

/**
 * `nvidia.com/v1beta1` DynamoGraphDeployment: its workers. The frontend and others are Deployments of their
 * own.
 */
export const DynamoGraphDeployment = z
  .object({
    kind: z.literal('DynamoGraphDeployment').default('DynamoGraphDeployment'),
    metadata: ObjectMeta,
    spec: z.object({
      annotations: stringMap,
      backendFramework: defaulted(z.string(), ''),
      env: list(z.unknown()),
      components: list(Component),
    }),
    status: Status.nullish().transform((value) => value ?? Status.parse({})),
  })
  .transform((parsed) => {
    const own = parsed.spec.components.filter((each) => isWorkerOfGraph(each, parsed.status));
    const workers: readonly DynamoWorkers[] = own.map(({ name, replicas, podTemplate, scalingAdapter }) => ({
      name,
      replicas,
      annotations: { ...parsed.spec.annotations, ...podTemplate.metadata.annotations },
      isScaled: scalingAdapter !== undefined && scalingAdapter.enabled !== false,
    }));
    const parts: readonly RevisionPart[] = own.map(({ name, replicas, multinode, podTemplate }) => ({
      name,
      count: replicas * (multinode?.nodeCount ?? 1),
      template: podTemplate,
    }));
    return {
      ...parsed,
      revisions: revisionsOf(parsed),
      workers,
      parts,
      spec: {
        ...parsed.spec,
        /** Workers of all components. */
        replicas: parts.reduce((sum, { count }) => sum + count, 0),
        /**
         * The API has no such field: workers have the label with the name of the graph and that of their
         * generation.
         */
        selector: LabelSelector.parse({
          matchLabels: { [dynamoLabels.graph]: parsed.metadata.name },
          matchExpressions: [{ key: dynamoLabels.hash, operator: 'Exists' }],
        }),
        /** Of the first component with workers. */
        template: own[0]?.podTemplate ?? PodTemplate.parse({}),
        /** The kind has no such field. */
        minReadySeconds: 0,
      },
    };
  });
/** See `KindOfWorkload`. Each component has a template. */
export const dynamoGraphDeploymentKind = {
  apiVersion: `${dynamoGroup}/v1beta1`,
  plural: 'dynamographdeployments',
  names: ['dynamographdeployment', 'dgd'],
  alertLabels: ['dynamographdeployment', 'nvidia_com_dynamo_graph_deployment_name'],
  partsBelongTo: 'DynamoComponentDeployment',
  nameIn: dynamoGraphOf,
  partsRead: [{ kind: 'ReplicaSet', isAlways: true }],
  podSuffix: /^[a-z0-9-]+-[a-z0-9]+-[a-z0-9]+-[a-z0-9]{5}$/,
  replaces: 'revisions',
  strategy: 'none',
  templatePaths: ['spec.components[].podTemplate'],
} as const;

export type DynamoGraphDeployment = Immutable<z.output<typeof DynamoGraphDeployment>>;

/** Workers of several nodes are a LeaderWorkerSet, a workload of its own, unless Grove makes their pods. */
function isWorkerOfGraph({ name, type, multinode }: Component, { components }: Status): boolean {
  const kind = components[name]?.componentKind ?? '';
  return workerTypes.has(type) && (multinode === undefined || kind.startsWith('PodClique'));
}

type Graph = {
  readonly metadata: Pick<Immutable<ObjectMeta>, 'name' | 'annotations'>;
  readonly spec: { readonly components: readonly Component[] };
  readonly status: Status;
};

/**
 * During an update the status names the DynamoComponentDeployments of every generation. With more than two
 * generations it does not show which one is the newest, so that none counts as the next.
 */
function revisionsOf({ metadata, spec, status }: Graph): Revisions {
  const current = currentHashesOf(metadata);
  const phase = status.rollingUpdate?.phase ?? '';
  const named = new Set(spec.components.flatMap((each) => hashesOf(metadata.name, each, status)));
  const others = [...named].filter((hash) => !current.includes(hash));
  const isUnderWay = phase === 'Pending' || phase === 'InProgress';
  const next = isUnderWay && others.length === 1 ? others[0] : undefined;
  return {
    label: dynamoLabels.hash,
    next,
    former: next === undefined ? [] : current,
    kept: next === undefined ? [...new Set([...current, ...named])] : [],
    isSwitching: false,
  };
}

function currentHashesOf({ annotations }: Graph['metadata']): readonly string[] {
  const hashes = currentHashAnnotations.map((name) => annotations[name] ?? '');
  return [...new Set(hashes)].filter((hash) => hash !== '');
}

/**
 * A DynamoComponentDeployment of workers is named `<graph>-<component>-<hash>` (dynamo `GetDCDResourceName`).
 */
function hashesOf(graph: string, { name, type }: Component, { components }: Status): readonly string[] {
  if (!workerTypes.has(type)) return [];
  const prefix = `${graph}-${name.toLowerCase()}-`;
  const names = components[name]?.componentNames ?? [];
  return names
    .filter((each) => each.startsWith(prefix))
    .map((each) => each.slice(prefix.length))
    .filter((hash) => /^[a-z0-9]+$/u.test(hash));
}

/** The generations once the operator has made one for a changed spec. */
export function nextDynamoRevisions({ metadata }: DynamoGraphDeployment, next: string): Revisions {
  const former = currentHashesOf(metadata);
  return { label: dynamoLabels.hash, next, former, kept: [], isSwitching: false };
}

/**
 * The name of the DynamoGraphDeployment that a worker's pod, ReplicaSet or Deployment is part of, by the
 * labels of its operator; `undefined` for a frontend, and for the pods of a LeaderWorkerSet.
 */
export function dynamoGraphOf({ metadata }: { metadata: Immutable<ObjectMeta> }): string | undefined {
  const { [dynamoLabels.graph]: graph, [dynamoLabels.hash]: hash } = metadata.labels;
  const owner = controllerOf({ metadata })?.kind ?? '';
  return hash !== undefined && workerOwners.has(owner) ? graph : undefined;
}

const workerOwners: ReadonlySet<string> = new Set([
  'ReplicaSet',
  'Deployment',
  'DynamoComponentDeployment',
  'PodClique',
]);
