import { workloadKinds } from '../../../cluster/workload.js';
import type { Statement } from '../../../language/statement.js';
import { resourceOf } from '../../../placement/resource-of.js';
import type { Evidence, RuledOut } from '../../finding.js';
import { waitingNeeds } from '../../needs.js';
import type { Examination, Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { spreadStatements } from '../../waiting/advice.js';
import type { Block } from '../../waiting/block.js';
import { blocksFor } from '../../waiting/cause-of.js';
import type { WaitingFacts } from '../../waiting/facts.js';
import { waitingFactsOf } from '../../waiting/facts-of-blocks.js';
import {
  autoscalerStatements,
  refusalFor,
  ruledOutByWaiting,
  waitingFinding,
} from '../../waiting/finding.js';
import { nearestOf, nodesOf } from '../../waiting/nodes-of.js';
import { refusalsIn, refusalsOf } from '../../waiting/refusal.js';
import { requirementText } from '../../waiting/refusal-words.js';
import type { RefusingNode } from '../../waiting/refusing-node.js';
import { waiting } from '../../waiting/text.js';
import { labelsAddedTo } from './added-labels.js';
import { adviceFor } from './advice.js';
import { UnsatisfiablePlacementFacts } from './facts.js';
import {
  absentNodeFinding,
  missingAdvice,
  missingEvidence,
  missingNodes,
  missingStatements,
} from './missing.js';
import { state, text } from './text.js';

/** Nodes told in full; the rest is in the tally. */
const nearestShown = 3;

/**
 * No node can ever take the waiting pods, whatever other pods do: each lacks a label, has a taint, cannot
 * reach a volume or is too small. Names the nearest nodes and all that each lacks.
 */
export const unsatisfiablePlacement: Rule<typeof UnsatisfiablePlacementFacts> = {
  id: 'unsatisfiable-placement',
  facts: UnsatisfiablePlacementFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: waitingNeeds,
  supersedes: ['progress-deadline-exceeded'],
  detect(examination) {
    const { snapshot } = examination;
    const blocks = blocksFor(examination, 'unsatisfiable-placement');
    if (blocks === undefined) return absentNodeFinding(examination);
    const missing = missingNodes(examination, blocks[0]);
    const gone = missing.flatMap(({ names }) => names);
    const workload = workloadName(snapshot);
    const nodes = nodesOf(blocks);
    const near = nearestOf(nodes, nearestShown);
    const isPinned = nodes.length < snapshot.index.objects.Node.length;
    const autoscaler = autoscalerStatements(examination, blocks);
    const facts = {
      ...waitingFactsOf(examination, blocks),
      ...autoscaler.facts,
      missingNodes: missing,
    };
    return waitingFinding(examination, blocks, {
      facts,
      summary: missing.some(({ volume }) => volume === undefined)
        ? state('summary-missing', { workload, nodes: gone })
        : isPinned
          ? state('summary-pinned', { workload, nodes: nodes.map(({ name }) => name) })
          : state('summary', { workload, nodesInAll: facts.nodesInAll }),
      resource: tooSmallFor(near),
      nodes: near.map(({ name }) => name),
      reasoning: [
        ...missingStatements(missing),
        ...reasoningOf(examination, blocks, near, facts),
        ...autoscaler.reasoning,
      ],
      evidence: [
        ...missingEvidence(missing, blocks[0].pod),
        ...near.flatMap((node) => evidenceOf(examination, node)),
        ...autoscaler.evidence,
      ],
      ruledOut: ruledOutOf(examination, blocks[0]),
      undoHelps: true,
      advice:
        missing.length > 0
          ? missingAdvice(missing)
          : adviceFor(near, labelsAddedTo(snapshot.index, snapshot.workload, blocks[0].pod)),
    });
  },
};

/** The resource that is the nearest node's only lack. */
function tooSmallFor([node]: readonly RefusingNode[]): string | undefined {
  const lasting = (node?.reasons ?? []).filter(({ resolvable }) => !resolvable);
  const [only] = lasting;
  return lasting.length === 1 && only !== undefined ? resourceOf(only) : undefined;
}

function reasoningOf(
  examination: Examination,
  blocks: readonly [Block, ...Block[]],
  near: readonly RefusingNode[],
  facts: WaitingFacts,
): readonly Statement[] {
  const [block] = blocks;
  if (block.why.kind === 'unconfirmed') {
    return [waiting('unconfirmed', { said: facts.schedulerMessage ?? '' })];
  }
  if (block.evaluation.refusals.length > 0) return [state('terms-conflict')];
  const nodes = nodesOf(blocks);
  return [
    ...(nodes.length > near.length
      ? [
          waiting('tally', { nodesInAll: facts.nodesInAll, groups: facts.refusals }),
          state('nearest', { nodes: near.length }),
        ]
      : []),
    ...near.map(({ name, reasons }) => waiting('node-lacks', { node: name, refusals: refusalsOf(reasons) })),
    ...(refusalFor(examination, blocks) === undefined ? [state('no-change-helps')] : []),
    ...spreadStatements(examination, block),
  ];
}

function evidenceOf({ snapshot }: Examination, { name, reasons }: RefusingNode): readonly Evidence[] {
  const object = { kind: 'Node', namespace: '', name };
  const node = snapshot.index.nodes.get(name);
  return reasons.flatMap((reason): readonly Evidence[] => {
    switch (reason.id) {
      case 'node-affinity':
        return refusalsIn(reason).flatMap((refusal) =>
          refusal.what === 'label'
            ? [
                {
                  object,
                  field: `metadata.labels[${refusal.key}]`,
                  value: refusal.found ?? '',
                  says: state('ev-label', { node: name, requirement: requirementText(refusal) }),
                },
              ]
            : [],
        );
      case 'taint':
        return [
          {
            object,
            field: 'spec.taints',
            value: `${reason.taint.key}=${reason.taint.value}:${reason.taint.effect}`,
            at: reason.taint.timeAdded,
            says: state('ev-taint', { node: name }),
          },
        ];
      case 'cpu':
      case 'memory':
      case 'ephemeral-storage':
      case 'extended-resource':
        return [
          {
            object,
            field: `status.allocatable[${reason.resource}]`,
            value: node?.status.allocatable[reason.resource] ?? '',
            says: state('ev-allocatable', { node: name, resource: reason.resource }),
          },
        ];
      default:
        return [];
    }
  });
}

function ruledOutOf(examination: Examination, block: Block): readonly RuledOut[] {
  if (block.nodes.length === 0) return ruledOutByWaiting(examination, block);
  const because = state('because-emptied', { nodes: block.nodes.length });
  return [
    ...ruledOutByWaiting(examination, block),
    { cause: 'capacity-contention', because },
    { cause: 'scale-up-pending', because },
    { cause: 'node-cordoned', because: waiting('because-in-service') },
    { cause: 'waiting-for-autoscaler', because: waiting('because-no-order') },
  ];
}
