import { conditionOf } from '../../../cluster/metadata.js';
import { refOf } from '../../../remediation/price-of.js';
import { nodeArithmetic } from '../../arithmetic/node-arithmetic.js';
import { deadlock } from '../../deadlock/text.js';
import type { Evidence } from '../../finding.js';
import type { Examination } from '../../rule.js';
import { refusedSince } from '../../stuck-rollout.js';
import { waiting as waitingStatement } from '../../waiting/text.js';
import { deviceEvidence, unhealthyDevicesAmong } from '../../waiting/unhealthy-devices.js';
import type { Blockage } from './blockage.js';
import type { Stuck } from './stuck.js';

/** What the pods, their holders and the strategy show. */
export function evidenceOf(
  { waiting, strategyEvidence }: Stuck,
  { holders, resource }: Blockage,
): readonly Evidence[] {
  return [
    ...waiting.map((pod): Evidence => {
      const scheduled = conditionOf(pod.status, 'PodScheduled');
      const at = refusedSince(pod);
      return {
        object: refOf(pod),
        field: 'status.conditions[PodScheduled]',
        value: scheduled?.message ?? '',
        ...(at === undefined ? {} : { at }),
        says: waitingStatement('ev-unschedulable', { pod: pod.metadata.name }),
      };
    }),
    ...holders.map(
      (pod): Evidence => ({
        object: refOf(pod),
        field: 'spec.nodeName',
        value: pod.spec.nodeName ?? '',
        at: pod.status.startTime,
        says: deadlock('ev-holder', { pod: pod.metadata.name, resource }),
      }),
    ),
    ...deviceEvidence(unhealthyDevicesAmong(holders, (each) => each === resource)),
    ...strategyEvidence,
  ];
}

/** The scheduler's sum for the node that needs the fewest pods to leave. */
export function sumOf(
  { snapshot, placement }: Examination,
  { waiting, openable }: Blockage,
): readonly Evidence[] {
  const [{ node: name }] = openable;
  const node = snapshot.index.nodes.get(name);
  if (node === undefined) return [];
  return nodeArithmetic(snapshot.index, waiting, { name, reasons: placement.check(waiting, node).reasons });
}
