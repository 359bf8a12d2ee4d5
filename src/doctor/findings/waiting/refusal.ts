import { groupBy } from '../../../engine/collections/collections.js';
import type { Node } from '../../../engine/objects/node.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { namedNodes } from '../../../engine/scheduler/node-selector.js';
import type { OutOfService } from '../../../engine/scheduler/nodes-out-of-service.js';
import { outOfService, reportsTrouble } from '../../../engine/scheduler/nodes-out-of-service.js';
import type { Reason } from '../../../engine/scheduler/reason.js';
import type { NodeVerdict } from '../../../engine/scheduler/verdict.js';
import type { Refusal, RefusalGroup } from './facts.js';

/** One reason; an unmet node affinity becomes one for each requirement. */
export function refusalsIn(reason: Reason): readonly Refusal[] {
  switch (reason.id) {
    case 'node-affinity':
      if (reason.unmet.length === 0) return [{ what: 'affinity' }];
      return reason.unmet.map(({ requirement: { key, operator, values }, found }) => ({
        what: 'label',
        key,
        operator,
        values,
        found,
      }));
    case 'node-name':
      return [{ what: 'name', wanted: reason.wanted }];
    case 'cordoned':
      return [{ what: 'cordoned' }];
    case 'taint': {
      const { key, value, effect } = reason.taint;
      return [{ what: 'taint', key, value, effect }];
    }
    case 'cpu':
    case 'memory':
    case 'ephemeral-storage':
    case 'pods':
    case 'extended-resource': {
      const { resource, requested, free, allocatable, short, resolvable } = reason;
      return [{ what: 'resource', resource, requested, free, allocatable, short, tooSmall: !resolvable }];
    }
    case 'host-port':
      return [{ what: 'port', port: reason.port, protocol: reason.protocol }];
    case 'pod-affinity':
      return [{ what: affinityWords[reason.rule], topologyKey: reason.topologyKey }];
    case 'topology-spread': {
      const { topologyKey, domain, matching, minimum, maxSkew, minimumDomains } = reason;
      if (domain === undefined) return [{ what: 'spread-label', topologyKey }];
      return [{ what: 'spread', topologyKey, matching, minimum, maxSkew, minimumDomains }];
    }
    case 'volume-affinity':
    case 'volume-zone':
      return [{ what: 'volume', claim: reason.claim, volume: reason.volume }];
    case 'rwop':
      return [{ what: 'claim-in-use', claim: reason.claim }];
    case 'disk-conflict':
      return [{ what: 'disk-in-use', volume: reason.volume }];
    case 'max-volumes':
      return [{ what: 'volumes', driver: reason.driver, limit: reason.limit }];
    case 'dra': {
      const { claim, tainted } = reason;
      const { key: taint, rule } = tainted.find((each) => each.rule !== undefined) ?? tainted[0] ?? {};
      return [{ what: 'device', claim, taint, rule }];
    }
    case 'csi-driver-missing':
      return [{ what: 'driver-missing', driver: reason.driver }];
    default:
      return [{ what: 'other', text: reason.text }];
  }
}

const affinityWords = {
  affinity: 'wanted-pods',
  'anti-affinity': 'avoided-pods',
  'existing-anti-affinity': 'avoiding-pods',
} as const;

/**
 * Reasons of a node; a cordon and the taint that comes with it are one, and so is anti-affinity both ways.
 */
export function refusalsOf(reasons: readonly Reason[]): readonly Refusal[] {
  const all = reasons.flatMap(refusalsIn);
  const cordoned = all.some(({ what }) => what === 'cordoned');
  const avoided = new Set(all.flatMap((each) => (each.what === 'avoided-pods' ? [each.topologyKey] : [])));
  return all.filter((each) => {
    if (each.what === 'taint') return !(cordoned && each.key === 'node.kubernetes.io/unschedulable');
    return !(each.what === 'avoiding-pods' && avoided.has(each.topologyKey));
  });
}

/**
 * Each node in exactly one group, by all of its reasons; amounts do not tell groups apart. Largest groups
 * first.
 */
export function groupedRefusals(
  nodes: readonly { readonly name: string; readonly reasons: readonly Reason[] }[],
): readonly RefusalGroup[] {
  const refused = nodes.map(({ name, reasons }) => ({ name, refusals: refusalsOf(reasons) }));
  return [...groupBy(refused, ({ refusals }) => JSON.stringify(refusals.map(kindOf))).values()]
    .map((group) => ({ nodes: group.map(({ name }) => name), refusals: group[0].refusals }))
    .sort((a, b) => b.nodes.length - a.nodes.length);
}

function kindOf(refusal: Refusal): unknown {
  switch (refusal.what) {
    case 'resource':
      return [refusal.what, refusal.resource, refusal.tooSmall];
    case 'label':
      return [refusal.what, refusal.key, refusal.operator, refusal.values];
    case 'spread':
      return [refusal.what, refusal.topologyKey];
    case 'other':
      return refusal.text;
    default:
      return refusal;
  }
}

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
