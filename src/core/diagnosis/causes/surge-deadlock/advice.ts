import { type DynamoGraphDeployment, dynamoLabels } from '../../../cluster/dynamo-graph-deployment.js';
import type { KnativeService } from '../../../cluster/knative-service.js';
import type { RayService } from '../../../cluster/ray-service.js';
import type { Workload } from '../../../cluster/workload.js';
import type { Statement } from '../../../language/statement.js';
import { patchStrategyForms } from '../../../remediation/kinds/patch-strategy/forms.js';
import type { Remediation } from '../../../remediation/remediation.js';
import { lastingAdvice, ownerSnippet } from '../../deadlock/lasting-strategy.js';
import type { Advice } from '../../finding.js';
import { waiting } from '../../waiting/text.js';
import type { Blockage } from './blockage.js';
import type { Elsewhere } from './elsewhere.js';
import type { Stuck } from './stuck.js';
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
  stuck: Stuck,
  { resource, amount, nodes }: Blockage,
  { cordoned, joining }: Elsewhere,
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
  const lasting = lastingAdvice(workload, offered);
  if (lasting !== undefined) advice.push(lasting);
  if (workload.kind === 'KnativeService') advice.push(knativeAdvice(workload));
  if (workload.kind === 'RayService') advice.push(rayAdvice(workload));
  if (workload.kind === 'DynamoGraphDeployment') {
    const component = stuck.waiting[0].metadata.labels[dynamoLabels.component] ?? '';
    advice.push(dynamoAdvice(workload.metadata, component));
  }
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

/** What frees the place, in the owner's own words; each stops the pods that serve. */
function knativeAdvice({ metadata, revisions }: KnativeService): Advice {
  const { namespace, name } = metadata;
  const revision = revisions.former[0] ?? '';
  return {
    title: state('advice-knative-title'),
    text: state('advice-knative', { revision, workload: `${namespace}/${name}` }),
  };
}

function rayAdvice({ metadata, revisions }: RayService): Advice {
  const { namespace, name } = metadata;
  return {
    title: state('advice-ray-title'),
    text: state('advice-ray', { cluster: revisions.former[0] ?? '', workload: `${namespace}/${name}` }),
    snippet: `# RayService ${namespace}/${name}\nspec:\n  upgradeStrategy:\n    type: None\n`,
  };
}

/** The bounds are annotations, which are part of the pod template. */
function dynamoAdvice({ namespace, name }: DynamoGraphDeployment['metadata'], component: string): Advice {
  return {
    title: state('advice-dynamo-title'),
    text: state('advice-dynamo', { component, workload: `${namespace}/${name}` }),
    snippet: ownerSnippet(
      { kind: 'DynamoGraphDeployment', namespace, name },
      {
        path: ['spec', 'components', 'podTemplate', 'metadata', 'annotations'],
        item: component,
        form: 'dynamo-annotations',
        honours: 'every-strategy',
      },
      patchStrategyForms.inPlace,
    ),
  };
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
