import { noObjections } from '../reason.js';
import type { Filter } from '../situation.js';

/** A pod that names its node fits nowhere else (`node_name.go: Filter`). */
export const nodeName: Filter = ({ pod }, node) => {
  const wanted = pod.spec.nodeName;
  if (wanted === undefined || wanted === '' || wanted === node.metadata.name) return noObjections;
  return [
    {
      id: 'node-name',
      plugin: 'NodeName',
      text: "node(s) didn't match the requested node name",
      resolvable: false,
      preemptible: false,
      wanted,
    },
  ];
};
