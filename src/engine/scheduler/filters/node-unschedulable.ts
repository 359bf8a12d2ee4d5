import { noObjections } from '../reason.js';
import type { Filter } from '../situation.js';
import { tolerates } from '../toleration.js';

const UNSCHEDULABLE_TAINT = { key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' };

/** A cordoned node takes only pods that tolerate the taint of a cordon (`node_unschedulable.go: Filter`). */
export const nodeUnschedulable: Filter = ({ pod }, node) => {
  if (!node.spec.unschedulable) return noObjections;
  if (pod.spec.tolerations.some((toleration) => tolerates(toleration, UNSCHEDULABLE_TAINT)))
    return noObjections;
  return [
    {
      id: 'cordoned',
      plugin: 'NodeUnschedulable',
      text: 'node(s) were unschedulable',
      resolvable: false,
      preemptible: false,
    },
  ];
};
