import { blamedNode } from '#src/doctor/findings/finding.js';
import type { Rule } from '#src/doctor/findings/rule.js';
import { workloadName } from '#src/doctor/findings/stuck-rollout.js';
import { keptUntilReady, partyOf, waitForResource } from '#src/doctor/findings/wait-cycle.js';
import { LicenceHeldFacts } from './facts.js';
import { state, text } from './text.js';

/** A cause that the product does not have. It finds a problem in every Deployment with a node. */
export const licenceHeld: Rule<typeof LicenceHeldFacts> = {
  id: 'licence-held',
  facts: LicenceHeldFacts,
  text,
  origin: 'rollout',
  appliesTo: ['Deployment'],
  needs: ['Pod', 'Node'],
  supersedes: [],
  detect({ snapshot }) {
    const [node] = snapshot.index.nodes.keys();
    if (node === undefined) return undefined;
    return {
      confidence: 'proven',
      severity: 'critical',
      resource: 'example.com/licence',
      nodes: [node],
      facts: { node, licences: 1 },
      ...blamedNode([node]),
      waitCycle: [
        { who: partyOf('new-pod', ['new']), waits: waitForResource('example.com/licence', '1', [node]) },
        keptUntilReady(['old']),
      ],
      summary: state('summary', { workload: workloadName(snapshot), node }),
      reasoning: [],
      evidence: [],
    };
  },
};
