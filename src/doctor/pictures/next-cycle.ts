import { FragileStrategyFacts, fragileStrategy } from '../causes/fragile-strategy/rule.js';
import type { Finding } from '../findings/finding.js';
import type { WaitCycle } from '../findings/wait-cycle.js';
import { keptUntilReady, partyOf, waitForResource, waitForVolume } from '../findings/wait-cycle.js';

/**
 * The wait cycle that the next update will end in. Its new pod has no name yet.
 *
 * @returns `undefined` where the finding is about no next update, or calls the deadlock merely possible
 */
export function nextCycleOf(
  finding: Pick<Finding, 'cause' | 'confidence' | 'subject' | 'facts' | 'nodes' | 'holders'>,
): WaitCycle | undefined {
  const { cause, confidence, subject, nodes, holders } = finding;
  if (cause !== fragileStrategy.id || confidence === 'possible' || holders.length === 0) return undefined;
  const facts = FragileStrategyFacts.safeParse(finding.facts).data;
  if (facts === undefined) return undefined;
  const { kind, lacking } = facts;
  const [node = ''] = nodes;
  return {
    v: 1,
    kind: 'wait-cycle',
    workload: `${subject.namespace}/${subject.name}`,
    confidence,
    steps: [
      {
        who: partyOf('new-pod', []),
        waits:
          kind === 'volume'
            ? waitForVolume(lacking, node)
            : waitForResource(lacking, '', kind === 'quota' ? [] : nodes),
      },
      keptUntilReady(holders.map(({ name }) => name)),
    ],
  };
}
