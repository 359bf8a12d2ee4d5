import { versionText } from '../../../cluster/server-version.js';
import { isFixedPoint, restDependsOnRule } from '../../../rollout/fixed-point.js';
import { rolloutStateOf } from '../../../rollout/rollout-state.js';
import { subjectOf } from '../../deadlock/resting.js';
import { oldOrdinalsOf } from '../../old-ordinals.js';
import type { Examination } from '../../rule.js';
import { isUnschedulable } from '../../stuck-rollout.js';
import type { Stuck } from './stuck.js';
import { state } from './text.js';

/**
 * A StatefulSet at rest half-way: the pod of a higher ordinal has the new revision and no node, and pods of
 * lower ordinals hold what it needs. They have the old revision, and the controller replaces none of them
 * before the higher ordinal is available (kubernetes `stateful_set_control.go: updateStatefulSet`).
 */
export function stuckStatefulSetOf({ snapshot }: Examination): Stuck | undefined {
  const rollout = rolloutStateOf(snapshot);
  if (rollout.kind !== 'StatefulSet') return undefined;
  const { statefulSet } = rollout;
  const { serverVersion } = snapshot.index;
  const { metadata, spec, status } = statefulSet;
  if (metadata.deletionTimestamp !== undefined) return undefined;
  if (status.observedGeneration < (metadata.generation ?? 0) || !isFixedPoint(rollout)) return undefined;
  const { pending, old } = oldOrdinalsOf(rollout);
  const [first, ...rest] = pending.filter(isUnschedulable);
  if (first === undefined || 1 + rest.length < pending.length) return undefined;
  const pod = first.metadata.name;
  return {
    workload: statefulSet,
    holding: old,
    waiting: [first, ...rest],
    strategy: state('strategy-ordinals', { pod }),
    strategyFacts: undefined,
    strategyEvidence: [
      {
        object: subjectOf(statefulSet),
        field: 'spec.updateStrategy',
        value: JSON.stringify(spec.updateStrategy),
        says: state('ev-ordinals', { pod }),
      },
    ],
    weakenedBy:
      serverVersion !== undefined && restDependsOnRule(rollout)
        ? [state('gate-unsure', { version: versionText(serverVersion) })]
        : [],
    remedies: (node) => ({
      remediations: [],
      withheld: [
        { kind: 'restart-rollout', because: state('restart-withheld-ordinals', { pod }) },
        { kind: 'exclude-nodes', because: state('exclude-withheld', { node }) },
      ],
    }),
  };
}
