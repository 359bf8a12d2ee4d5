import type { HorizontalPodAutoscaler } from '../../../cluster/policy.js';
import type { Advice } from '../../finding.js';
import { state } from './text.js';

/**
 * As many replicas as there is room for; where a HorizontalPodAutoscaler sets them, its maximum.
 *
 * @param placed replicas that have a node
 */
export function replicasAdvice(
  placed: number,
  autoscaler: HorizontalPodAutoscaler | undefined,
): readonly Advice[] {
  if (autoscaler !== undefined) {
    return [
      {
        title: state('advice-maximum-title'),
        text: state('advice-maximum', { name: autoscaler.metadata.name, replicas: placed }),
        snippet: `# HorizontalPodAutoscaler ${autoscaler.metadata.name}
spec:
  maxReplicas: ${placed}
`,
      },
    ];
  }
  return [
    {
      title: state('advice-replicas-title'),
      text: state('advice-replicas', { replicas: placed }),
      snippet: `spec:
  replicas: ${placed}
`,
    },
  ];
}
