import type { Statement } from '../../../engine/language/statement.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { agentAdvice, troubledAgents } from '../../findings/crashes/node-agents.js';
import { crash } from '../../findings/crashes/text.js';
import type { Advice } from '../../findings/finding.js';
import { state } from './text.js';

/** What is known of a node that only its taints keep from new pods. */
interface Tainted {
  readonly node: string;
  /** Taints as `key:effect`; absent where a condition shows the trouble. */
  readonly taints?: readonly string[] | undefined;
}

/** The cloud controller manager takes it away (kubernetes `cloud-provider/controllers/node`). */
const uninitialised = 'node.cloudprovider.kubernetes.io/uninitialized:';

/**
 * Who takes the taints away from nodes that are well otherwise: an agent of the node that is not ready
 * itself, or the cloud controller manager.
 */
export function thoseWhoWait(
  snapshot: Snapshot,
  troubles: readonly Tainted[],
): { readonly reasoning: readonly Statement[]; readonly advice: readonly Advice[] } {
  const tainted = troubles.filter(({ taints = [] }) => taints.length > 0);
  const nodes = tainted.map(({ node }) => node);
  const keys = tainted.flatMap(({ taints = [] }) => taints);
  const agents = nodes.length === 0 ? [] : troubledAgents(snapshot, nodes, keys.join(' '));
  const ofCloud = keys.some((key) => key.startsWith(uninitialised));
  return {
    reasoning: [
      ...agents.map((each) => crash('agent', { ...each })),
      ...(ofCloud ? [state('uninitialised')] : []),
    ],
    advice: [
      ...agentAdvice(agents),
      ...(ofCloud
        ? [
            {
              title: state('advice-cloud-title'),
              text: state('advice-cloud'),
              snippet: 'kubectl get pods -A | grep cloud-controller-manager\n',
            },
          ]
        : []),
    ],
  };
}
