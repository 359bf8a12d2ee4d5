import type { ClusterIndex } from '../../../engine/objects/cluster-index.js';
import type { Node } from '../../../engine/objects/node.js';
import { isActive, isReady, type Pod } from '../../../engine/objects/pod.js';
import { nowOf } from '../../../engine/objects/snapshot.js';
import { isUnread } from '../../../engine/objects/unread.js';
import type { DaemonSet, Deployment, Workload } from '../../../engine/objects/workload.js';
import { hasDeploymentStrategy, hasObservedSpec, hasPodPerNode } from '../../../engine/objects/workload.js';
import type { Placement } from '../../../engine/scheduler/placement.js';
import { podFromTemplate } from '../../../engine/scheduler/pod-from-template.js';
import { resourceOf } from '../../../engine/scheduler/resource-name.js';
import { exclusiveVolumesOf, usersOf } from '../../../engine/simulation/create-pod-simulator.js';
import {
  daemonOnNode,
  daemonSetBounds,
  daemonSetIsComplete,
  targetNode,
} from '../../../engine/workloads/daemon-set-model.js';
import { deploymentIsComplete } from '../../../engine/workloads/deployment-model.js';
import { rollingBounds } from '../../../engine/workloads/fenceposts.js';
import { isFixedPoint } from '../../../engine/workloads/fixed-point.js';
import { withLimitRangeDefaults } from '../../../engine/workloads/limit-range-defaults.js';
import { admission } from '../../../engine/workloads/quota-admission.js';
import { restarted } from '../../../engine/workloads/rollout-change.js';
import type { DaemonSetState, DeploymentState } from '../../../engine/workloads/rollout-state.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import type { Confidence } from '../../findings/cause-id.js';
import type { Examination } from '../../findings/rule.js';
import { checkUpdate } from '../../forecasts/check-update.js';
import type { WayOut } from '../../forecasts/rollout-check.js';

/** What the next update of a workload that is well would come to. */
export interface NextUpdate {
  readonly workload: Deployment | DaemonSet;
  /** `volume`: it depends on the node that the scheduler chooses. */
  readonly kind: 'place' | 'quota' | 'volume';
  /** What is short, in the words of findings; the volume's name. */
  readonly resource: string;
  readonly holders: readonly { readonly kind: string; readonly namespace: string; readonly name: string }[];
  readonly nodes: readonly string[];
  /** What the scheduler or the API server would say. */
  readonly message: string | undefined;
  readonly wayOut: Pick<WayOut, 'strategy' | 'downtime'> | undefined;
  readonly confidence: Confidence;
}

/** More nodes say nothing new. */
const mostNodes = 30;

/** Pods times nodes that are asked for the sake of a note. */
const mostVerdicts = 200_000;

/**
 * How the next update must end, as far as today's objects tell: the new pod needs what a pod of today needs,
 * so what stops the first new pod stops the update. `undefined`: it gets through, it is not known, or the
 * workload is not well and at rest now.
 */
export function nextUpdateOf(examination: Examination): NextUpdate | undefined {
  const { snapshot } = examination;
  const rollout = rolloutStateOf(snapshot);
  const { metadata } = snapshot.workload;
  if (metadata.deletionTimestamp !== undefined) return undefined;
  if (!hasObservedSpec(snapshot.workload)) return undefined;
  if (!hasDeploymentStrategy(rollout) && !hasPodPerNode(rollout)) return undefined;
  if (!isFixedPoint(rollout)) return undefined;
  return hasDeploymentStrategy(rollout)
    ? nextDeploymentUpdate(examination, rollout)
    : nextDaemonSetUpdate(examination, rollout);
}

function nextDeploymentUpdate(examination: Examination, rollout: DeploymentState): NextUpdate | undefined {
  const { snapshot, placement } = examination;
  const { deployment } = rollout;
  const { maxSurge, maxUnavailable } = rollingBounds(deployment);
  if (deployment.spec.paused || deployment.spec.replicas === 0) return undefined;
  if (deployment.spec.strategy.type !== 'RollingUpdate' || maxUnavailable > 0 || maxSurge === 0)
    return undefined;
  if (!deploymentIsComplete(rollout) || !rollout.pods.filter(isActive).every(isReady)) return undefined;
  const { index } = snapshot;
  const pod = nextPod(index, deployment);
  const isAdmitted = admission(pod, index.objects.ResourceQuota, rollout.now).kind === 'admitted';
  if (isAdmitted && firstFit(placement, pod, index.objects.Node) !== undefined) {
    return nextVolumeMove(examination, rollout, pod);
  }
  if (maxSurge * index.objects.Node.length > mostVerdicts) return undefined;
  const { spec } = deployment;
  const planned = { ...deployment, spec: { ...spec, template: restarted(spec.template, rollout.now) } };
  const { unseen, cluster } = snapshot;
  const check = checkUpdate({ index, unseen, cluster, now: nowOf(snapshot), planned, live: deployment });
  if (check.outcome !== 'deadlock' || check.confidence === undefined) return undefined;
  return {
    workload: deployment,
    kind: isAdmitted ? 'place' : 'quota',
    resource: check.resource ?? '',
    holders: check.holders,
    nodes: check.nodes,
    message: check.message,
    wayOut: check.wayOut,
    confidence: isUnread(snapshot, 'Pod', 'Node') ? 'likely' : check.confidence,
  };
}

/**
 * The scheduler does not look at where a volume is: on another node than today's, the new pod could not
 * start.
 */
function nextVolumeMove(
  { snapshot, placement }: Examination,
  { deployment }: DeploymentState,
  pod: Pod,
): NextUpdate | undefined {
  const { index } = snapshot;
  const nodes = index.objects.Node;
  for (const { claim, volume } of exclusiveVolumesOf(index, pod)) {
    const users = usersOf(index, claim);
    const there = new Set(users.map(({ spec }) => spec.nodeName ?? ''));
    const elsewhere = firstFit(
      placement,
      pod,
      nodes.filter(({ metadata }) => !there.has(metadata.name)),
    );
    if (users.length === 0 || elsewhere === undefined) continue;
    const here = firstFit(
      placement,
      pod,
      nodes.filter(({ metadata }) => there.has(metadata.name)),
    );
    return {
      workload: deployment,
      kind: 'volume',
      resource: volume,
      holders: users.map(({ metadata }) => ({
        kind: 'Pod',
        namespace: metadata.namespace,
        name: metadata.name,
      })),
      nodes: [...there].sort(),
      message: undefined,
      wayOut: undefined,
      confidence: here === undefined ? 'likely' : 'possible',
    };
  }
  return undefined;
}

function nextDaemonSetUpdate(examination: Examination, rollout: DaemonSetState): NextUpdate | undefined {
  const { snapshot, placement } = examination;
  const { daemonSet, nodes, pods } = rollout;
  if (daemonSetBounds(rollout).maxSurge === 0 || !daemonSetIsComplete(rollout)) return undefined;
  const stuck = nodes
    .filter((node) => daemonOnNode(daemonSet, node).shouldRun)
    .slice(0, mostNodes)
    .flatMap((node) => {
      const { name } = node.metadata;
      const pod = nextPod(snapshot.index, daemonSet, name);
      const own = pods.filter((each) => isActive(each) && isReady(each) && targetNode(each) === name);
      const verdict = placement.check(pod, node);
      if (verdict.outcome !== 'refused' || placement.canPreempt(pod, node)) return [];
      const found = placement.wouldFitIf(pod, own, node).nodes.find((each) => each.node === name);
      const resource = verdict.reasons.map(resourceOf).find((each) => each !== undefined);
      return found === undefined || found.remove.length === 0 || resource === undefined
        ? []
        : [{ name, resource, holders: found.remove, certain: found.certain }];
    });
  const [first] = stuck;
  if (first === undefined) return undefined;
  const same = stuck.filter(({ resource }) => resource === first.resource);
  return {
    workload: daemonSet,
    kind: 'place',
    resource: first.resource,
    holders: same.flatMap(({ holders }) =>
      holders.map(({ metadata }) => ({ kind: 'Pod', namespace: metadata.namespace, name: metadata.name })),
    ),
    nodes: same.map(({ name }) => name),
    message: undefined,
    wayOut: { strategy: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 }, downtime: undefined },
    confidence:
      same.every(({ certain }) => certain) && !isUnread(snapshot, 'Pod', 'Node') ? 'proven' : 'likely',
  };
}

/**
 * A pod as the next revision would have it, with the template of today: what it needs is what pods of today
 * need. `daemonSetNode`: the node it is made for.
 */
function nextPod({ objects }: ClusterIndex, { kind, metadata, spec }: Workload, daemonSetNode?: string): Pod {
  const { namespace, name } = metadata;
  const hash = hasDeploymentStrategy({ kind }) ? 'pod-template-hash' : 'controller-revision-hash';
  const pod = podFromTemplate(spec.template, {
    namespace,
    name: `${name}-next`,
    labels: { [hash]: 'next' },
    priorityClasses: objects.PriorityClass,
    ...(daemonSetNode === undefined ? {} : { daemonSetNode }),
  });
  return withLimitRangeDefaults(pod, objects.LimitRange);
}

/**
 * The first node that would take the pod beside everything that is there; asks no more nodes than it must.
 */
function firstFit(placement: Placement, pod: Pod, nodes: readonly Node[]): string | undefined {
  const fits = nodes.find(
    (node) =>
      placement.check(pod, node).outcome === 'fits' &&
      placement.evaluate(pod, { nodes: [node] }).outcome === 'fits',
  );
  return fits?.metadata.name;
}
