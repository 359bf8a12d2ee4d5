import { type Node, ownsCordon } from '../../../cluster/node.js';
import { workloadKinds } from '../../../cluster/workload.js';
import { inRole, type Statement } from '../../../language/statement.js';
import type { FactsOf } from '../../facts.js';
import { blamedNode, type Evidence, type RuledOut } from '../../finding.js';
import { waitingNeeds } from '../../needs.js';
import type { Examination, Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import type { Block } from '../../waiting/block.js';
import { blocksFor } from '../../waiting/cause-of.js';
import { waitingFactsOf } from '../../waiting/facts-of-blocks.js';
import { ruledOutByWaiting, waitingFinding } from '../../waiting/finding.js';
import { nodesOf } from '../../waiting/nodes-of.js';
import { refusalsOf } from '../../waiting/refusal.js';
import type { RefusingNode } from '../../waiting/refusing-node.js';
import { waiting } from '../../waiting/text.js';
import { NodeCordonedFacts } from './facts.js';
import { state, text } from './text.js';

/** Nodes told one by one; the rest is in the summary's list. */
const shown = 5;

/**
 * The nodes that would take the waiting pods are cordoned. `proven` when the filters accept a pod on such a
 * node but for the cordon; where such nodes are short as well, uncordoning alone would not do, and the
 * finding says so.
 */
export const nodeCordoned: Rule<typeof NodeCordonedFacts> = {
  id: 'node-cordoned',
  facts: NodeCordonedFacts,
  text,
  origin: 'surroundings',
  appliesTo: workloadKinds,
  needs: waitingNeeds,
  supersedes: ['progress-deadline-exceeded'],
  detect(examination) {
    const blocks = blocksFor(examination, 'node-cordoned');
    if (blocks === undefined) return undefined;
    const [{ why }] = blocks;
    const nodes = nodesOf(blocks);
    const cordoned = nodes.filter(({ standing }) => standing === 'cordoned');
    const open = why.kind === 'cordoned' ? why.open : [];
    const named = open.length > 0 ? open : cordoned.map(({ name }) => name);
    const facts = {
      ...waitingFactsOf(examination, blocks),
      cordons: named.map((name) => cordonAt(examination, name)),
      fitsUncordoned: open.length > 0,
    };
    return waitingFinding(examination, blocks, {
      summary: state('summary', { workload: workloadName(examination.snapshot), nodes: named }),
      facts,
      nodes: named,
      ...blamedNode(named),
      reasoning: reasoningOf(blocks, named, facts),
      evidence: named.slice(0, shown).map((name) => evidenceOf(examination, name)),
      ruledOut: ruledOutOf(examination, blocks[0], open[0]),
      nextAttempt: { what: state('next-attempt') },
      ...(open.length > 0 ? {} : { atMost: 'likely' }),
      advice: [
        {
          title: waiting('advice-uncordon-title'),
          text: state('advice-uncordon', { nodes: named }),
          snippet: `kubectl uncordon ${named.join(' ')}\n`,
        },
        { title: state('advice-room-title'), text: state('advice-room') },
      ],
    });
  },
};

function reasoningOf(
  blocks: readonly [Block, ...Block[]],
  named: readonly string[],
  facts: FactsOf<typeof NodeCordonedFacts>,
): readonly Statement[] {
  const [block] = blocks;
  if (block.why.kind === 'unconfirmed') {
    return [waiting('unconfirmed', { said: facts.schedulerMessage ?? '' })];
  }
  const nodes = nodesOf(blocks);
  const others = nodes.filter(({ name }) => !named.includes(name));
  return [
    ...facts.cordons.slice(0, shown).map(({ node, since, by }) => state('cordoned', { node, since, by })),
    ...(facts.fitsUncordoned
      ? [inRole('conclusion', state('counterfactual', { pod: block.pod.metadata.name, nodes: named }))]
      : [state('short-as-well', { nodes: named }), ...shortages(nodes, named)]),
    ...(others.length === 0
      ? []
      : [
          state('others-refuse', { nodes: others.length }),
          waiting('tally', { nodesInAll: facts.nodesInAll, groups: facts.refusals }),
        ]),
  ];
}

function cordonAt({ snapshot }: Examination, name: string) {
  const node = snapshot.index.nodes.get(name);
  return { node: name, ...(node === undefined ? {} : cordonOf(node)) } as const;
}

function shortages(nodes: readonly RefusingNode[], named: readonly string[]): readonly Statement[] {
  return nodes
    .filter(({ name }) => named.includes(name))
    .slice(0, shown)
    .map(({ name, besidesState }) =>
      waiting('node-lacks', { node: name, refusals: refusalsOf(besidesState) }),
    );
}

function evidenceOf({ snapshot }: Examination, name: string): Evidence {
  const node = snapshot.index.nodes.get(name);
  const since = node === undefined ? undefined : cordonOf(node).since;
  return {
    object: { kind: 'Node', namespace: '', name },
    field: 'spec.unschedulable',
    value: String(node?.spec.unschedulable ?? ''),
    at: since,
    says: state('ev-cordoned', { node: name }),
  };
}

function ruledOutOf(examination: Examination, block: Block, open: string | undefined): readonly RuledOut[] {
  const because = open === undefined ? undefined : state('because-fits-uncordoned', { node: open });
  return [
    ...ruledOutByWaiting(examination, block),
    ...(because === undefined
      ? []
      : [
          { cause: 'insufficient-capacity', because },
          { cause: 'capacity-contention', because },
          { cause: 'unsatisfiable-placement', because },
        ]),
    { cause: 'waiting-for-autoscaler', because: waiting('because-no-order') },
  ];
}

/** What the node's own object tells of its cordon. */
interface Cordon {
  /** RFC3339. */
  readonly since: string | undefined;
  /**
   * The client that set it, as the API server recorded it: `kubectl`, `kubectl-cordon`, `cluster-autoscaler`.
   */
  readonly by: string | undefined;
}

const taintOfCordon = 'node.kubernetes.io/unschedulable';

/**
 * The field's manager is exact; the taint that the node lifecycle controller adds has a time where it has
 * one.
 */
function cordonOf({ metadata, spec }: Node): Cordon {
  const entry = metadata.managedFields.find(({ fieldsV1 }) => ownsCordon(fieldsV1));
  const taint = spec.taints.find(({ key }) => key === taintOfCordon);
  return { since: taint?.timeAdded ?? entry?.time, by: entry?.manager };
}
