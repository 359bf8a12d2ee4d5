import type { RequestedChange } from '../../../doctor/fixes/requested-change.js';
import { code, moment, type Prose, person, say, strong, word } from '../../../engine/language/prose.js';
import type { ValuesOf } from '../../../engine/language/statement.js';
import { names } from '../../../engine/language/words.js';
import { capitalised } from './prose.js';

type Kind = RequestedChange['kind'];

/** The texts about a change that a person requested. */
export type ChangeRequestShapes = ValuesOf<typeof en>;

const forecasts: { readonly en: Record<Kind, string>; readonly ko: Record<Kind, string> } = {
  en: {
    'restart-rollout': 'a restart of',
    'undo-rollout': 'a rollback of',
    'resume-rollout': 'resuming',
    'exclude-nodes': 'the exclusion for',
    'abort-rollout': 'an abort of the update of',
    'promote-rollout': 'a promotion of the update of',
    'retry-rollout': 'a retry of the update of',
  },
  ko: {
    'restart-rollout': '재시작',
    'undo-rollout': '롤백',
    'resume-rollout': '재개',
    'exclude-nodes': '노드 제외',
    'abort-rollout': '업데이트 중단(abort)',
    'promote-rollout': '업데이트 승격(promote)',
    'retry-rollout': '업데이트 다시 시도(retry)',
  },
};

const outcomes = {
  en: {
    impossible: 'is not possible',
    deadlock: 'would deadlock',
    halfway: 'would not complete',
    outage: 'would interrupt the service',
  },
  ko: {
    impossible: '할 수 없습니다',
    deadlock: '교착 상태가 됩니다',
    halfway: '롤아웃이 중간에 멈춥니다',
    outage: '서비스가 중단됩니다',
  },
} as const;

const impossibleWords: Record<Kind, string> = {
  'restart-rollout': 'A restart is not possible.',
  'undo-rollout': 'A rollback is not possible.',
  'resume-rollout': 'Resuming is not possible.',
  'exclude-nodes': 'The exclusion is not possible.',
  'abort-rollout': 'An abort is not possible.',
  'promote-rollout': 'A promotion is not possible.',
  'retry-rollout': 'A retry is not possible.',
};

const en = {
  near: ({ names: near }: { names: readonly string[] }) =>
    say`Similar names: ${names('en', near)}. Ask again with the exact name.`,
  heading: ({ by, at }: { by: string; at: string }) =>
    say`${strong('Requested change')} · requested by ${person(by)} ${moment(at)}`,
  /** In place of it where the recommended fix is the same change. */
  'heading-recommended': ({ by, at }: { by: string; at: string }) =>
    say`${strong('Requested change')} · requested by ${person(by)} ${moment(at)} · it is the recommended fix`,
  /** The title of its card, where nothing else is wrong. */
  outcome: (values: {
    change: Kind;
    workload: string;
    outcome: 'impossible' | 'deadlock' | 'halfway' | 'outage';
  }) =>
    capitalised(
      say`${word(forecasts.en[values.change])} ${code(values.workload)} ${word(outcomes.en[values.outcome])}`,
    ),
  impossible: ({ change, because }: { change: Kind; because: Prose }) =>
    say`${word(impossibleWords[change])} ${because}`,
  warned: () => say`To confirm, type the name of the workload in the review.`,
  help: () =>
    say`${code('/rollout-doctor restart ml/inference')} requests a change. The card shows the forecast and a Review button. ${code('rollback ml/inference')} and ${code('resume ml/inference')} work the same way, and ${code('promote')}, ${code('retry')} and ${code('abort')} for updates of Argo Rollouts.`,
  'help-exclude': () =>
    say`${code('/rollout-doctor exclude ml/inference node-a node-b')} requests to move the workload off these nodes.`,
  complete: ({ workload }: { workload: string }) =>
    say`The requested change to ${code(workload)} is complete`,
  'not-complete': ({ workload }: { workload: string }) =>
    say`The requested change to ${code(workload)} has not completed yet`,
  'nothing-new': () => say`The change took effect, and no new problem was found.`,
};

const ko: typeof en = {
  near: ({ names: near }) => say`비슷한 이름: ${names('ko', near)}. 정확한 이름으로 다시 요청하세요.`,
  heading: ({ by, at }) => say`${strong('요청된 변경')} · ${person(by)} 님이 요청함, ${moment(at)}`,
  'heading-recommended': ({ by, at }) =>
    say`${strong('요청된 변경')} · ${person(by)} 님이 요청함, ${moment(at)} · 권장 조치와 같음`,
  outcome: ({ change, workload, outcome }) =>
    say`${code(workload)} ${word(forecasts.ko[change])} 요청: ${word(outcomes.ko[outcome])}`,
  impossible: ({ change, because }) => say`${word(forecasts.ko[change])} 불가: ${because}`,
  warned: () => say`검토할 때 확인을 위해 워크로드 이름을 입력해야 합니다.`,
  help: () =>
    say`${code('/rollout-doctor restart ml/inference')} 명령은 변경을 요청합니다. 예측 결과와 검토 버튼이 카드에 표시됩니다. ${code('rollback ml/inference')}, ${code('resume ml/inference')} 명령도 같은 방식이며, Argo Rollouts 업데이트에는 ${code('promote')}, ${code('retry')}, ${code('abort')} 명령을 사용합니다.`,
  'help-exclude': () =>
    say`${code('/rollout-doctor exclude ml/inference node-a node-b')} 명령은 워크로드를 해당 노드에서 옮기도록 요청합니다.`,
  complete: ({ workload }) => say`${code(workload)}에 요청된 변경이 완료되었습니다`,
  'not-complete': ({ workload }) => say`${code(workload)}에 요청된 변경이 아직 완료되지 않았습니다`,
  'nothing-new': () => say`변경이 적용되었고 새로운 문제는 발견되지 않았습니다.`,
};

export const changeRequestText = { en, ko };
