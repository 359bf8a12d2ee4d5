import * as z from 'zod';
import { code, quote, say, word } from '../../engine/language/prose.js';
import { statementsOf } from '../../engine/language/statement.js';
import { counted, elapsed, isAtLeastOneSecond, names } from '../../engine/language/words.js';
import { gangOf } from '../../engine/neighbours/pod-gang.js';
import { conditionOf } from '../../engine/objects/metadata.js';
import { hasNode, isActive, type Pod, refOf } from '../../engine/objects/pod.js';
import { nowOf } from '../../engine/objects/snapshot.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import { rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { fact } from '../findings/facts.js';
import type { Evidence, RuledOut } from '../findings/finding.js';
import { readinessOf } from '../findings/readiness-of.js';
import type { Detected, Examination, Rule } from '../findings/rule.js';
import { waitingNeeds } from '../findings/rule.js';
import { longestRefusedSeconds, refusedSince, workloadName } from '../findings/stuck-rollout.js';
import { blocksOf } from '../findings/waiting/block.js';
import { isExplained } from '../findings/waiting/cause-of.js';
import { pluginWords } from '../findings/waiting/sentence.js';
import { waiting } from '../findings/waiting/text.js';

const en = {
  'shared-failure': () => say`a scheduler refuses pods`,
  summary: ({ workload, pods, scheduler }: { workload: string; pods: number; scheduler: string }) =>
    say`${code(workload)}: ${code(scheduler)} refuses ${counted(pods, 'pod', 'pods')} for a reason that could not be checked`,
  standing: ({ forSeconds }: { forSeconds: number | undefined; ready: number; wanted: number }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`The pods are pending.`
      : say`The pods have been pending for ${elapsed('en', forSeconds)}.`,
  said: ({ scheduler, words }: { scheduler: string; words: string }) =>
    say`${code(scheduler)} reports: ${quote(words)}`,
  fits: ({ pod, nodes }: { pod: string; nodes: readonly string[] }) =>
    say`By the rules of kube-scheduler, ${code(pod)} fits on ${names('en', nodes, 3)}. The refusal comes from a plugin, an extender or an error of this scheduler.`,
  group: (values: { podGroup: string; minMember: number; members: number; scheduled: number }) =>
    say`The PodGroup ${code(values.podGroup)} needs at least ${counted(values.minMember, 'pod', 'pods')} (minMember). ${counted(values.members, 'pod exists', 'pods exist')}, of which ${values.scheduled} ${word(values.scheduled === 1 ? 'has' : 'have')} a node.`,
  unchecked: ({ pod }: { pod: string }) =>
    say`The objects that were read neither confirm nor refute this reason for ${code(pod)}.`,
  'ev-refused': ({ scheduler }: { scheduler: string }) => say`message of ${code(scheduler)}`,
  'not-simulated': () => say`The simulation does not cover the plugin or scheduler that gives this reason.`,
  'because-fits': ({ nodes }: { nodes: readonly string[] }) =>
    say`the requests fit on ${names('en', nodes, 3)}`,
  'restart-withheld': () => say`New pods are refused for the same reason.`,
  'next-attempt': ({ scheduler }: { scheduler: string }) => say`When ${code(scheduler)} tries the pod again.`,
  'advice-title': ({ scheduler }: { scheduler: string }) => say`Check the plugins of ${code(scheduler)}`,
  advice: ({ scheduler }: { scheduler: string }) =>
    say`Search the configuration and the logs of ${code(scheduler)} for this message. The documentation of the plugin states what it checks.`,
};

const ko: typeof en = {
  'shared-failure': () => say`스케줄러가 파드를 거부함`,
  summary: ({ workload, pods, scheduler }) =>
    say`${code(workload)}: ${code(scheduler)} 스케줄러가 확인할 수 없는 이유로 파드 ${pods}개를 거부합니다`,
  standing: ({ forSeconds }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`파드가 Pending 상태입니다.`
      : say`파드가 ${elapsed('ko', forSeconds)}째 Pending 상태입니다.`,
  said: ({ scheduler, words }) => say`${code(scheduler)} 메시지: ${quote(words)}`,
  fits: ({ pod, nodes }) =>
    say`kube-scheduler 규칙으로는 ${code(pod)} 파드를 ${names('ko', nodes, 3)} 노드에 배치할 수 있습니다. 거부의 원인은 이 스케줄러의 플러그인, 익스텐더 또는 오류입니다.`,
  group: ({ podGroup, minMember, members, scheduled }) =>
    say`PodGroup ${code(podGroup)}에는 파드가 최소 ${minMember}개(minMember) 필요합니다. 지금은 ${members}개가 있고 그중 ${scheduled}개가 노드에 배치되었습니다.`,
  unchecked: ({ pod }) =>
    say`읽은 오브젝트만으로는 ${code(pod)} 파드에 대한 이 이유가 맞는지 확인할 수 없습니다.`,
  'ev-refused': ({ scheduler }) => say`${code(scheduler)} 스케줄러의 메시지`,
  'not-simulated': () => say`시뮬레이션에는 이 이유를 보고하는 플러그인이나 스케줄러가 포함되지 않습니다.`,
  'because-fits': ({ nodes }) => say`요청량으로는 ${names('ko', nodes, 3)} 노드에 배치할 수 있음`,
  'restart-withheld': () => say`새 파드도 같은 이유로 거부됩니다.`,
  'next-attempt': ({ scheduler }) =>
    say`${code(scheduler)} 스케줄러가 파드 배치를 다시 시도할 때 진행됩니다.`,
  'advice-title': ({ scheduler }) => say`${code(scheduler)} 플러그인 확인하기`,
  advice: ({ scheduler }) =>
    say`${code(scheduler)} 설정과 로그에서 이 메시지를 검색하세요. 무엇을 검사하는지는 그 플러그인의 문서에 나와 있습니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('scheduler-refusal');

const SchedulerRefusalFacts = z.strictObject({
  scheduler: fact.text('Name of the scheduler'),
  pods: fact.names('Pods that it refuses'),
  waitingSeconds: fact.seconds('Time since it refused the pod that waits longest').optional(),
  reports: fact.names('What it reports, without what the filters of kube-scheduler explain'),
  gang: z
    .strictObject({
      podGroup: fact.text('Its name, in the namespace of the pods'),
      minMember: fact.count('Pods that the scheduler starts together at least'),
      members: fact.count('Pods of the group that exist'),
      scheduled: fact.count('Those of them that have a node'),
    })
    .describe('The PodGroup of the first pod; absent where it has none, or where its minimum is not known')
    .optional(),
  fittingNodes: fact.names('Nodes on which the filters of kube-scheduler find room'),
});

/**
 * The scheduler refuses pods in words that are not kube-scheduler's own, and nothing that is simulated
 * refuses them: a plugin, an extender, another scheduler, or an error. The words are quoted, and no more is
 * claimed.
 */
export const schedulerRefusal: Rule<typeof SchedulerRefusalFacts> = {
  id: 'scheduler-refusal',
  facts: SchedulerRefusalFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: waitingNeeds,
  supersedes: ['progress-deadline-exceeded'],
  detect(examination) {
    const explained = new Set(
      blocksOf(examination)
        .filter((block) => isExplained(examination, block))
        .flatMap(({ pods }) => [...pods]),
    );
    const [first, ...more] = rolloutStateOf(examination.snapshot).pods.filter(
      (pod) => !explained.has(pod) && isRefusedInForeignWords(examination, pod),
    );
    return first === undefined ? undefined : findingOf(examination, [first, ...more]);
  },
};

/** Plugins that wait for a whole group of pods refuse the first ones for some seconds. */
const patienceMs = 30_000;

function isRefusedInForeignWords({ snapshot, placement }: Examination, pod: Pod): boolean {
  if (!isActive(pod) || hasNode(pod) || (pod.status.nominatedNodeName ?? '') !== '') return false;
  if (nowOf(snapshot) - Date.parse(refusedSince(pod) ?? '') < patienceMs) return false;
  return pluginWords(pod).length > 0 && placement.evaluate(pod).outcome !== 'refused';
}

type Refused = readonly [Pod, ...Pod[]];

const shownPods = 5;
const shownWords = 5;

function findingOf(
  { snapshot, placement }: Examination,
  pods: Refused,
): Detected<typeof SchedulerRefusalFacts> {
  const ready = readinessOf(snapshot);
  const [pod] = pods;
  const scheduler = pod.spec.schedulerName;
  const evaluation = placement.evaluate(pod);
  const nodes =
    evaluation.outcome === 'fits'
      ? evaluation.nodes.filter(({ outcome }) => outcome === 'fits').map(({ node }) => node)
      : [];
  const reports = [...new Set(pods.flatMap((each) => [...pluginWords(each)]))].slice(0, shownWords);
  const gang = gangOf(snapshot.index, pod);
  const facts = {
    scheduler,
    pods: pods.map(({ metadata }) => metadata.name),
    waitingSeconds: longestRefusedSeconds(snapshot, pods),
    reports,
    fittingNodes: nodes,
    ...(gang === undefined
      ? {}
      : {
          gang: {
            podGroup: gang.name,
            minMember: gang.minMember,
            members: gang.members.length,
            scheduled: gang.scheduled,
          },
        }),
  };
  return {
    confidence: 'possible',
    facts,
    summary: state('summary', { workload: workloadName(snapshot), pods: facts.pods.length, scheduler }),
    standing: state('standing', {
      forSeconds: facts.waitingSeconds,
      ready: ready.pods,
      wanted: ready.wanted,
    }),
    reasoning: [
      ...reports.map((each) => state('said', { scheduler, words: each })),
      ...(facts.gang === undefined ? [] : [state('group', facts.gang)]),
      nodes.length > 0
        ? state('fits', { pod: pod.metadata.name, nodes })
        : state('unchecked', { pod: pod.metadata.name }),
    ],
    evidence: pods.slice(0, shownPods).map((each) => evidenceOf(each)),
    ruledOut: ruledOutOf(nodes),
    nextAttempt: { what: state('next-attempt', { scheduler }) },
    withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
    advice: [{ title: state('advice-title', { scheduler }), text: state('advice', { scheduler }) }],
    weakenedBy: [state('not-simulated')],
  };
}

function evidenceOf(pod: Pod): Evidence {
  const at = refusedSince(pod);
  return {
    object: refOf(pod),
    field: 'status.conditions[PodScheduled]',
    value: conditionOf(pod.status, 'PodScheduled')?.message ?? '',
    ...(at === undefined ? {} : { at }),
    says: state('ev-refused', { scheduler: pod.spec.schedulerName }),
  };
}

function ruledOutOf(nodes: readonly string[]): readonly RuledOut[] {
  return [
    ...(nodes.length === 0
      ? []
      : [{ cause: 'insufficient-capacity', because: state('because-fits', { nodes }) }]),
    { cause: 'scheduling-gated', because: waiting('because-tried') },
  ];
}
