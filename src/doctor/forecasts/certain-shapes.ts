import type { PodSpec } from '../../engine/objects/pod-spec.js';
import type { DaemonSet, Deployment, Workload } from '../../engine/objects/workload.js';
import { hasDeploymentStrategy, hasPodPerNode } from '../../engine/objects/workload.js';
import { allowsSurge } from '../../engine/workloads/daemon-set-model.js';
import { fencepostsOf } from '../../engine/workloads/fenceposts.js';

/**
 * A form of a manifest with which an update deadlocks on every cluster: no free node, quota or priority can
 * help. `cel` is true for the same objects as `matches`, as the API server evaluates it after its defaults
 * were set.
 */
export interface CertainShape {
  readonly id: 'host-port-on-one-node' | 'surge-with-host-port';
  readonly kind: 'Deployment' | 'DaemonSet';
  matches(workload: Workload): boolean;
  readonly cel: string;
}

/**
 * The scheduler lets two pods share a host port only under different addresses, which one template cannot
 * have. On the host's network each container port of a pod becomes a host port (kubernetes
 * `core/v1/defaults.go: defaultHostNetworkPorts`).
 */
const hostPortCel =
  'object.spec.template.spec.containers.exists(c, has(c.ports) && c.ports.exists(p, (has(p.hostPort) && p.hostPort > 0) || (has(object.spec.template.spec.hostNetwork) && object.spec.template.spec.hostNetwork)))';
const defaultSchedulerCel =
  "(!has(object.spec.template.spec.schedulerName) || object.spec.template.spec.schedulerName == 'default-scheduler')";
const hostnameLabel = 'kubernetes.io/hostname';

/** An IntOrString above 0. A percentage rounds up. */
const isPositiveCel = (field: string): string =>
  `(type(${field}) == int ? int(${field}) > 0 : !string(${field}).matches('^0*%$'))`;
/**
 * An IntOrString that is 0 for one replica. A percentage rounds down (kubernetes
 * `deployment_util.go: ResolveFenceposts`).
 */
const isZeroOfOneCel = (field: string): string =>
  `(type(${field}) == int ? int(${field}) == 0 : !string(${field}).matches('^0*[1-9][0-9]{2,}%$'))`;

/**
 * What needs the cluster to be known is no shape: a ReadWriteOncePod claim is another object, and so are the
 * nodes that a label selects. They are left to `check` and `scan --fragile`.
 */
export const certainShapes: readonly CertainShape[] = [
  {
    id: 'host-port-on-one-node',
    kind: 'Deployment',
    matches: (workload) =>
      hasDeploymentStrategy(workload) && keepsItsOnlyPod(workload) && isBoundToOneNode(podSpecOf(workload)),
    cel: [
      'object.spec.replicas == 1',
      "object.spec.strategy.type == 'RollingUpdate'",
      isPositiveCel('object.spec.strategy.rollingUpdate.maxSurge'),
      isZeroOfOneCel('object.spec.strategy.rollingUpdate.maxUnavailable'),
      defaultSchedulerCel,
      hostPortCel,
      `has(object.spec.template.spec.nodeSelector) && '${hostnameLabel}' in object.spec.template.spec.nodeSelector`,
    ].join(' && '),
  },
  {
    id: 'surge-with-host-port',
    kind: 'DaemonSet',
    matches: (workload) =>
      hasPodPerNode(workload) && allowsSurge(workload) && takesHostPort(podSpecOf(workload)),
    cel: [
      "object.spec.updateStrategy.type == 'RollingUpdate'",
      isPositiveCel('object.spec.updateStrategy.rollingUpdate.maxSurge'),
      defaultSchedulerCel,
      hostPortCel,
    ].join(' && '),
  },
];

function podSpecOf({ spec }: Deployment | DaemonSet): PodSpec {
  return spec.template.spec;
}

/** One replica, whose old pod stays until the new one is available. */
function keepsItsOnlyPod(deployment: Deployment): boolean {
  const { replicas, strategy } = deployment.spec;
  if (replicas !== 1 || strategy.type !== 'RollingUpdate') return false;
  const bounds = fencepostsOf(deployment);
  return bounds.kind === 'resolved' && bounds.maxSurge > 0 && bounds.maxUnavailable === 0;
}

/** Every node has another hostname (the kubelet sets the label). */
function isBoundToOneNode(spec: PodSpec): boolean {
  return Object.hasOwn(spec.nodeSelector, hostnameLabel) && takesHostPort(spec);
}

function takesHostPort({ containers, hostNetwork, schedulerName }: PodSpec): boolean {
  return (
    schedulerName === 'default-scheduler' &&
    containers.some(({ ports }) => ports.some(({ hostPort }) => hostPort > 0 || hostNetwork))
  );
}
