import * as z from 'zod';
import type { SameSentences } from '../../../engine/language/catalogue.js';
import { code, moment, say, word } from '../../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../../engine/language/statement.js';
import { counted, elapsed, isAtLeastOneSecond, names } from '../../../engine/language/words.js';
import type { ManagedFieldsEntry, ObjectRef } from '../../../engine/objects/metadata.js';
import { refOf } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { workloadKinds } from '../../../engine/objects/workload.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Advice, Evidence, Fixes, RuledOut } from '../../findings/finding.js';
import { readinessOf } from '../../findings/readiness-of.js';
import { rollBackOf } from '../../findings/roll-back.js';
import type { Detected, Examination, Rule } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { ownPods } from '../../findings/waiting/predecessors.js';
import { nothingOffered } from '../../fixes/offered-fields.js';
import { type Inaction, inactionsOf, newestTime, writesSpec } from './inaction.js';

type Counted = {
  readonly kind: string;
  readonly name: string;
  readonly counted: number;
  readonly actual: number;
  readonly since: string;
};

const en = {
  'shared-failure': () => say`the control plane does not act`,
  'summary-controller': ({
    workload,
    controller,
  }: {
    readonly workload: string;
    readonly controller: string;
  }) => say`${code(workload)}: the ${code(controller)} controller has not acted on the last change`,
  'summary-scheduler': ({
    workload,
    pods,
    scheduler,
  }: {
    readonly workload: string;
    readonly pods: number;
    readonly scheduler: string;
  }) =>
    say`${code(workload)}: the scheduler ${code(scheduler)} has not tried to place ${counted(pods, 'pod', 'pods')}`,
  standing: ({
    forSeconds,
  }: {
    readonly forSeconds: number | undefined;
    readonly ready: number;
    readonly wanted: number;
  }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`The rollout is waiting for the control plane.`
      : say`The rollout has been waiting ${elapsed('en', forSeconds)} for the control plane.`,
  'not-observed': ({
    kind,
    name,
    generation,
    observed,
  }: {
    readonly kind: string;
    readonly name: string;
    readonly generation: number;
    readonly observed: number;
  }) =>
    say`${code(kind)} ${code(name)} has generation ${generation}, and its controller has observed generation ${observed} (${code('status.observedGeneration')}).`,
  'changed-at': ({ at }: { readonly at: string }) =>
    say`The spec was last changed ${moment(at)}. A controller observes a change within seconds.`,
  'changed-unknown': ({ newest }: { readonly newest: string | undefined }) =>
    newest === undefined
      ? say`The objects do not show when the spec was changed.`
      : say`The objects do not show when the spec was changed. No object that was read is newer than ${moment(newest)}.`,
  'not-counted-pods': ({ kind, name, counted: shown, actual, since }: Counted) =>
    say`The status of ${code(kind)} ${code(name)} counts ${counted(shown, 'pod', 'pods')}, but ${actual} exist. The first pod that is not counted was created ${moment(since)}.`,
  'not-counted-ready': ({ kind, name, counted: shown, actual, since }: Counted) =>
    say`The status of ${code(kind)} ${code(name)} counts ${counted(shown, 'ready pod', 'ready pods')}, but ${actual} are ready. The first pod that is not counted became ready ${moment(since)}.`,
  'not-scheduled': ({ pods, since }: { readonly pods: readonly string[]; readonly since: string }) =>
    say`${names('en', pods)} ${word(pods.length === 1 ? 'has' : 'have')} no node, no ${code('PodScheduled')} condition and no event of a scheduler since ${moment(since)}. A scheduler tries a new pod within seconds.`,
  'asks-for': ({ scheduler }: { readonly scheduler: string }) =>
    say`${code('spec.schedulerName')} is ${code(scheduler)}.`,
  'placed-none': ({ scheduler }: { readonly scheduler: string }) =>
    say`No pod that was read has a node and names ${code(scheduler)}. No object shows that a scheduler of this name is running.`,
  'placed-some': ({ scheduler }: { readonly scheduler: string }) =>
    say`Other pods that name ${code(scheduler)} have a node, so this scheduler has worked before.`,
  'runs-in-manager': () =>
    say`Kubernetes runs the controllers of Deployments, ReplicaSets, StatefulSets and DaemonSets in ${code('kube-controller-manager')}.`,
  'ev-generation': ({ generation }: { readonly generation: number }) =>
    say`the object has generation ${generation}`,
  'ev-changed': () => say`last change of the spec`,
  'ev-counted': ({ actual }: { readonly actual: number }) => say`${actual} exist in this state`,
  'ev-untried': () => say`no scheduler has set this condition`,
  'other-explanations': ({ who }: { readonly who: string }) =>
    say`${code(who)} may be down, lack write permission, or be far behind. The objects do not show which.`,
  'time-unknown': () => say`The change may also be very recent.`,
  'because-not-observed': () => say`the controller has not observed the last change, paused or not`,
  'because-not-tried': () => say`no scheduler has tried any node for the pods`,
  'because-no-gates': () => say`the pods have no scheduling gates`,
  'restart-withheld': ({ who }: { readonly who: string }) =>
    say`A restart only adds one more change that waits for ${code(who)}.`,
  'next-attempt': ({ who }: { readonly who: string }) =>
    say`As soon as ${code(who)} works again. The workload needs no change.`,
  'advice-component-title': ({ component }: { readonly component: string }) => say`Check ${code(component)}`,
  'advice-component': ({ component }: { readonly component: string }) =>
    say`Check that ${code(component)} runs, renews its lease and logs no errors. On a managed cluster, ask the provider.`,
  'advice-name-title': ({ scheduler }: { readonly scheduler: string }) =>
    say`Check the scheduler ${code(scheduler)}`,
  'advice-name': ({ scheduler }: { readonly scheduler: string }) =>
    say`Check that ${code(scheduler)} is installed and runs. If the name is a mistake, correct ${code('spec.schedulerName')} in the pod template.`,
};

const ko: SameSentences<typeof en> = {
  'shared-failure': () => say`컨트롤 플레인이 동작하지 않음`,
  'summary-controller': ({ workload, controller }) =>
    say`${code(workload)}: ${code(controller)} 컨트롤러가 마지막 변경을 처리하지 않았습니다`,
  'summary-scheduler': ({ workload, pods, scheduler }) =>
    say`${code(workload)}: ${code(scheduler)} 스케줄러가 파드 ${pods}개의 배치를 시도하지 않았습니다`,
  standing: ({ forSeconds }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`롤아웃이 컨트롤 플레인을 기다립니다.`
      : say`롤아웃이 ${elapsed('ko', forSeconds)}째 컨트롤 플레인을 기다립니다.`,
  'not-observed': ({ kind, name, generation, observed }) =>
    say`${code(kind)} ${code(name)}의 generation은 ${generation}인데, 컨트롤러가 확인한 것은 ${observed}입니다(${code('status.observedGeneration')}).`,
  'changed-at': ({ at }) =>
    say`spec이 마지막으로 바뀐 시각은 ${moment(at)}입니다. 컨트롤러는 보통 몇 초 안에 확인합니다.`,
  'changed-unknown': ({ newest }) =>
    newest === undefined
      ? say`spec이 언제 바뀌었는지는 오브젝트에 없습니다.`
      : say`spec이 언제 바뀌었는지는 오브젝트에 없습니다. 읽은 것 중 가장 최근 시각은 ${moment(newest)}입니다.`,
  'not-counted-pods': ({ kind, name, counted: shown, actual, since }) =>
    say`${code(kind)} ${code(name)}의 status에는 파드가 ${shown}개인데 실제로는 ${actual}개입니다. 세지 않은 첫 파드는 ${moment(since)}에 만들어졌습니다.`,
  'not-counted-ready': ({ kind, name, counted: shown, actual, since }) =>
    say`${code(kind)} ${code(name)}의 status에는 준비된 파드가 ${shown}개인데 실제로는 ${actual}개입니다. 세지 않은 첫 파드는 ${moment(since)}에 준비되었습니다.`,
  'not-scheduled': ({ pods, since }) =>
    say`${names('ko', pods)} 파드는 ${moment(since)}부터 노드도, ${code('PodScheduled')} 컨디션도, 스케줄러 이벤트도 없습니다. 스케줄러는 보통 몇 초 안에 새 파드의 배치를 시도합니다.`,
  'asks-for': ({ scheduler }) => say`${code('spec.schedulerName')}: ${code(scheduler)}.`,
  'placed-none': ({ scheduler }) =>
    say`읽은 파드 중 ${code(scheduler)} 스케줄러를 지정하고 노드에 배치된 파드가 없습니다. 이 이름의 스케줄러가 실행 중이라는 증거가 없습니다.`,
  'placed-some': ({ scheduler }) =>
    say`${code(scheduler)} 스케줄러를 지정한 다른 파드는 노드에 배치되었으므로, 이 스케줄러는 이전에 동작했습니다.`,
  'runs-in-manager': () =>
    say`Deployment, ReplicaSet, StatefulSet, DaemonSet 컨트롤러는 ${code('kube-controller-manager')}에서 실행됩니다.`,
  'ev-generation': ({ generation }) => say`오브젝트의 generation은 ${generation}`,
  'ev-changed': () => say`spec의 마지막 변경`,
  'ev-counted': ({ actual }) => say`실제로는 ${actual}개`,
  'ev-untried': () => say`이 컨디션을 설정한 스케줄러 없음`,
  'other-explanations': ({ who }) =>
    say`${code(who)} 구성 요소가 중단되었거나, 쓰기 권한이 없거나, 처리가 크게 밀려 있을 수 있습니다. 어느 쪽인지는 오브젝트에 나타나지 않습니다.`,
  'time-unknown': () => say`방금 변경된 것일 수도 있습니다.`,
  'because-not-observed': () => say`일시 중지와 관계없이 컨트롤러가 마지막 변경을 확인하지 않음`,
  'because-not-tried': () => say`어느 스케줄러도 이 파드의 배치를 시도하지 않음`,
  'because-no-gates': () => say`파드에 스케줄링 게이트 없음`,
  'restart-withheld': ({ who }) => say`재시작해도 ${code(who)} 처리를 기다리는 변경이 하나 늘어날 뿐입니다.`,
  'next-attempt': ({ who }) =>
    say`${code(who)} 구성 요소가 다시 동작하면 바로 진행됩니다. 워크로드는 변경할 필요가 없습니다.`,
  'advice-component-title': ({ component }) => say`${code(component)} 확인하기`,
  'advice-component': ({ component }) =>
    say`${code(component)} 구성 요소가 실행 중인지, 리스를 갱신하는지, 로그에 오류가 없는지 확인하세요. 관리형 클러스터라면 제공업체에 문의하세요.`,
  'advice-name-title': ({ scheduler }) => say`${code(scheduler)} 스케줄러 확인하기`,
  'advice-name': ({ scheduler }) =>
    say`${code(scheduler)} 스케줄러가 설치되어 실행 중인지 확인하세요. 이름이 틀렸다면 파드 템플릿의 ${code('spec.schedulerName')} 값을 고치세요.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('control-plane-not-acting');

const ControlPlaneNotActingFacts = z.strictObject({
  component: fact.text('`kube-controller-manager`, or the name of the scheduler'),
  inactions: z
    .array(
      z.strictObject({
        kind: fact.oneOf(
          ['not-observed', 'not-counted', 'not-scheduled'],
          'A controller did not observe a change, or did not count pods, or no scheduler tried a pod',
        ),
        object: fact.text('The object that the controller keeps, as `Kind/name`').optional(),
        generation: fact.count('Its generation').optional(),
        observed: fact.count('The generation that its status is about').optional(),
        what: fact.oneOf(['pods', 'ready-pods'], 'What was not counted').optional(),
        counted: fact.count('The number in its status').optional(),
        actual: fact.count('The number of pods').optional(),
        scheduler: fact.text('The scheduler that the pods name').optional(),
        pods: fact.names('The pods that were not tried').optional(),
        hasPlaced: fact.flag('This scheduler has placed other pods').optional(),
        since: fact.time('Since when').optional(),
      }),
    )
    .describe('What was not done'),
  longestSeconds: fact.seconds('The longest of these times').optional(),
});

/**
 * Nothing is wrong with the workload: a controller or the scheduler has not acted for minutes.
 * `status.observedGeneration`, counts in the status, and pods that no scheduler has tried show it.
 */
export const controlPlaneNotActing: Rule<typeof ControlPlaneNotActingFacts> = {
  id: 'control-plane-not-acting',
  facts: ControlPlaneNotActingFacts,
  text,
  origin: 'surroundings',
  appliesTo: workloadKinds,
  needs: ['ReplicaSet', 'Pod', 'Event', 'HorizontalPodAutoscaler'],
  supersedes: ['progress-deadline-exceeded'],
  detect(examination) {
    const [first, ...more] = inactionsOf(examination.snapshot);
    return first === undefined ? undefined : findingOf(examination, [first, ...more]);
  },
};

type Inactions = readonly [Inaction, ...Inaction[]];

function findingOf(
  examination: Examination,
  inactions: Inactions,
): Detected<typeof ControlPlaneNotActingFacts> {
  const { snapshot } = examination;
  const [first] = inactions;
  const ready = readinessOf(snapshot);
  const who = first.kind === 'not-scheduled' ? first.scheduler : 'kube-controller-manager';
  const facts = {
    component: who,
    inactions: inactions.map(inactionFacts),
    longestSeconds: longestOf(snapshot, inactions),
  };
  const back = rollBackFrom(examination, first);
  const isUndated = inactions.every((each) => each.since === undefined);
  return {
    confidence: isUndated ? 'possible' : 'likely',
    facts,
    summary: summaryOf(snapshot, first),
    standing: state('standing', {
      forSeconds: facts.longestSeconds,
      ready: ready.pods,
      wanted: ready.wanted,
    }),
    reasoning: [
      ...inactions.flatMap((each) => reasoningOf(snapshot, each)),
      ...(inactions.some((each) => each.kind !== 'not-scheduled') ? [state('runs-in-manager')] : []),
    ],
    evidence: inactions.flatMap((each) => evidenceOf(snapshot, each)),
    ruledOut: ruledOutOf(inactions),
    nextAttempt: { what: state('next-attempt', { who }) },
    remediations: back.remediations,
    withheld: [{ kind: 'restart-rollout', because: state('restart-withheld', { who }) }, ...back.withheld],
    advice: adviceOn(inactions),
    weakenedBy: [state('other-explanations', { who }), ...(isUndated ? [state('time-unknown')] : [])],
  };
}

function inactionFacts(inaction: Inaction): FactsOf<typeof ControlPlaneNotActingFacts>['inactions'][number] {
  if (inaction.kind === 'not-scheduled') {
    return { ...inaction, pods: inaction.pods.map(({ metadata }) => metadata.name) };
  }
  return { ...inaction, object: `${inaction.object.kind}/${inaction.object.name}` };
}

/**
 * Only a scheduler's name that the new revision brought ends with it; all else waits for the control plane.
 */
function rollBackFrom(examination: Examination, first: Inaction): Fixes {
  const isNamed = first.kind === 'not-scheduled' && first.scheduler !== defaultScheduler;
  if (!isNamed || ownPods(examination.snapshot).predecessors.length === 0) return nothingOffered;
  return rollBackOf(examination, { origin: 'rollout' });
}

function summaryOf(snapshot: Snapshot, first: Inaction): Statement {
  const workload = workloadName(snapshot);
  if (first.kind === 'not-scheduled') {
    const { scheduler, pods } = first;
    return state('summary-scheduler', { workload, pods: pods.length, scheduler });
  }
  return state('summary-controller', { workload, controller: first.object.kind });
}

function longestOf(snapshot: Snapshot, inactions: Inactions): number | undefined {
  const waits = inactions.flatMap(({ since }) =>
    since === undefined ? [] : [Math.max(0, (nowOf(snapshot) - Date.parse(since)) / 1000)],
  );
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function reasoningOf(snapshot: Snapshot, inaction: Inaction): readonly Statement[] {
  switch (inaction.kind) {
    case 'not-observed': {
      const { object, generation, observed, since } = inaction;
      const { kind, name } = object;
      return [
        state('not-observed', { kind, name, generation, observed }),
        since === undefined
          ? state('changed-unknown', { newest: newestTime(snapshot) })
          : state('changed-at', { at: since }),
      ];
    }
    case 'not-counted': {
      const { object, what, counted, actual, since } = inaction;
      const values = { kind: object.kind, name: object.name, counted, actual, since };
      return [state(what === 'pods' ? 'not-counted-pods' : 'not-counted-ready', values)];
    }
    case 'not-scheduled': {
      const { scheduler, pods, since, hasPlaced } = inaction;
      return [
        state('not-scheduled', { pods: pods.map(({ metadata }) => metadata.name), since }),
        state('asks-for', { scheduler }),
        state(hasPlaced ? 'placed-some' : 'placed-none', { scheduler }),
      ];
    }
  }
}

const shownPods = 5;

function evidenceOf(snapshot: Snapshot, inaction: Inaction): readonly Evidence[] {
  switch (inaction.kind) {
    case 'not-observed': {
      const { object, generation, observed, since } = inaction;
      const value = String(observed);
      const says = state('ev-generation', { generation });
      return [
        { object, field: 'status.observedGeneration', value, says },
        ...(since === undefined ? [] : [changeOf(snapshot, object, since)]),
      ];
    }
    case 'not-counted': {
      const { object, what, counted, actual, since } = inaction;
      const field = what === 'pods' ? 'status.replicas' : 'status.readyReplicas';
      return [{ object, field, value: String(counted), at: since, says: state('ev-counted', { actual }) }];
    }
    case 'not-scheduled':
      return inaction.pods.slice(0, shownPods).map((pod): Evidence => {
        const at = pod.metadata.creationTimestamp;
        return {
          object: refOf(pod),
          field: 'status.conditions[PodScheduled]',
          value: '',
          ...(at === undefined ? {} : { at }),
          says: state('ev-untried'),
        };
      });
  }
}

function changeOf({ workload }: Snapshot, object: ObjectRef, since: string): Evidence {
  const isWriter = (entry: ManagedFieldsEntry): boolean => entry.time === since && writesSpec(entry);
  const writer = object.kind === workload.kind ? workload.metadata.managedFields.find(isWriter) : undefined;
  return {
    object,
    field: writer === undefined ? 'metadata.creationTimestamp' : 'metadata.managedFields',
    value: writer?.manager ?? since,
    at: since,
    says: state('ev-changed'),
  };
}

function ruledOutOf(inactions: Inactions): readonly RuledOut[] {
  const isUntried = inactions.some(({ kind }) => kind === 'not-scheduled');
  const isUnobserved = inactions.some(({ kind }) => kind === 'not-observed');
  return [
    ...(isUnobserved ? [{ cause: 'rollout-paused', because: state('because-not-observed') }] : []),
    ...(isUntried
      ? [
          { cause: 'insufficient-capacity', because: state('because-not-tried') },
          { cause: 'scheduling-gated', because: state('because-no-gates') },
        ]
      : []),
  ];
}

const defaultScheduler = 'default-scheduler';

/** Where to look, one piece for each component that has not acted. */
function adviceOn(inactions: readonly Inaction[]): readonly Advice[] {
  const schedulers = inactions.flatMap((each) => (each.kind === 'not-scheduled' ? [each.scheduler] : []));
  return [
    ...(schedulers.length < inactions.length ? [inspectComponent('kube-controller-manager')] : []),
    ...schedulers.map((scheduler) =>
      scheduler === defaultScheduler ? inspectComponent('kube-scheduler') : nameOf(scheduler),
    ),
  ];
}

function inspectComponent(component: string): Advice {
  return {
    title: state('advice-component-title', { component }),
    text: state('advice-component', { component }),
    snippet: `kubectl -n kube-system get lease ${component} -o yaml\nkubectl -n kube-system get pods -l component=${component}\n`,
  };
}

function nameOf(scheduler: string): Advice {
  return {
    title: state('advice-name-title', { scheduler }),
    text: state('advice-name', { scheduler }),
    snippet: `spec:\n  template:\n    spec:\n      schedulerName: ${defaultScheduler}\n`,
  };
}
