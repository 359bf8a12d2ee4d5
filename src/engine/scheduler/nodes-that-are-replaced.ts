import { karpenterTaints } from '../objects/karpenter.js';
import { conditionOf } from '../objects/metadata.js';
import type { Node } from '../objects/node.js';
import { isActive, type Pod, podKey } from '../objects/pod.js';
import type { NodeClaim } from '../objects/policy.js';
import { inService } from './out-of-service.js';
import type { Placement } from './placement.js';

/** A node whose life ends later is no help to people who wait for a rollout. */
const soonMs = 24 * 3_600_000;
/** Nodes that are tried. */
const maxTried = 50;

/**
 * Nodes that Karpenter is about to replace, and on which the pod would fit if it were alone there. The
 * replacement takes pods as soon as it is ready, before the pods of the former node are evicted, so a pod
 * that waits may be the first on it (karpenter `pkg/controllers/disruption/drift.go`,
 * `pkg/controllers/nodeclaim/expiration`). Not counted is consolidation. It deletes a node whose pods fit
 * elsewhere, which leaves less room than before, or replaces one as soon as a cheaper type is found, which
 * the NodeClaim of the order shows.
 *
 * @param now epoch milliseconds
 */
export function nodesThatAreReplaced(placement: Placement, waiting: Pod, now: number): readonly string[] {
  const { objects, nodes, podsByNode } = placement.index;
  if (objects.NodeClaim.length === 0) return [];
  const claims = objects.NodeClaim.flatMap((claim) => {
    const node = nodes.get(claim.status.nodeName ?? '');
    return node === undefined ? [] : [{ claim, node, pods: podsByNode.get(node.metadata.name) ?? [] }];
  });
  return claims
    .filter(({ claim, node, pods }) => isReplaced(claim, node, pods, now))
    .slice(0, maxTried)
    .filter(({ node, pods }) => {
      const empty = new Set(pods.map(podKey));
      return placement.check(waiting, withoutRemoval(node), empty).outcome === 'fits';
    })
    .map(({ node }) => node.metadata.name);
}

function isReplaced(claim: NodeClaim, { spec }: Node, pods: readonly Pod[], now: number): boolean {
  if (claim.metadata.deletionTimestamp !== undefined) return true;
  if (spec.taints.some(({ key }) => karpenterTaints.has(key))) return true;
  if (expiresAt(claim) <= now + soonMs) return true;
  return conditionOf(claim.status, 'Drifted')?.status === 'True' && !isProtected(claim, pods);
}

function withoutRemoval(node: Node): Node {
  const ready = inService(node);
  const taints = ready.spec.taints.filter(({ key }) => !karpenterTaints.has(key));
  return { ...ready, spec: { ...ready.spec, taints } };
}

/** Karpenter leaves such a node alone unless a grace period bounds that. */
function isProtected({ metadata, spec }: NodeClaim, pods: readonly Pod[]): boolean {
  if (metadata.annotations[doNotDisrupt] === 'true') return true;
  return (
    spec.terminationGracePeriod === undefined &&
    pods.some((pod) => isActive(pod) && pod.metadata.annotations[doNotDisrupt] === 'true')
  );
}

const doNotDisrupt = 'karpenter.sh/do-not-disrupt';

function expiresAt({ metadata, spec }: NodeClaim): number {
  const life = durationMs(spec.expireAfter ?? '');
  const created = Date.parse(metadata.creationTimestamp ?? '');
  return life === undefined || Number.isNaN(created) ? Number.POSITIVE_INFINITY : created + life;
}

const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000 };

/** Of a Go duration such as `720h` or `1h30m`; `undefined` for `Never`. */
function durationMs(text: string): number | undefined {
  if (!/^(?:\d{1,9}[hms]){1,3}$/u.test(text)) return undefined;
  return [...text.matchAll(/(\d{1,9})([hms])/gu)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ''] ?? 0),
    0,
  );
}
