import * as z from 'zod';
import { code, moment, type Prose, say, sentences, word } from '../../engine/language/prose.js';
import { inRole, type Statement, statementsOf } from '../../engine/language/statement.js';
import { names } from '../../engine/language/words.js';
import { type Node, ownsCordon } from '../../engine/objects/node.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import { type FactsOf, fact } from '../findings/facts.js';
import { type Advice, blamedNode, type Evidence, type RuledOut } from '../findings/finding.js';
import type { Examination, Rule } from '../findings/rule.js';
import { waitingNeeds } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';
import { cordonedSpreadAdvice } from '../findings/waiting/advice.js';
import type { Block } from '../findings/waiting/block.js';
import { nodesOf, waitingFactsOf } from '../findings/waiting/block.js';
import { blocksFor } from '../findings/waiting/cause-of.js';
import { waitingFacts } from '../findings/waiting/facts.js';
import { ruledOutByWaiting, waitingFinding } from '../findings/waiting/finding.js';
import { type RefusingNode, refusalsOf } from '../findings/waiting/refusal.js';
import { waiting } from '../findings/waiting/text.js';

const nothing: Prose = [];

const en = {
  'shared-failure': () => say`the nodes that fit are cordoned`,
  summary: ({ workload, nodes }: { workload: string; nodes: readonly string[] }) =>
    say`${code(workload)} is pending: ${names('en', nodes, 4)} ${word(nodes.length === 1 ? 'is' : 'are')} cordoned`,
  cordoned: ({ node, since, by }: { node: string; since: string | undefined; by: string | undefined }) =>
    sentences(
      since === undefined
        ? say`${code(node)} is cordoned and accepts no new pods.`
        : say`${code(node)} has been cordoned since ${moment(since)} and accepts no new pods.`,
      by === undefined ? nothing : say`The client was ${code(by)}.`,
    ),
  counterfactual: ({ pod, nodes }: { pod: string; nodes: readonly string[] }) =>
    say`Once uncordoned, ${names('en', nodes, 4)} can run ${code(pod)} without other changes.`,
  'short-as-well': ({ nodes }: { nodes: readonly string[] }) =>
    say`Uncordoning alone is not enough: ${names('en', nodes, 4)} ${word(nodes.length === 1 ? 'is' : 'are')} also too full at the moment.`,
  'others-refuse': ({ nodes }: { nodes: number }) =>
    nodes === 1
      ? say`The other node cannot run it for another reason.`
      : say`The other ${nodes} nodes cannot run it for other reasons.`,
  'ev-cordoned': ({ node }: { node: string }) => say`${code(node)} accepts no new pods`,
  'because-fits-uncordoned': ({ node }: { node: string }) =>
    say`only the cordon keeps the pod off ${code(node)}`,
  'next-attempt': () => say`The scheduler retries when a node is uncordoned or added.`,
  'advice-uncordon': ({ nodes }: { nodes: readonly string[] }) =>
    say`Someone cordoned ${names('en', nodes, 4)} on purpose, for example for a drain or an upgrade. Ask before you uncordon.`,
  'advice-recover-title': ({ nodes }: { nodes: readonly string[] }) =>
    say`Or let ${names('en', nodes, 4)} recover`,
  'advice-recover': ({ nodes }: { nodes: readonly string[] }) =>
    say`${names('en', nodes, 4)} ${word(nodes.length === 1 ? 'is unhealthy and refuses' : 'are unhealthy and refuse')} the pod for no other reason. Conditions and events show what is wrong.`,
  'advice-room-title': () => say`Or add a node first`,
  'advice-room': () =>
    say`If nodes are being replaced one by one, an additional node provides capacity for the pods that move.`,
};

const ko: typeof en = {
  'shared-failure': () => say`배치할 수 있는 노드가 모두 cordon 상태`,
  summary: ({ workload, nodes }) =>
    say`${code(workload)} 파드 Pending: ${names('ko', nodes, 4)} 노드가 cordon되어 있습니다`,
  cordoned: ({ node, since, by }) =>
    sentences(
      since === undefined
        ? say`${code(node)} 노드는 cordon되어 새 파드를 받지 않습니다.`
        : say`${code(node)} 노드는 ${moment(since)}부터 cordon되어 새 파드를 받지 않습니다.`,
      by === undefined ? nothing : say`설정한 클라이언트: ${code(by)}.`,
    ),
  counterfactual: ({ pod, nodes }) =>
    say`cordon을 해제하면 ${names('ko', nodes, 4)} 노드에 바로 ${code(pod)} 파드를 배치할 수 있습니다.`,
  'short-as-well': ({ nodes }) =>
    say`cordon 해제만으로는 부족합니다. ${names('ko', nodes, 4)} 노드는 현재 용량도 부족합니다.`,
  'others-refuse': ({ nodes }) => say`나머지 노드 ${nodes}개에는 다른 이유로 배치할 수 없습니다.`,
  'ev-cordoned': ({ node }) => say`${code(node)} 노드는 새 파드를 받지 않음`,
  'because-fits-uncordoned': ({ node }) => say`cordon만 아니면 ${code(node)} 노드에 배치할 수 있음`,
  'next-attempt': () => say`노드의 cordon이 해제되거나 노드가 추가되면 스케줄러가 다시 시도합니다.`,
  'advice-uncordon': ({ nodes }) =>
    say`누군가 드레인이나 업그레이드 같은 이유로 ${names('ko', nodes, 4)} 노드를 의도적으로 cordon했습니다. 해제하기 전에 확인하세요.`,
  'advice-recover-title': ({ nodes }) => say`또는 ${names('ko', nodes, 4)} 노드 복구하기`,
  'advice-recover': ({ nodes }) =>
    say`${names('ko', nodes, 4)} 노드는 이상 상태를 보고하고 있으며, 그 밖에 파드를 거부할 이유는 없습니다. 무엇이 문제인지는 노드의 상태 조건과 이벤트에 나와 있습니다.`,
  'advice-room-title': () => say`또는 먼저 노드 추가하기`,
  'advice-room': () =>
    say`노드를 하나씩 교체하는 중이라면, 노드를 하나 추가해 옮겨 갈 파드의 용량을 확보하세요.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('node-cordoned');

const NodeCordonedFacts = z.strictObject({
  ...waitingFacts,
  cordons: z
    .array(
      z.strictObject({
        node: fact.text('Name of the node'),
        since: fact.time('When it was cordoned').optional(),
        by: fact.text('Who cordoned it, as the API server recorded the writer').optional(),
      }),
    )
    .describe('The cordoned nodes'),
  fitsUncordoned: fact.flag('A waiting pod fits on them once they are uncordoned'),
});

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
    const cordoned = nodes.filter(({ refusal }) => refusal === 'cordoned');
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
        ...recoveryAdvice(nodes),
        ...cordonedSpreadAdvice(examination, blocks[0]),
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

/** Unhealthy nodes that refuse the pod for nothing else could run it as well. */
function recoveryAdvice(all: readonly RefusingNode[]): readonly Advice[] {
  const nodes = all
    .filter((each) => each.refusal === 'not-ready' && each.besidesState.length === 0)
    .map(({ name }) => name);
  if (nodes.length === 0) return [];
  return [
    {
      title: state('advice-recover-title', { nodes }),
      text: state('advice-recover', { nodes }),
      snippet: nodes
        .slice(0, shown)
        .map((node) => `kubectl describe node ${node}\n`)
        .join(''),
    },
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
