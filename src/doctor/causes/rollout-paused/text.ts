import { code, moment, say, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { counted, elapsed, isAtLeastOneSecond, joined } from '../../../engine/language/words.js';
import { fieldWords } from '../../findings/field-words.js';

type HeldAt = {
  readonly workload: string;
  readonly step: number | undefined;
  readonly of: number | undefined;
};

type Traffic = 'stable' | 'both' | 'new';

const receivers: { readonly en: Record<Traffic, string>; readonly ko: Record<Traffic, string> } = {
  en: {
    stable: 'The stable revision gets all traffic meanwhile.',
    both: 'Both revisions get traffic meanwhile.',
    new: 'It already gets all traffic.',
  },
  ko: {
    stable: '그동안 안정 리비전이 모든 트래픽을 받습니다.',
    both: '그동안 두 리비전이 모두 트래픽을 받습니다.',
    new: '이미 이 리비전이 모든 트래픽을 받고 있습니다.',
  },
};

const en = {
  'shared-failure': () => say`the rollout is paused`,
  summary: ({ workload }: { workload: string }) =>
    say`The rollout of ${code(workload)} is paused with an update pending`,
  standing: (values: { revision: string; forSeconds: number | undefined; ready: number; wanted: number }) =>
    !isAtLeastOneSecond(values.forSeconds)
      ? say`The rollout to revision ${code(values.revision)} does not continue until someone resumes it.`
      : say`The rollout to revision ${code(values.revision)} has been paused for ${elapsed('en', values.forSeconds)} and does not continue until someone resumes it.`,
  paused: ({ by, at }: { by: string | undefined; at: string | undefined }) =>
    by === undefined
      ? say`${code('spec.paused')} is set, so the controller does not create or replace revisions.`
      : at === undefined
        ? say`${code(by)} set ${code('spec.paused')}, so the controller does not create or replace revisions.`
        : say`${code(by)}, which last wrote ${moment(at)}, set ${code('spec.paused')}, so the controller does not create or replace revisions.`,
  /** The template changed and no ReplicaSet has it yet. */
  'not-begun': ({ revision }: { revision: string }) =>
    say`The template has changed since, and the rollout to revision ${code(revision)} has not started.`,
  /** No ReplicaSet exists at all. */
  'never-begun': () => say`The workload was paused before its first rollout, so it has no pods.`,
  'held-at-pause-step': ({ workload, step, of }: HeldAt) =>
    say`The update of ${code(workload)} waits at ${step === undefined || of === undefined ? word('a pause') : say`step ${step} of ${of}`} until someone promotes it`,
  'held-at-promotion': ({ workload }: HeldAt) =>
    say`The update of ${code(workload)} waits until someone promotes it`,
  'held-at-analysis': ({ workload, step, of }: HeldAt) =>
    say`An analysis of the update of ${code(workload)} has no conclusion${step === undefined || of === undefined ? word('') : say` at step ${step} of ${of}`}, so a person must decide`,
  'held-standing': (values: { revision: string; forSeconds: number | undefined; traffic: Traffic }) =>
    !isAtLeastOneSecond(values.forSeconds)
      ? say`Revision ${code(values.revision)} waits until someone promotes or aborts it. ${word(receivers.en[values.traffic])}`
      : say`Revision ${code(values.revision)} has waited for ${elapsed('en', values.forSeconds)}, and waits until someone promotes or aborts it. ${word(receivers.en[values.traffic])}`,
  'pause-is-declared': () =>
    say`This pause is part of the strategy of the Rollout, so the wait is intended and no failure.`,
  'no-conclusion': () =>
    say`The analysis ended as ${code('Inconclusive')}. The controller then waits for a person.`,
  'ev-held': () => say`the controller waits for a person`,
  'next-attempt-held': () => say`None. The controller acts only after a promotion or an abort.`,
  'undo-waits': () =>
    say`A rollback is also a change of the template, and takes effect only after the rollout is resumed.`,
  'undo-is-abort': () => say`An abort returns to the stable revision, and makes no new revision.`,
  'promote-withheld': ({ workload }: { workload: string }) =>
    say`Whether the new revision of ${code(workload)} is good is for people to decide.`,
  'advice-promote-title': () => say`Check the new revision, then promote or abort the update`,
  'advice-promote': ({ workload, namespace }: { workload: string; namespace: string }) =>
    say`In Slack: ${code(`/rollout-doctor promote ${workload} -n ${namespace}`)} or ${code(`/rollout-doctor abort ${workload} -n ${namespace}`)}. The card shows the forecast, and nothing changes without an approval.`,
  'advice-experiment': ({ workload, namespace }: { workload: string; namespace: string }) =>
    say`In Slack: ${code(`/rollout-doctor abort ${workload} -n ${namespace}`)}. Only ${code('promote --full')} of ${code('kubectl argo rollouts')} passes the experiment, and it skips all later steps, pauses and analyses too.`,
  'half-way': (values: { revision: string; updated: number; old: number; wanted: number }) =>
    say`The rollout is incomplete: ${values.updated} of ${counted(values.wanted, 'pod', 'pods')} ${word(values.updated === 1 ? 'runs' : 'run')} revision ${code(values.revision)}, and ${values.old} ${word(values.old === 1 ? 'runs' : 'run')} older ones.`,
  differs: ({ changes }: { changes: readonly { readonly path: string; readonly after: string }[] }) =>
    say`Pending changes: ${joined(
      'en',
      changes.map(({ path, after }) => say`${fieldWords('en', path)} becomes ${code(after)}`),
    )}.`,
  'scaling-works': () => say`Scaling still works while the rollout is paused. Only updates wait.`,
  'ev-paused': () => say`the rollout is paused`,
  'ev-old': ({ replicas }: { replicas: number }) => say`an older revision still has ${replicas}`,
  'ev-new': ({ replicas }: { replicas: number }) => say`the new revision has ${replicas}`,
  'pods-unread': ({ because }: { because: string }) => say`Pods could not be read (${code(because)}).`,
  'because-no-attempt': () => say`a paused controller waits only until someone resumes it`,
  'restart-withheld': () =>
    say`A restart is one more change of the template that waits, and kubectl refuses it while paused.`,
  'patch-withheld': () => say`Another strategy takes effect only after the rollout is resumed.`,
  'undo-withheld': () =>
    say`A rollback is also a change of the template, and kubectl refuses it while paused.`,
  'next-attempt': () => say`None. The controller acts only after the rollout is resumed.`,
  'advice-resume-title': () => say`First ask who paused it`,
  'advice-resume': () => say`Someone may be watching a canary. If not, resume the rollout.`,
  'advice-mend-first': () =>
    say`Someone may be watching a canary. Resume the rollout only when its new pods can start. If they cannot, first change the template or the strategy in the manifest.`,
  'advice-declared-title': () => say`Check the manifest`,
  'advice-declared': ({ workload }: { workload: string }) =>
    say`If the manifest of ${code(workload)} contains ${code('paused: true')}, applying it pauses the rollout again.`,
};

const ko: typeof en = {
  'shared-failure': () => say`롤아웃이 일시 중지됨`,
  summary: ({ workload }) => say`${code(workload)} 롤아웃이 일시 중지되어 업데이트가 대기 중입니다`,
  standing: ({ revision, forSeconds }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`리비전 ${code(revision)} 롤아웃은 누군가 재개할 때까지 진행되지 않습니다.`
      : say`리비전 ${code(revision)} 롤아웃이 ${elapsed('ko', forSeconds)}째 일시 중지되어 있으며, 누군가 재개할 때까지 진행되지 않습니다.`,
  paused: ({ by, at }) =>
    by === undefined
      ? say`${code('spec.paused')} 값이 설정되어 컨트롤러가 리비전을 만들거나 교체하지 않습니다.`
      : at === undefined
        ? say`${code(by)}에서 ${code('spec.paused')} 값을 설정해 컨트롤러가 리비전을 만들거나 교체하지 않습니다.`
        : say`${code(by)}에서(마지막 쓰기 ${moment(at)}) ${code('spec.paused')} 값을 설정해 컨트롤러가 리비전을 만들거나 교체하지 않습니다.`,
  'not-begun': ({ revision }) =>
    say`그 뒤 템플릿이 바뀌었지만 리비전 ${code(revision)} 롤아웃이 시작되지 않았습니다.`,
  'never-begun': () => say`첫 롤아웃 전에 일시 중지되어 파드가 하나도 없습니다.`,
  'held-at-pause-step': ({ workload, step, of }) =>
    say`${code(workload)} 업데이트가 ${step === undefined || of === undefined ? word('일시 중지 단계') : say`${of}단계 중 ${step}단계`}에서 승격(promote)을 기다립니다`,
  'held-at-promotion': ({ workload }) => say`${code(workload)} 업데이트가 승격(promote)을 기다립니다`,
  'held-at-analysis': ({ workload, step, of }) =>
    say`${code(workload)} 업데이트의 분석이 ${step === undefined || of === undefined ? word('') : say`${of}단계 중 ${step}단계에서 `}결론을 내지 못해 사람이 결정해야 합니다`,
  'held-standing': ({ revision, forSeconds, traffic }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`리비전 ${code(revision)} 업데이트는 누군가 승격하거나 중단할 때까지 기다립니다. ${word(receivers.ko[traffic])}`
      : say`리비전 ${code(revision)} 업데이트는 ${elapsed('ko', forSeconds)}째 기다리는 중이며, 누군가 승격하거나 중단할 때까지 기다립니다. ${word(receivers.ko[traffic])}`,
  'pause-is-declared': () => say`Rollout의 전략에 있는 일시 중지이므로 의도된 대기이며 장애가 아닙니다.`,
  'no-conclusion': () =>
    say`분석이 ${code('Inconclusive')} 상태로 끝났습니다. 이때 컨트롤러는 사람을 기다립니다.`,
  'ev-held': () => say`컨트롤러가 사람을 기다림`,
  'next-attempt-held': () => say`없음. 승격하거나 중단해야 컨트롤러가 동작합니다.`,
  'undo-waits': () => say`롤백도 템플릿 변경이며, 재개한 뒤에야 적용됩니다.`,
  'undo-is-abort': () => say`중단(abort)하면 새 리비전 없이 안정 리비전으로 돌아갑니다.`,
  'promote-withheld': ({ workload }) =>
    say`${code(workload)}의 새 리비전이 올바른지는 사람이 판단해야 합니다.`,
  'advice-promote-title': () => say`새 리비전을 확인한 뒤 승격하거나 중단하기`,
  'advice-promote': ({ workload, namespace }) =>
    say`Slack에서 ${code(`/rollout-doctor promote ${workload} -n ${namespace}`)} 또는 ${code(`/rollout-doctor abort ${workload} -n ${namespace}`)} 명령을 사용하세요. 카드에 예측이 표시되며, 승인 없이는 아무것도 바뀌지 않습니다.`,
  'advice-experiment': ({ workload, namespace }) =>
    say`Slack에서 ${code(`/rollout-doctor abort ${workload} -n ${namespace}`)} 명령을 사용하세요. 실험을 건너뛰려면 ${code('kubectl argo rollouts')}의 ${code('promote --full')}을 사용해야 하며, 이후의 모든 단계와 일시 중지, 분석도 건너뜁니다.`,
  'half-way': ({ revision, updated, old, wanted }) =>
    say`롤아웃이 중간에 멈춰 있습니다: 파드 ${wanted}개 중 ${updated}개가 리비전 ${code(revision)}, ${old}개가 이전 리비전입니다.`,
  differs: ({ changes }) =>
    say`대기 중인 변경: ${joined(
      'ko',
      changes.map(({ path, after }) => say`${fieldWords('ko', path)} → ${code(after)}`),
    )}.`,
  'scaling-works': () => say`일시 중지 중에도 복제본 수는 조정할 수 있습니다. 업데이트만 대기합니다.`,
  'ev-paused': () => say`롤아웃이 일시 중지됨`,
  'ev-old': ({ replicas }) => say`이전 리비전 ${replicas}개 남음`,
  'ev-new': ({ replicas }) => say`새 리비전 ${replicas}개`,
  'pods-unread': ({ because }) => say`파드를 읽지 못했습니다(${code(because)}).`,
  'because-no-attempt': () => say`일시 중지된 컨트롤러는 재개될 때까지만 대기`,
  'restart-withheld': () =>
    say`재시작도 템플릿 변경이므로 똑같이 대기하며, 일시 중지 중에는 kubectl이 거부합니다.`,
  'patch-withheld': () => say`전략을 바꿔도 재개한 뒤에야 적용됩니다.`,
  'undo-withheld': () => say`롤백도 템플릿 변경이며, 일시 중지 중에는 kubectl이 거부합니다.`,
  'next-attempt': () => say`없음. 롤아웃을 재개해야 컨트롤러가 동작합니다.`,
  'advice-resume-title': () => say`먼저 일시 중지한 사람에게 확인하기`,
  'advice-resume': () => say`누군가 카나리를 확인하는 중일 수 있습니다. 아니라면 롤아웃을 재개하세요.`,
  'advice-mend-first': () =>
    say`누군가 카나리를 확인하는 중일 수 있습니다. 새 파드가 시작될 수 있을 때만 롤아웃을 재개하세요. 그렇지 않다면 먼저 매니페스트에서 템플릿이나 전략을 수정하세요.`,
  'advice-declared-title': () => say`매니페스트 확인하기`,
  'advice-declared': ({ workload }) =>
    say`${code(workload)} 매니페스트에 ${code('paused: true')} 값이 있으면 다음에 적용할 때 다시 일시 중지됩니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('rollout-paused');
