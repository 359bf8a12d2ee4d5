import type { V1DaemonSet } from '@kubernetes/client-node';
import { Node } from '#src/engine/objects/node.js';
import { Pod } from '#src/engine/objects/pod.js';
import { ControllerRevision, DaemonSet } from '#src/engine/objects/workload.js';
import { actDaemonSet, targetNode } from '#src/engine/workloads/daemon-set-model.js';
import type { Draw } from './draw.js';
import { createdIn, deletedIn } from './engine-outcome.js';
import {
  appLabels,
  counts,
  createdSince,
  deletedSince,
  imageOf,
  images,
  type Subject,
  subjectName,
  template,
} from './rollout-subject.js';

const counted = [
  'desiredNumberScheduled',
  'currentNumberScheduled',
  'numberMisscheduled',
  'numberReady',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
];

function updateStrategy(draw: Draw): object {
  if (draw.chance(10)) return { type: 'OnDelete', rollingUpdate: null };
  const surges = draw.chance(40);
  const some = draw.pick<number | string>([1, 2, '30%', '50%']);
  const rollingUpdate = { maxSurge: surges ? some : 0, maxUnavailable: surges ? 0 : some };
  return { type: 'RollingUpdate', rollingUpdate };
}

function change(draw: Draw): object {
  const kind = draw.below(100);
  if (kind < 60) return { template: template(draw.pick(images)) };
  if (kind < 75) {
    const nodeSelector = draw.chance(50) ? { pool: 'a' } : null;
    return { template: { spec: { nodeSelector } } };
  }
  return { updateStrategy: updateStrategy(draw) };
}

const described = (pod: Pod): string => `${targetNode(pod)} ${pod.spec.containers[0]?.image}`;

export const daemonSetSubject: Subject = {
  kind: 'DaemonSet',
  manifest: (draw, namespace) =>
    Object.assign(
      { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: subjectName, namespace } },
      {
        spec: {
          selector: { matchLabels: appLabels },
          updateStrategy: updateStrategy(draw),
          template: template(images[0]),
        },
      },
    ),
  change: (draw, { workload }) => ({
    method: 'PATCH',
    path: `/apis/apps/v1/namespaces/${workload.metadata?.namespace}/daemonsets/${subjectName}`,
    contentType: 'application/merge-patch+json',
    body: { spec: change(draw) },
  }),
  predict(view, now) {
    const before = view.pods.map((pod) => Pod.parse(pod));
    const start = {
      kind: 'DaemonSet' as const,
      daemonSet: DaemonSet.parse(view.workload),
      controllerRevisions: view.controllerRevisions.map((one) => ControllerRevision.parse(one)),
      pods: before,
      nodes: view.nodes.map((node) => Node.parse(node)),
      now,
    };
    const { state, orElse, isAtRest } = actDaemonSet(start, () => true);
    return {
      sizes: {},
      created: createdIn({ before, after: state.pods }).map(described).sort(),
      deleted: deletedIn({ before, after: state.pods }),
      status: counts(state.daemonSet.status, counted),
      orElse: orElse.map(({ metadata }) => metadata.name),
      anyNode: (start.daemonSet.spec.updateStrategy.rollingUpdate?.maxSurge ?? 0) !== 0,
      isAtRest,
    };
  },
  seen: (before, after) => ({
    sizes: {},
    created: createdSince(before, after)
      .map((pod) => `${targetNode(Pod.parse(pod))} ${imageOf(pod)}`)
      .sort(),
    deleted: deletedSince(before, after),
    status: counts((after.workload as V1DaemonSet).status, counted),
  }),
};
