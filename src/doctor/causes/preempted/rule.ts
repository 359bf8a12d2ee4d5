import * as z from 'zod';
import { greatestOf } from '../../../engine/collections/collections.js';
import { code, moment, say, word } from '../../../engine/language/prose.js';
import { inRole, type Statement, statementsOf } from '../../../engine/language/statement.js';
import { counted, names } from '../../../engine/language/words.js';
import { ownerOf } from '../../../engine/neighbours/owned-pods.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { byPodName, podKey, refOf } from '../../../engine/objects/pod.js';
import { workloadKinds } from '../../../engine/objects/workload.js';
import { priorityOf } from '../../../engine/scheduler/pod-defaults.js';
import { epochOf } from '../../../engine/workloads/creation-order.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import { type Advice, type Evidence, eventEvidence } from '../../findings/finding.js';
import type { Examination, Rule } from '../../findings/rule.js';
import { waitingNeeds } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { type Block, blocksOf, nearestOf, nodesOf, waitingFactsOf } from '../../findings/waiting/block.js';
import { waitingFacts } from '../../findings/waiting/facts.js';
import { autoscalerStatements, ruledOutByWaiting, waitingFinding } from '../../findings/waiting/finding.js';
import { refusalsOf } from '../../findings/waiting/refusal.js';
import { waiting } from '../../findings/waiting/text.js';
import { type Preemption, preemptionsOf, undecidedPreemption } from './preemptions.js';

const en = {
  'shared-failure': () => say`pods were preempted`,
  summary: ({ workload, pods, by }: { workload: string; pods: number; by: readonly string[] }) =>
    by.length === 0
      ? say`${counted(pods, 'pod', 'pods')} of ${code(workload)} ${word(pods === 1 ? 'was' : 'were')} preempted by pods of higher priority and cannot be replaced`
      : say`${counted(pods, 'pod', 'pods')} of ${code(workload)} ${word(pods === 1 ? 'was' : 'were')} preempted by ${names('en', by, 3)} (higher priority)`,
  evicted: ({ pod, node, at }: { pod: string; node: string | undefined; at: string }) =>
    node === undefined
      ? say`At ${moment(at)} the scheduler preempted ${code(pod)}.`
      : say`At ${moment(at)} the scheduler preempted ${code(pod)} on ${code(node)}.`,
  preemptor: (values: { pod: string; workload: string; kind: string; priority: number; own: number }) =>
    say`The scheduler made room for ${code(values.pod)} of ${code(values.workload)} (${code(values.kind)}), with priority ${values.priority} against ${values.own}.`,
  'preemptor-gone': ({ uid }: { uid: string | undefined }) =>
    uid === undefined
      ? say`Kubernetes does not record which pod the scheduler made room for.`
      : say`The preempting pod (uid ${code(uid)}) is not among the objects that were read.`,
  replacement: ({ pods }: { pods: readonly string[] }) =>
    say`${names('en', pods, 4)} ${word(pods.length === 1 ? 'replaces' : 'replace')} the lost ${word(pods.length === 1 ? 'pod' : 'pods')} and ${word(pods.length === 1 ? 'is' : 'are')} pending.`,
  'budget-no-help': () =>
    say`A PodDisruptionBudget does not prevent preemption. The scheduler only tries to respect it.`,
  'ev-event': ({ pod }: { pod: string }) => say`the scheduler preempted ${code(pod)}`,
  'ev-condition': ({ pod }: { pod: string }) => say`the scheduler chose ${code(pod)} as a victim`,
  'ev-preemptor': ({ pod }: { pod: string }) => say`priority of ${code(pod)}`,
  'because-was-running': ({ pods }: { pods: number }) =>
    say`${counted(pods, 'pod of the same replicas was', 'pods of the same replicas were')} running before`,
  'because-taken': () => say`the capacity was there until the preemption`,
  'not-resolved': () =>
    say`The preempting pods were not found, so it is not proven that they use the capacity.`,
  'no-counterfactual': () =>
    say`Even without the preempting pods the replacement would not fit. Other pods have used the capacity since.`,
  'advice-priority-title': () => say`Raise the priority of these pods`,
  'advice-priority': ({ priority }: { priority: number }) =>
    say`With priority ${priority} or higher, those pods cannot preempt these. The change starts a rollout, and these pods then preempt others.`,
  'advice-polite-title': () => say`Or disable preemption for the other workload`,
  'advice-polite': ({ preemptors }: { preemptors: readonly string[] }) =>
    say`With ${code('preemptionPolicy: Never')}, pods of ${names('en', preemptors, 3)} keep their place in the queue and preempt no other pods.`,
};

const ko: typeof en = {
  'shared-failure': () => say`파드가 선점됨(preemption)`,
  summary: ({ workload, pods, by }) =>
    by.length === 0
      ? say`${code(workload)} 파드 ${pods}개가 우선순위가 더 높은 파드에 선점되었고 대체할 용량이 없습니다`
      : say`${code(workload)} 파드 ${pods}개가 선점되었습니다: 우선순위가 더 높은 ${names('ko', by, 3)}`,
  evicted: ({ pod, node, at }) =>
    node === undefined
      ? say`${moment(at)}에 스케줄러가 ${code(pod)} 파드를 선점했습니다.`
      : say`${moment(at)}에 스케줄러가 ${code(node)} 노드의 ${code(pod)} 파드를 선점했습니다.`,
  preemptor: ({ pod, workload, kind, priority, own }) =>
    say`스케줄러가 ${code(workload)}(${code(kind)})의 ${code(pod)} 파드를 배치하기 위해 선점했습니다. 우선순위는 ${priority} 대 ${own}입니다.`,
  'preemptor-gone': ({ uid }) =>
    uid === undefined
      ? say`어떤 파드를 위한 선점이었는지는 기록되지 않았습니다.`
      : say`선점한 파드(uid ${code(uid)})는 읽은 오브젝트 중에 없습니다.`,
  replacement: ({ pods }) => say`사라진 파드를 대체할 ${names('ko', pods, 4)} 파드가 Pending 상태입니다.`,
  'budget-no-help': () =>
    say`PodDisruptionBudget은 선점을 막지 못합니다. 스케줄러는 가능한 한 지키려고 할 뿐입니다.`,
  'ev-event': ({ pod }) => say`스케줄러가 ${code(pod)} 파드를 선점함`,
  'ev-condition': ({ pod }) => say`${code(pod)} 파드가 선점 대상으로 선택됨`,
  'ev-preemptor': ({ pod }) => say`${code(pod)} 파드의 우선순위`,
  'because-was-running': ({ pods }) => say`같은 복제본의 파드 ${pods}개가 전에 실행 중이었음`,
  'because-taken': () => say`선점되기 전까지는 용량이 있었음`,
  'not-resolved': () =>
    say`선점한 파드를 찾지 못해, 그 파드가 용량을 사용하고 있다는 것은 증명되지 않았습니다.`,
  'no-counterfactual': () =>
    say`선점한 파드가 없어도 대체 파드를 배치할 수 없습니다. 그 뒤로 다른 파드가 용량을 사용했습니다.`,
  'advice-priority-title': () => say`이 파드의 우선순위 높이기`,
  'advice-priority': ({ priority }) =>
    say`우선순위가 ${priority} 이상이면 그 파드들이 선점할 수 없습니다. 변경하면 롤아웃이 시작되고, 이 파드가 다른 파드를 선점하게 됩니다.`,
  'advice-polite-title': () => say`또는 상대 워크로드의 선점 끄기`,
  'advice-polite': ({ preemptors }) =>
    say`${code('preemptionPolicy: Never')} 설정을 쓰면 ${names('ko', preemptors, 3)} 파드는 대기열 순서는 유지하지만 다른 파드를 선점하지 않습니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('preempted');

const PreemptedFacts = z.strictObject({
  ...waitingFacts,
  preempted: z
    .array(
      z.strictObject({
        pod: fact.text('Name of the pod'),
        node: fact.text('Its node').optional(),
        at: fact.time('When it was preempted'),
      }),
    )
    .describe('Pods that the scheduler preempted in the last hour'),
  preemptors: z
    .array(
      z.strictObject({
        pod: fact.text('Name of the pod'),
        workload: fact.text('Its workload, as `namespace/name`'),
        kind: fact.text('Kind of the workload'),
        priority: fact.number('Its priority'),
      }),
    )
    .describe('Pods that took their place, as far as they are known'),
  priority: fact.number('Priority of the waiting pods'),
  fitsWithout: z
    .strictObject({
      node: fact.text('Name of the node'),
      pods: fact.names('The preemptors, as `namespace/name`'),
    })
    .describe('Where a waiting pod fits without preemptors')
    .optional(),
});

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
  undecidedBy: undecidedPreemption,
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
      nodesOf(blocks).filter(({ refusal }) => refusal === 'held'),
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
  return { pod: pod.metadata.name, workload: `${namespace}/${name}`, kind, priority: priorityOf(pod) };
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
  return inRole('conclusion', waiting('counterfactual', { pod: pod.metadata.name, without: pods, node }));
}

function evidenceOf(preemptions: readonly Preemption[], preemptors: readonly Pod[]): readonly Evidence[] {
  return [
    ...preemptions.slice(0, 10).flatMap(({ event, victim, pod, at }): readonly Evidence[] => {
      if (event !== undefined) return eventEvidence(event, state('ev-event', { pod }), at);
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
