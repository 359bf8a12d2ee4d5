import type { Pod } from '../../../cluster/pod.js';
import { byPodName, podKey } from '../../../cluster/pod-key.js';
import { workloadKinds } from '../../../cluster/workload.js';
import { greatestOf } from '../../../collections/collections.js';
import { inRole, type Statement } from '../../../language/statement.js';
import { ownerOf } from '../../../neighbours/pod-owner.js';
import { priorityOf } from '../../../placement/priority.js';
import { refOf } from '../../../remediation/price-of.js';
import { epochOf } from '../../../rollout/creation-order.js';
import type { FactsOf } from '../../facts.js';
import type { Advice, Evidence } from '../../finding.js';
import { waitingNeeds } from '../../needs.js';
import type { Examination, Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { type Block, blocksOf } from '../../waiting/block.js';
import { waitingFactsOf } from '../../waiting/facts-of-blocks.js';
import { autoscalerStatements, ruledOutByWaiting, waitingFinding } from '../../waiting/finding.js';
import { nearestOf, nodesOf } from '../../waiting/nodes-of.js';
import { refusalsOf } from '../../waiting/refusal.js';
import { waiting } from '../../waiting/text.js';
import { PreemptedFacts } from './facts.js';
import { type Preemption, preemptionsOf } from './preemptions.js';
import { state, text } from './text.js';

/** Nodes told in full. */
const nearestShown = 3;

/**
 * The scheduler took pods of the workload away for pods of higher priority, and their replacements find no
 * room. Names the preemptors; `proven` when they are still there and without them the replacement fits.
 */
export const preempted: Rule<typeof PreemptedFacts> = {
  id: 'preempted',
  facts: PreemptedFacts,
  text,
  origin: 'surroundings',
  shows: 'pods-by-node',
  appliesTo: workloadKinds,
  needs: waitingNeeds,
  supersedes: [
    'capacity-contention',
    'insufficient-capacity',
    'scale-up-pending',
    'progress-deadline-exceeded',
  ],
  detect(examination) {
    const preemptions = preemptionsOf(examination.snapshot);
    const blocks = replacementsOf(examination, preemptions);
    if (blocks === undefined) return undefined;
    const [block] = blocks;
    const { snapshot, placement } = examination;
    const preemptors = distinct(preemptions.flatMap(({ preemptor }) => preemptor ?? []));
    const opened = placement.wouldFitIf(block.pod, preemptors).best;
    const autoscaler = autoscalerStatements(examination, blocks);
    const facts = {
      ...waitingFactsOf(examination, blocks),
      ...autoscaler.facts,
      preempted: preemptions.map(({ pod, node, at }) => ({ pod, node, at })),
      preemptors: preemptors.map((pod) => preemptorFacts(examination, pod)),
      priority: priorityOf(block.pod),
      fitsWithout: opened && {
        node: opened.node,
        pods: opened.remove.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
      },
    };
    const near = nearestOf(
      nodesOf(blocks).filter(({ standing }) => standing === 'held'),
      nearestShown,
    );
    return waitingFinding(examination, blocks, {
      facts,
      summary: state('summary', {
        workload: workloadName(snapshot),
        pods: preemptions.length,
        by: [...new Set(facts.preemptors.map(({ workload }) => workload))],
      }),
      nodes: [...new Set(preemptions.flatMap(({ node }) => node ?? []))],
      holders: preemptors.map(refOf),
      reasoning: [
        ...facts.preempted.slice(0, 5).map(({ pod, node, at }) => state('evicted', { pod, node, at })),
        ...preemptorStatements(preemptions, facts),
        state('replacement', {
          pods: blocks.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.name)),
        }),
        ...near.map(({ name, reasons }) =>
          waiting('node-lacks', { node: name, refusals: refusalsOf(reasons) }),
        ),
        ...(facts.fitsWithout === undefined ? [] : [counterfactual(block.pod, facts.fitsWithout)]),
        state('budget-no-help'),
        ...autoscaler.reasoning,
      ],
      evidence: [...evidenceOf(preemptions, preemptors), ...autoscaler.evidence],
      ruledOut: [
        ...ruledOutByWaiting(examination, block),
        { cause: 'scale-up-pending', because: state('because-was-running', { pods: preemptions.length }) },
        { cause: 'insufficient-capacity', because: state('because-taken') },
        { cause: 'waiting-for-autoscaler', because: waiting('because-no-order') },
      ],
      advice: adviceFor(examination, preemptors),
      weakenedBy:
        preemptors.length === 0
          ? [state('not-resolved')]
          : opened === undefined
            ? [state('no-counterfactual')]
            : [],
    });
  },
};

/** The waiting pods that came after the first loss and find nodes merely full. */
function replacementsOf(
  examination: Examination,
  preemptions: readonly Preemption[],
): readonly [Block, ...Block[]] | undefined {
  const [earliest] = preemptions;
  if (earliest === undefined) return undefined;
  const since = Date.parse(earliest.at) - clockSlackMs;
  const [first, ...rest] = blocksOf(examination).filter(
    ({ why, pods }) =>
      why.kind === 'held' && pods.some(({ metadata }) => (epochOf(metadata.creationTimestamp) ?? 0) >= since),
  );
  return first === undefined ? undefined : [first, ...rest];
}

/** Creation times have a resolution of one second, events of a microsecond. */
const clockSlackMs = 2000;

function preemptorFacts({ snapshot }: Examination, pod: Pod) {
  const { kind, namespace, name } = ownerOf(snapshot.index, pod);
  return {
    pod: pod.metadata.name,
    workload: `${namespace}/${name}`,
    kind,
    priority: priorityOf(pod),
  };
}

type Facts = FactsOf<typeof PreemptedFacts>;

function preemptorStatements(
  preemptions: readonly Preemption[],
  { preemptors, priority: own }: Facts,
): readonly Statement[] {
  const unknown = preemptions.find(({ preemptor }) => preemptor === undefined);
  return [
    ...preemptors.map((each) => state('preemptor', { ...each, own })),
    ...(unknown === undefined ? [] : [state('preemptor-gone', { uid: unknown.preemptorUid })]),
  ];
}

function nameOf({ snapshot }: Examination, pod: Pod): string {
  const { namespace, name } = ownerOf(snapshot.index, pod);
  return `${namespace}/${name}`;
}

function counterfactual(pod: Pod, { node, pods }: NonNullable<Facts['fitsWithout']>): Statement {
  return inRole(
    'conclusion',
    waiting('counterfactual', {
      pod: pod.metadata.name,
      without: pods,
      node,
    }),
  );
}

function evidenceOf(preemptions: readonly Preemption[], preemptors: readonly Pod[]): readonly Evidence[] {
  return [
    ...preemptions.slice(0, 10).flatMap(({ event, victim, pod, at }): readonly Evidence[] => {
      if (event !== undefined) {
        return [
          {
            object: { kind: 'Event', namespace: event.metadata.namespace, name: event.metadata.name },
            field: 'message',
            value: event.message,
            at,
            says: state('ev-event', { pod }),
          },
        ];
      }
      if (victim === undefined) return [];
      return [
        {
          object: refOf(victim),
          field: 'status.conditions[DisruptionTarget]',
          value: 'PreemptionByScheduler',
          at,
          says: state('ev-condition', { pod }),
        },
      ];
    }),
    ...preemptors.slice(0, 5).map(
      (pod): Evidence => ({
        object: refOf(pod),
        field: 'spec.priority',
        value: String(priorityOf(pod)),
        says: state('ev-preemptor', { pod: pod.metadata.name }),
      }),
    ),
  ];
}

function adviceFor(examination: Examination, preemptors: readonly Pod[]): readonly Advice[] {
  const [first] = preemptors;
  if (first === undefined) return [];
  const highest = greatestOf(preemptors.map(priorityOf));
  return [
    {
      title: state('advice-priority-title'),
      text: state('advice-priority', { priority: highest }),
      snippet: `spec:
  template:
    spec:
      # a class whose value is at least ${highest}
      priorityClassName: as-important
`,
    },
    {
      title: state('advice-polite-title'),
      text: state('advice-polite', {
        preemptors: [...new Set(preemptors.map((pod) => nameOf(examination, pod)))],
      }),
      snippet: `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: ${first.spec.priorityClassName ?? 'important'}-without-evicting
value: ${highest}
preemptionPolicy: Never
`,
    },
  ];
}

function distinct(pods: readonly Pod[]): readonly Pod[] {
  return [...new Map(pods.map((pod) => [podKey(pod), pod])).values()].sort(byPodName);
}
