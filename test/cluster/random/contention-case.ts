import type { V1DeploymentStrategy } from '@kubernetes/client-node';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { deploymentManifest } from '../incidents/deployment-manifest.js';
import type { Draw } from './draw.js';

export const gpu = 'nvidia.com/gpu';

/** One workload of a case: how it is made first, and the update that it gets, if any. */
export interface Tenant {
  /** What was drawn, for the message of a disagreement. */
  readonly drawn: string;
  readonly name: string;
  readonly kind: 'Deployment' | 'StatefulSet';
  /** `late`: it is created while the others are updated, so that a quota may refuse its pods. */
  readonly comes: 'first' | 'late';
  readonly manifest: object;
  /** Strategic merge patch of the workload. */
  readonly update: object | undefined;
}

/** Workloads that share nodes, and perhaps a quota, which are barely large enough for them. */
export interface ContentionCase {
  /** GPUs of each node. */
  readonly nodes: readonly number[];
  readonly quota: Readonly<Record<string, string>> | undefined;
  readonly tenants: readonly Tenant[];
  /** Milliseconds from the updates to the first diagnosis. */
  readonly firstLook: number;
}

/** Priority classes that the workloads name. Each test cluster has all of them. */
export const priorityClasses = [
  { name: 'ahead', value: 500, preemptionPolicy: 'Never' },
  { name: 'preempting', value: 1_000, preemptionPolicy: 'PreemptLowerPriority' },
] as const;

const rolling = (maxSurge: number | string, maxUnavailable: number | string): V1DeploymentStrategy => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge, maxUnavailable },
});
const strategies: readonly [V1DeploymentStrategy, ...V1DeploymentStrategy[]] = [
  rolling('25%', '25%'),
  rolling(1, 0),
  rolling(1, 0),
  rolling('50%', 0),
  rolling(1, 1),
  rolling(0, 1),
  { type: 'Recreate' },
];
const names = ['inference', 'training', 'ranking', 'search'] as const;

export function drawContention(draw: Draw): ContentionCase {
  const sized = names.slice(0, 2 + draw.below(3)).map((name) => ({
    name,
    replicas: 1 + draw.below(3),
    gpus: draw.chance(85) ? 1 : 2,
  }));
  const wanted = sized.reduce((sum, { replicas, gpus }) => sum + replicas * gpus, 0);
  const tenants = sized.map((one) => drawTenant(draw, one));
  const hasUpdate = tenants.some(({ update }) => update !== undefined);
  const nodes = share(draw, wanted + (draw.chance(30) ? 1 : 0), 1 + draw.below(3));
  const quota = draw.chance(30) ? { [`requests.${gpu}`]: String(wanted + draw.below(2)) } : undefined;
  const firstLook = draw.pick([0, 200, 800, 2_000]);
  const first = hasUpdate
    ? tenants
    : tenants.map((tenant) => ({ ...tenant, update: updated(tenant.kind, {}, {}) }));
  const late = quota !== undefined && draw.chance(60) ? [drawLate(draw)] : [];
  return { nodes, quota, tenants: [...first, ...late], firstLook };
}

/** A workload that a full quota refuses from the start. */
function drawLate(draw: Draw): Tenant {
  const size = { name: 'reporting', replicas: 1 + draw.below(2), gpus: 1 + draw.below(2) };
  return { ...drawTenant(draw, size), comes: 'late', update: undefined };
}

/** `total` GPUs over `count` nodes, none of them empty-handed unless there are fewer GPUs than nodes. */
function share(draw: Draw, total: number, count: number): readonly number[] {
  const nodes: number[] = Array.from({ length: count }, (_, index) => (index < total ? 1 : 0));
  for (let left = total - count; left > 0; left -= 1) {
    const index = draw.below(count);
    nodes[index] = (nodes[index] ?? 0) + 1;
  }
  return nodes;
}

interface Size {
  readonly name: string;
  readonly replicas: number;
  readonly gpus: number;
}

function drawTenant(draw: Draw, { name, replicas, gpus }: Size): Tenant {
  const kind = draw.chance(15) ? 'StatefulSet' : 'Deployment';
  const priority = draw.below(100);
  const priorityClassName = priority < 15 ? 'ahead' : priority < 22 ? 'preempting' : undefined;
  const strategy = draw.pick(strategies);
  const minReadySeconds = draw.pick([0, 0, 1]);
  const annotations = draw.chance(12) ? { [kubeletAnnotation.start]: 'not-ready' } : {};
  const changedRequests = draw.chance(15) ? { [gpu]: String(3 - gpus) } : {};
  const isUpdated = draw.chance(75);
  const deployment = deploymentManifest({
    namespace: '',
    name,
    replicas,
    requests: { [gpu]: String(gpus), cpu: '100m' },
    container: { readinessProbe: { httpGet: { path: '/ready', port: 8080 } } },
    strategy,
    spec: { minReadySeconds },
    ...(priorityClassName === undefined ? {} : { pod: { priorityClassName } }),
  });
  const { maxSurge, maxUnavailable } = strategy.rollingUpdate ?? {};
  const shown = kind === 'StatefulSet' ? kind : `${strategy.type} ${maxSurge}/${maxUnavailable}`;
  const update = { annotations, requests: changedRequests };
  return {
    drawn: `${name}: ${replicas} x ${gpus} GPU, ${shown}, ${priorityClassName}, min ready ${minReadySeconds} s, ${isUpdated ? JSON.stringify(update) : 'no update'}`,
    name,
    kind,
    comes: 'first',
    manifest: kind === 'Deployment' ? deployment : asStatefulSet(deployment, name),
    update: isUpdated ? updated(kind, annotations, changedRequests) : undefined,
  };
}

function asStatefulSet({ metadata, spec }: ReturnType<typeof deploymentManifest>, name: string): object {
  const { strategy: _strategy, ...rest } = spec ?? { selector: {}, template: {} };
  return { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata, spec: { ...rest, serviceName: name } };
}

function updated(
  kind: Tenant['kind'],
  annotations: Readonly<Record<string, string>>,
  requests: Readonly<Record<string, string>>,
): object {
  const image = `registry.example/${kind.toLowerCase()}:2`;
  const container = { name: 'app', image, resources: { requests, limits: requests } };
  return { spec: { template: { metadata: { annotations }, spec: { containers: [container] } } } };
}
