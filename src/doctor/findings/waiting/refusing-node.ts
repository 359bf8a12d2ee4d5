import type { Node } from '../../../engine/objects/node.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { namedNodes } from '../../../engine/scheduler/node-selector.js';
import {
  type OutOfService,
  outOfService,
  reportsTrouble,
} from '../../../engine/scheduler/nodes-out-of-service.js';
import type { Reason } from '../../../engine/scheduler/reason.js';
import type { NodeVerdict } from '../../../engine/scheduler/verdict.js';

/** A node that refuses a pod, and what would have to change for it not to. */
export interface RefusingNode {
  readonly name: string;
  /**
   * `never`: whatever pods come and go. `cordoned`: it could once it is uncordoned. `not-ready`: it could
   * once it is healthy, and uncordoned where it is cordoned as well. `held`: only pods are in the way.
   */
  readonly refusal: 'never' | OutOfService | 'held';
  /** The pods ask for more than it could ever give. */
  readonly tooSmall: boolean;
  readonly reasons: readonly Reason[];
  /** Reasons that remain once the node is back in service. */
  readonly besidesState: readonly Reason[];
}

/** Of all nodes, or of the one that a DaemonSet's pod is made for. */
export function refusingNodes(
  pod: Pod,
  verdicts: readonly NodeVerdict[],
  nodes: ReadonlyMap<string, Node>,
): readonly RefusingNode[] {
  const named = namedNodes(pod.spec);
  return verdicts
    .filter(({ node }) => named === undefined || named.size === 0 || named.has(node))
    .map((verdict) => {
      if (verdict.tooSmall) return neverNode(verdict);
      const { node, reasons } = verdict;
      const besidesState = reasons.filter(isBesidesState);
      return {
        name: node,
        refusal: conditionOf(reasons, besidesState, nodes.get(node)),
        tooSmall: false,
        reasons,
        besidesState,
      };
    });
}

/** Callers add what else they say about it. */
function neverNode(verdict: NodeVerdict): RefusingNode {
  return {
    name: verdict.node,
    refusal: 'never',
    tooSmall: true,
    get reasons() {
      return verdict.reasons;
    },
    get besidesState() {
      return verdict.reasons.filter(isBesidesState);
    },
  };
}

function isBesidesState(reason: Reason): boolean {
  return outOfService(reason) === undefined;
}

function conditionOf(
  reasons: readonly Reason[],
  besidesState: readonly Reason[],
  node: Node | undefined,
): RefusingNode['refusal'] {
  if (besidesState.some(({ resolvable }) => !resolvable)) return 'never';
  const states = reasons.map(outOfService);
  if (states.includes('not-ready')) return 'not-ready';
  if (!states.includes('cordoned')) return 'held';
  return node !== undefined && reportsTrouble(node) ? 'not-ready' : 'cordoned';
}
