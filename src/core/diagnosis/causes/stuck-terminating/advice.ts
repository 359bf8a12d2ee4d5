import type { Advice } from '../../finding.js';
import type { Stuck } from './stuck-pods.js';
import { state } from './text.js';

/** One piece of advice for each thing that holds, with the pod or node it is about first. */
export function adviceOn({ pods }: Stuck): readonly Advice[] {
  const advice: Advice[] = [];
  const finalized = pods.find(({ pod }) => pod.metadata.finalizers.length > 0)?.pod;
  if (finalized !== undefined) {
    const { namespace, name } = finalized.metadata;
    advice.push({
      title: state('advice-finalizers-title'),
      text: state('advice-finalizers'),
      snippet: `kubectl -n ${namespace} patch pod ${name} --type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]'\n`,
    });
  }
  const orphan = pods.find(({ node }) => node.kind === 'gone')?.pod;
  if (orphan !== undefined) {
    const { namespace, name } = orphan.metadata;
    advice.push({
      title: state('advice-force-title'),
      text: state('advice-force'),
      snippet: `kubectl -n ${namespace} delete pod ${name} --grace-period=0 --force\n`,
    });
  }
  const unanswered = pods.find(({ node }) => node.kind === 'not-ready' || node.kind === 'unknown')?.pod;
  if (unanswered !== undefined) {
    const node = unanswered.spec.nodeName ?? '';
    advice.push({
      title: state('advice-node-title', { node }),
      text: state('advice-node'),
      snippet: `kubectl taint node ${node} node.kubernetes.io/out-of-service=nodeshutdown:NoExecute\n`,
    });
  }
  return advice;
}
