import type { Advice } from '../../finding.js';
import { state } from './text.js';

/** Look first; declare a node dead only when it is. `isStuck`: pods wait for a word of a kubelet that may never come. */
export function adviceFor(nodes: readonly string[], isStuck: boolean): readonly Advice[] {
  const [first] = nodes;
  return [
    {
      title: state('advice-look-title'),
      text: state('advice-look', { nodes }),
      snippet: nodes.map((node) => `kubectl describe node ${node}\n`).join(''),
    },
    ...(isStuck && first !== undefined
      ? [
          {
            title: state('advice-off-title'),
            text: state('advice-off', { node: first }),
            snippet: `kubectl taint nodes ${first} node.kubernetes.io/out-of-service=nodeshutdown:NoExecute\n`,
          },
        ]
      : []),
  ];
}
