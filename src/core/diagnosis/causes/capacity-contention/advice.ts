import type { Pod } from '../../../cluster/pod.js';
import { priorityOf } from '../../../placement/priority.js';
import type { Advice } from '../../finding.js';
import type { Holding } from '../../waiting/holding.js';
import { state } from './text.js';

/** What the holders' owners, or this workload's, can do about it. */
export function contentionAdvice(pod: Pod, { reason, culprits, node }: Holding): readonly Advice[] {
  const [first] = culprits;
  if (first === undefined) return [];
  const workload = `${first.owner.namespace}/${first.owner.name}`;
  if (reason.id === 'host-port') {
    return [
      {
        title: state('advice-port-title'),
        text: state('advice-port', { port: `${reason.port}/${reason.protocol}`, holders: [workload] }),
      },
    ];
  }
  const move: Advice = {
    title: state('advice-move-title', { workload }),
    text: state('advice-move', { workload, node }),
  };
  if (first.owner.kind === 'DaemonSet' || first.priority < priorityOf(pod)) return [move];
  return [
    move,
    {
      title: state('advice-priority-title'),
      text: state('advice-priority', { holder: workload, priority: first.priority }),
      snippet: prioritySnippet(first.priority),
    },
  ];
}

/** Values above a billion are the system's (`scheduling/types.go: HighestUserDefinablePriority`). */
const highestOfUsers = 1_000_000_000;

function prioritySnippet(priority: number): string {
  return `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: above-the-others
value: ${Math.min(priority + 1, highestOfUsers)}
---
# in the workload that should win
spec:
  template:
    spec:
      priorityClassName: above-the-others
`;
}
