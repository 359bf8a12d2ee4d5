import type { Pod } from '../../../cluster/pod.js';
import type { DaemonSetState } from '../../../rollout/rollout-state.js';
import { fixesOfKind } from '../../deadlock/fixes-of-kind.js';
import type { StableRollout } from '../../deadlock/resting.js';
import type { Fixes } from '../../finding.js';
import { podSimulatorOf } from '../../pod-oracle-of.js';
import type { Examination } from '../../rule.js';
import { waiting as waitingStatement } from '../../waiting/text.js';
import { state as say } from './text.js';

/** The node that becomes free, and what of it. */
interface Freed {
  readonly node: string;
  readonly resource: string;
}

/**
 * What frees the rollout as the engine of its kind sees it, best first, and what people would try in vain.
 */
export function remediesFor(
  examination: Examination,
  state: StableRollout['state'] | DaemonSetState,
  waiting: readonly Pod[],
  { node, resource }: Freed,
): Fixes {
  const { patches, further } = fixesOfKind(examination, state, podSimulatorOf(examination), waiting);
  return {
    remediations: [...patches.remediations, ...further.remediations],
    withheld: [
      { kind: 'restart-rollout', because: waitingStatement('restart-withheld') },
      { kind: 'exclude-nodes', because: say('exclude-withheld', { node }) },
      ...patches.withheld,
      ...(patches.remediations.length + patches.withheld.length > 0
        ? []
        : [{ kind: 'patch-strategy', because: say('patch-withheld', { resource }) } as const]),
      ...further.withheld,
    ],
  };
}
