import type { ClusterIndex } from '../../engine/objects/cluster-index.js';
import { isKserveKind, type KserveKind } from '../../engine/objects/inference-service.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { isObject, type JsonObject } from '../../engine/objects/wire.js';
import { apiVersionOf, type Deployment, hasGroups, WorkloadKind } from '../../engine/objects/workload.js';
import { ownerFieldsOf } from '../../engine/parents/parent-resource.js';
import { ownerObjectOf, valueAt } from '../fixes/owner-target.js';
import { fields, type Manifest } from './planned-workload.js';

/** A manifest of a workload, or of an object above it. */
export interface DeclaredManifest {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly raw: JsonObject;
}

/**
 * The workload of the snapshot as the manifest makes it: its own, or that of the object above it, whose
 * controller makes the workload. `undefined` where it is not known what the controller would make.
 */
export function plannedManifest(
  { kind, namespace, name, raw }: DeclaredManifest,
  snapshot: Snapshot,
): Manifest | undefined {
  const { workload, index } = snapshot;
  if (!isKserveKind(kind)) {
    const own = WorkloadKind.safeParse(kind);
    return own.success ? { kind: own.data, namespace, name, raw } : undefined;
  }
  const manifest = { kind, namespace, name, raw };
  if (hasGroups(workload)) return groupsOf(manifest, snapshot);
  return deploymentsOf(manifest, index).find((each) => each.name === workload.metadata.name);
}

/** The present LeaderWorkerSet with the bounds that the manifest declares. Its pods are not planned. */
function groupsOf(owner: KserveManifest, { workload }: Snapshot): Manifest | undefined {
  if (!hasGroups(workload)) return undefined;
  const { kind, metadata, spec } = workload;
  const { namespace, name } = metadata;
  const path = ownerFieldsOf(owner, { kind, name })?.strategy;
  const declared = path && valueAt(owner.raw, path);
  if (!isObject(declared)) return undefined;
  const { type, rollingUpdateConfiguration } = spec.rolloutStrategy;
  const { replicas, leaderWorkerTemplate, startupPolicy, networkConfig } = spec;
  const raw = {
    apiVersion: apiVersionOf(kind),
    kind,
    metadata: { namespace, name, labels: metadata.labels },
    spec: {
      replicas,
      startupPolicy,
      networkConfig,
      leaderWorkerTemplate: leaderWorkerTemplate.raw,
      rolloutStrategy: { type, rollingUpdateConfiguration: { ...rollingUpdateConfiguration, ...declared } },
    },
  };
  return { kind, namespace, name, raw };
}

/** A manifest of an InferenceService or LLMInferenceService. */
export interface KserveManifest {
  readonly kind: KserveKind;
  readonly namespace: string;
  readonly name: string;
  readonly raw: JsonObject;
}

/** Where a service declares the pods of one of its Deployments. */
interface Part {
  readonly suffix: string;
  readonly path: readonly string[];
  /** Where its containers and what decides about nodes stand. */
  readonly pods: readonly string[];
  /** The container to which `resources` and `image` of a model belong. */
  readonly container: string;
}

const parts: Readonly<Record<KserveKind, readonly Part[]>> = {
  InferenceService: [
    ...['predictor', 'transformer', 'explainer'].map((component) => ({
      suffix: `-${component}`,
      path: ['spec', component],
      pods: ['spec', component],
      container: 'kserve-container',
    })),
    {
      suffix: '-predictor-worker',
      path: ['spec', 'predictor'],
      pods: ['spec', 'predictor', 'workerSpec'],
      container: 'worker-container',
    },
  ],
  LLMInferenceService: [
    { suffix: '-kserve', path: ['spec'], pods: ['spec', 'template'], container: 'main' },
    {
      suffix: '-kserve-prefill',
      path: ['spec', 'prefill'],
      pods: ['spec', 'prefill', 'template'],
      container: 'main',
    },
  ],
};

/**
 * The Deployments as the controller would make them of the manifest: the present ones with the strategy, the
 * containers' images and resources, and what decides about nodes that the manifest declares. What a
 * ServingRuntime or a preset adds is what they have now. Of a new service, the containers that the manifest
 * states.
 */
export function deploymentsOf(
  manifest: KserveManifest,
  index: ClusterIndex | undefined,
): readonly Manifest[] {
  return parts[manifest.kind].flatMap((part) => {
    const declared = valueAt(manifest.raw, part.pods);
    if (!isObject(declared)) return [];
    const name = `${manifest.name}${part.suffix}`;
    const live = index?.objects.Deployment.find(
      ({ metadata }) => metadata.name === name && metadata.namespace === manifest.namespace,
    );
    return [deploymentOf(manifest, part, name, live, index)];
  });
}

function deploymentOf(
  { kind, namespace, name: owner, raw }: KserveManifest,
  { path, pods, container }: Part,
  name: string,
  live: Deployment | undefined,
  index: ClusterIndex | undefined,
): Manifest {
  const component = fields(valueAt(raw, path));
  const declared = fields(valueAt(raw, pods));
  const present = live?.spec.template.raw ?? {
    metadata: { labels: { app: name } },
    spec: { containers: [] },
  };
  const reference = { apiVersion: apiVersionOf(kind), kind, name: owner, controller: true };
  const metadata = {
    namespace,
    name,
    labels: live?.metadata.labels ?? {},
    ownerReferences: live?.metadata.ownerReferences ?? [reference],
  };
  const spec = {
    replicas: live?.spec.replicas ?? countOf(component.minReplicas ?? component.replicas),
    selector: live?.spec.selector ?? { matchLabels: { app: name } },
    strategy: strategyOf({ kind, namespace, name: owner, raw }, name, live, index),
    template: {
      ...present,
      metadata: withAnnotations(fields(present.metadata), component.annotations),
      spec: podSpecOf(fields(present.spec), declared, container),
    },
  };
  return {
    kind: 'Deployment',
    namespace,
    name,
    raw: { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec },
  };
}

const countOf = (value: unknown): number => (typeof value === 'number' ? value : 1);

function withAnnotations(metadata: JsonObject, declared: unknown): JsonObject {
  return isObject(declared)
    ? { ...metadata, annotations: { ...fields(metadata.annotations), ...declared } }
    : metadata;
}

const decidesAboutNodes = ['nodeSelector', 'affinity', 'tolerations', 'priorityClassName', 'schedulerName'];

function podSpecOf(present: JsonObject, declared: JsonObject, container: string): JsonObject {
  const own = Object.fromEntries(
    decidesAboutNodes.flatMap((field) => (declared[field] === undefined ? [] : [[field, declared[field]]])),
  );
  const wanted = [...listOf(declared.containers), ...modelsOf(declared, container)];
  const now = listOf(present.containers);
  const kept = now.map((each) => {
    const change = wanted.find(({ name }) => name === each.name);
    if (change === undefined) return each;
    const { resources } = change;
    const isDefaulted = each.name === defaultedContainer && isObject(resources);
    return { ...each, ...changed(isDefaulted ? withDefaults(change, fields(each.resources)) : change) };
  });
  const added = wanted.filter(({ name }) => !now.some((each) => each.name === name));
  return { ...present, ...own, containers: [...kept, ...added] };
}

const defaultedContainer = 'kserve-container';

/**
 * KServe's webhook fills in the CPU and memory that an InferenceService does not declare, from a ConfigMap of
 * the installation: what the container has now (kserve 0.20.0 `inference_service_defaults.go`).
 */
function withDefaults(change: JsonObject, present: JsonObject): JsonObject {
  const declared = fields(change.resources);
  const filled = ['requests', 'limits'].map((list) => {
    const { cpu, memory } = fields(present[list]);
    const defaults = Object.entries({ cpu, memory }).filter(([, value]) => value !== undefined);
    return [list, { ...Object.fromEntries(defaults), ...fields(declared[list]) }] as const;
  });
  return { ...change, resources: { ...declared, ...Object.fromEntries(filled) } };
}

/** What decides whether pods are placed, and that they are others. */
function changed({ image, resources }: JsonObject): JsonObject {
  return { ...(image === undefined ? {} : { image }), ...(resources === undefined ? {} : { resources }) };
}

/** A model, or one of the older fields by framework, stands for the container of that name. */
function modelsOf(declared: JsonObject, name: string): readonly JsonObject[] {
  return Object.entries(declared).flatMap(([field, value]) =>
    isObject(value) && (field === 'model' || 'storageUri' in value || 'modelFormat' in value)
      ? [{ name, ...changed(value) }]
      : [],
  );
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

const multiNode = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '100%', maxUnavailable: '0%' } };

/** What the controller makes of the declared strategy, or of none. */
function strategyOf(
  { kind, namespace, name, raw }: KserveManifest,
  child: string,
  live: Deployment | undefined,
  index: ClusterIndex | undefined,
): unknown {
  const fields = ownerFieldsOf({ kind, name }, { kind: 'Deployment', name: child });
  const path = fields?.strategy ?? [];
  const declared = valueAt(raw, path);
  const before = index === undefined ? undefined : ownerObjectOf({ index }, { kind, namespace, name });
  // A default of the installation, or a strategy that was left alone, stays.
  const isKept = declared === undefined && valueAt(before, path) === undefined;
  if (isKept && live !== undefined) return live.spec.strategy;
  if (fields?.isBounds === true) {
    return isObject(declared) ? { type: 'RollingUpdate', rollingUpdate: declared } : live?.spec.strategy;
  }
  const isRolling = !isObject(declared) || declared.type === 'RollingUpdate';
  return child.endsWith('-worker') && isRolling ? multiNode : (declared ?? { type: 'RollingUpdate' });
}
