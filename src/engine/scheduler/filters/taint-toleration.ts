import type { Filter } from '../situation.js';
import { untoleratedTaints } from '../toleration.js';

/** Every NoSchedule and NoExecute taint that the pod does not tolerate (`taint_toleration.go: Filter`). */
export const taintToleration: Filter = ({ pod }, node) =>
  untoleratedTaints(node.spec.taints, pod.spec.tolerations).map((taint) => ({
    id: 'taint',
    plugin: 'TaintToleration',
    text: 'node(s) had untolerated taint(s)',
    resolvable: false,
    preemptible: false,
    taint,
  }));
