import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject, V1Pod } from '@kubernetes/client-node';
import type { CauseId } from '#src/doctor/findings/cause-id.js';
import { createApiCall } from '#src/edges/kubernetes/cluster-connection.js';
import type { WorkloadKind } from '#src/engine/objects/workload.js';
import type { Cluster } from '../harness/cluster.js';
import { collectionPath, type Kind } from '../harness/resources.js';
import { createQuota, setQuota } from '../incidents/team-quota.js';
import { createDefinitions } from '../owners/harness/custom-objects.js';
import { deadlockCauses, type Expected, type Recorded } from '../recorded-state.js';

export const gpu = 'nvidia.com/gpu';

export interface Scene {
  readonly cluster: Cluster;
  readonly shop: string;
}

/** A service `llm`, or one of its Deployments, in a state that is recorded. */
export interface RecordedService extends Recorded<[Scene]> {
  /** What is diagnosed, where it is not the service itself. */
  readonly workload?: { readonly kind: WorkloadKind; readonly name: string };
  /** What people type for it, as `isvc/llm`. */
  readonly asked?: string;
  /** Starts a controller that only this state needs. */
  readonly start?: (cluster: Cluster) => Promise<{ logs(lines: number): string; stop(): Promise<void> }>;
}

/** What a healthy service must not be called. */
export const calm: Expected = {
  cause: null,
  never: [...deadlockCauses, 'insufficient-capacity', 'capacity-contention', 'unsatisfiable-placement'],
};

/** A wait cycle of the service with itself over GPUs. */
export const proven: Expected = {
  cause: 'surge-deadlock',
  minConfidence: 'proven',
  detail: { resource: gpu },
  remediation: {
    never: ['patch-strategy', 'scale-down-old', 'restart-rollout', 'exclude-nodes', 'undo-rollout'],
  },
};
/** One that something else may end. */
export const likely: Expected = { ...proven, minConfidence: 'likely', maxConfidence: 'likely' };
/** What is missing is not held by the service itself. */
export const elsewhere = (cause: CauseId): Expected => ({
  cause,
  never: deadlockCauses,
  remediation: { never: ['patch-strategy', 'scale-down-old', 'restart-rollout'] },
});

/** Long enough for the scheduler to have answered. */
export const settled = (): Promise<void> => delay(1_500);

interface Definition {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly version?: string;
}

/** A definition without a schema: the objects are written as the real schema has them. */
const definition = ({ group, kind, plural, version = 'v1' }: Definition): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: `${plural}.${group}`,
    // The API server asks for it in groups that end with .k8s.io.
    annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
  },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

/** Makes the API server serve these kinds, and waits until they can be listed. */
export async function define(cluster: Cluster, definitions: readonly Definition[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-services-'));
  try {
    const file = join(folder, 'definitions.json');
    const items = definitions.map(definition);
    await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    await createDefinitions(cluster, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  for (const { group, version = 'v1', plural } of definitions)
    await untilListed(cluster, `/apis/${group}/${version}/${plural}`);
}

/** An established kind answers 429 until its storage is ready. */
export async function untilListed(cluster: Cluster, path: string): Promise<void> {
  const call = createApiCall(cluster.config);
  const expiry = Date.now() + 60_000;
  while ((await call({ method: 'GET', path })).status !== 200) {
    if (Date.now() > expiry) throw new Error(`${path} cannot be listed`);
    await delay(100);
  }
}

/** Sets fields of an object, or of its status, in place of people or of its controller. */
export async function patchObject(
  { cluster, shop }: Scene,
  kind: Kind,
  name: string,
  body: object,
  subresource: '' | '/status' = '',
): Promise<KubernetesObject> {
  const call = createApiCall(cluster.config);
  const path = `${collectionPath(kind, shop)}/${name}${subresource}`;
  const contentType = 'application/merge-patch+json';
  const answer = await call({ method: 'PATCH', path, contentType, body });
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body as KubernetesObject;
}

/** A reference with which the garbage collector and the diagnosis find the controller. */
export const controlledBy = ({ apiVersion, kind, metadata }: KubernetesObject) => ({
  apiVersion: apiVersion ?? '',
  kind: kind ?? '',
  name: metadata?.name ?? '',
  uid: metadata?.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
});

export const condition = (type: string, status: 'True' | 'False' | 'Unknown', reason = '') => ({
  type,
  status,
  ...(reason === '' ? {} : { reason }),
  lastTransitionTime: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
});

const isRefused = ({ status }: V1Pod): boolean =>
  status?.conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable') ===
  true;
const isReady = ({ status }: V1Pod): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;

/** Waits until so many pods with this label are as wanted, and returns their names. */
export function untilPods(
  { cluster, shop }: Scene,
  label: { readonly [name: string]: string },
  wanted: { readonly ready?: number; readonly refused?: number; readonly running?: number },
): Promise<string[]> {
  return cluster.until<V1Pod, string[]>({
    what: `pods with ${JSON.stringify(label)} to be ${JSON.stringify(wanted)}`,
    selection: { kind: 'Pod', namespace: shop, labels: label },
    check: (pods) => {
      const count = (is: (pod: V1Pod) => boolean) => pods.filter(is).length;
      const areAsWanted =
        count(isReady) >= (wanted.ready ?? 0) &&
        count(isRefused) >= (wanted.refused ?? 0) &&
        count(({ status }) => status?.phase === 'Running') >= (wanted.running ?? 0);
      return areAsWanted ? pods.map(({ metadata }) => metadata?.name ?? '') : undefined;
    },
    deadlineMilliseconds: 60_000,
  });
}

/** A pod of another team that uses these GPUs. */
export async function takeGpus({ cluster, shop }: Scene, gpus: number): Promise<void> {
  const resources = { requests: { [gpu]: String(gpus) }, limits: { [gpu]: String(gpus) } };
  await cluster.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: shop, name: 'notebook', labels: { app: 'notebook' } },
    spec: { containers: [{ name: 'app', image: 'registry.example/notebook:1', resources }] },
  } as KubernetesObject);
  await untilPods({ cluster, shop }, { app: 'notebook' }, { ready: 1 });
}

/** A quota of the namespace on GPUs. */
export const limitGpus = ({ cluster, shop }: Scene, gpus: number): Promise<void> =>
  createQuota(cluster, shop, { [`requests.${gpu}`]: String(gpus) });

export const raiseGpus = ({ cluster, shop }: Scene, gpus: number): Promise<void> =>
  setQuota(cluster, shop, { [`requests.${gpu}`]: String(gpus) });

/** A wait cycle of the service with itself over a quota on GPUs. */
export const provenByQuota: Expected = {
  ...proven,
  cause: 'quota-deadlock',
  detail: { resource: `requests.${gpu}` },
};
export const likelyByQuota: Expected = { ...provenByQuota, minConfidence: 'likely', maxConfidence: 'likely' };
