import type { ClusterIndex } from '../../../cluster/cluster-index.js';
import type { Node } from '../../../cluster/node.js';
import type { Pod } from '../../../cluster/pod.js';
import type { Workload } from '../../../cluster/workload.js';
import type { Placement } from '../../../placement/placement.js';
import { podFromTemplate } from '../../../placement/pod-from-template.js';
import { withLimitRangeDefaults } from '../../../rollout/limit-range-defaults.js';

/**
 * A pod as the next revision would have it, with the template of today: what it needs is what pods of today
 * need. `daemonSetNode`: the node it is made for.
 */
export function nextPod(
  { objects }: ClusterIndex,
  { kind, metadata, spec }: Workload,
  daemonSetNode?: string,
): Pod {
  const { namespace, name } = metadata;
  const hash = kind === 'Deployment' ? 'pod-template-hash' : 'controller-revision-hash';
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
export function firstFit(placement: Placement, pod: Pod, nodes: readonly Node[]): string | undefined {
  const fits = nodes.find(
    (node) =>
      placement.check(pod, node).outcome === 'fits' &&
      placement.evaluate(pod, { nodes: [node] }).outcome === 'fits',
  );
  return fits?.metadata.name;
}
