import type { Statement } from '../../../engine/language/statement.js';
import type { ClusterIndex } from '../../../engine/objects/cluster-index.js';
import { isRevisioned, type Workload } from '../../../engine/objects/workload.js';
import { partNameOf } from '../../../engine/workloads/revisioned/part-name.js';
import { lastingAdvice } from '../../findings/deadlock/lasting-strategy.js';
import { insideAdvice, revisionsAdvice, takenBackAdvice } from '../../findings/deadlock/revisions-advice.js';
import { takenBack } from '../../findings/deadlock/stable-revisions.js';
import type { Advice } from '../../findings/finding.js';
import { waiting } from '../../findings/waiting/text.js';
import type { Remediation } from '../../fixes/remediation.js';
import type { Blockage } from './blockage.js';
import type { Stuck } from './stuck-stable-rollout.js';
import { state } from './text.js';

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
  index: ClusterIndex,
  stuck: Stuck,
  { resource, amount, nodes }: Blockage,
  { cordoned, joining }: { readonly cordoned: readonly string[]; readonly joining: readonly string[] },
  offered: readonly Remediation[],
): readonly Advice[] {
  const { workload } = stuck;
  const advice: Advice[] = [];
  if (joining.length > 0) {
    advice.push({ title: state('advice-wait-title'), text: state('advice-wait', { nodes: joining }) });
  }
  if (cordoned.length > 0) {
    advice.push({
      title: waiting('advice-uncordon-title'),
      text: state('advice-uncordon', { nodes: cordoned }),
      snippet: cordoned.map((node) => `kubectl uncordon ${node}\n`).join(''),
    });
  }
  const lasting = stuck.inside === undefined ? lastingAdvice(workload, offered) : insideAdvice(stuck.inside);
  if (lasting !== undefined) advice.push(lasting);
  const unwanted = stuck.state?.kind === 'Revisioned' ? takenBack(stuck.state) : undefined;
  // More room would lead into the version that nobody wants any more.
  if (unwanted !== undefined) return [...advice, takenBackAdvice(stuck.workload, unwanted)];
  if (isRevisioned(workload) && stuck.inside === undefined)
    advice.push(...revisionsAdvice(index, workload, partNameOf(stuck.waiting[0])));
  if (resource === 'podAntiAffinity' || resource === 'topologySpread') {
    advice.push(matchLabelKeys(resource));
  } else if (!['hostPort', 'ReadWriteOncePod', 'csiVolumeLimit', 'deviceClaim', 'pods'].includes(resource)) {
    advice.push({
      title: state('advice-capacity-title', { resource }),
      text: capacityText(workload, { nodes, resource, amount }),
    });
  }
  if (resource === 'nvidia.com/gpu') {
    advice.push({
      title: state('advice-sharing-title'),
      text: state('advice-sharing', { resource }),
      snippet: timeSlicingSnippet,
    });
  }
  return advice;
}

function capacityText(
  workload: Workload,
  { nodes, resource, amount }: Pick<Blockage, 'nodes' | 'resource' | 'amount'>,
): Statement {
  if (workload.kind === 'DaemonSet') return state('advice-capacity-node', { nodes, resource, amount });
  if (workload.kind === 'LeaderWorkerSet') {
    const { size } = workload.spec.leaderWorkerTemplate;
    return state('advice-capacity-group', { size, resource });
  }
  return state('advice-capacity', { resource, amount });
}

function matchLabelKeys(resource: 'podAntiAffinity' | 'topologySpread'): Advice {
  const field = resource === 'podAntiAffinity' ? 'podAntiAffinity' : 'topologySpreadConstraints';
  return {
    title: state('advice-match-label-keys-title'),
    text: state('advice-match-label-keys', { field }),
    snippet: `# in each required term of ${field}\nmatchLabelKeys:\n  - pod-template-hash\n`,
  };
}
