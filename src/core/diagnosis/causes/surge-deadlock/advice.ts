import type { Snapshot } from '../../../cluster/snapshot.js';
import type { Advice } from '../../finding.js';
import { workloadName } from '../../stuck-rollout.js';
import type { Blockage } from './blockage.js';
import { state } from './statements.js';

const timeSlicingSnippet = `# ConfigMap of the NVIDIA device plugin
version: v1
sharing:
  timeSlicing:
    resources:
      - name: nvidia.com/gpu
        replicas: 2
`;

/** What lasts beyond the click, and the ways that cost no gap. */
export function adviceFor(
  snapshot: Snapshot,
  { resource, amount }: Blockage,
  lasting: string,
): readonly Advice[] {
  const advice: Advice[] = [
    {
      title: state('advice-lasting-title', {}),
      text: state('advice-lasting', { workload: workloadName(snapshot) }),
      snippet: lasting,
    },
  ];
  if (resource === 'podAntiAffinity' || resource === 'topologySpread') {
    advice.push(matchLabelKeys(resource));
  } else if (!['hostPort', 'ReadWriteOncePod', 'csiVolumeLimit', 'deviceClaim', 'pods'].includes(resource)) {
    advice.push({
      title: state('advice-capacity-title', { resource }),
      text: state('advice-capacity', { resource, amount }),
    });
  }
  if (resource === 'nvidia.com/gpu') {
    advice.push({
      title: state('advice-sharing-title', {}),
      text: state('advice-sharing', { resource }),
      snippet: timeSlicingSnippet,
    });
  }
  return advice;
}

function matchLabelKeys(resource: 'podAntiAffinity' | 'topologySpread'): Advice {
  const field = resource === 'podAntiAffinity' ? 'podAntiAffinity' : 'topologySpreadConstraints';
  return {
    title: state('advice-match-label-keys-title', {}),
    text: state('advice-match-label-keys', { field }),
    snippet: `# in each required term of ${field}\nmatchLabelKeys:\n  - pod-template-hash\n`,
  };
}
