import type { Verdict } from '../../../core/incident/incident.js';
import type { Catalogue } from '../../../core/language/catalogue.js';
import { code, moment, type Prose, person, quote, say, strong, word } from '../../../core/language/prose.js';
import { counted, joined, names } from '../../../core/language/words.js';

type None = Record<string, never>;

/** What is said of incidents, changes and the audit to the one who asked for them. */
export type RecordsShapes = {
  readonly 'open-heading': { readonly count: number };
  readonly 'nothing-open': None;
  readonly 'recent-heading': None;
  readonly 'more-incidents': { readonly count: number };
  readonly 'no-incidents': None;
  readonly 'awaits-approval': { readonly summary: Prose };
  readonly 'on-cluster': { readonly cluster: string };
  readonly 'history-heading': { readonly workload: string; readonly cluster: string; readonly count: number };
  readonly 'history-empty': { readonly workload: string; readonly cluster: string };
  readonly 'not-recorded': { readonly name: string };
  readonly 'nothing-recorded': { readonly name: string };
  readonly 'near-records': None;
  readonly 'which-one': { readonly name: string };
  readonly 'more-choices': { readonly count: number };
  readonly 'audit-heading': { readonly workload: string | undefined };
  readonly 'audit-empty': { readonly workload: string | undefined };
  readonly 'audit-since': { readonly at: string };
  readonly 'more-changes': { readonly count: number };
  readonly 'some-change': None;
  readonly approved: { readonly by: readonly string[] };
  readonly rejected: { readonly by: string };
  readonly expired: None;
  readonly cancelled: { readonly by: string };
  readonly 'changes-stopped': { readonly by: string };
  readonly 'changes-allowed': { readonly by: string };
  readonly made: { readonly at: string };
  readonly 'outcome-unknown': { readonly since: string };
  /** `seq`: the first decision that is wrong or missing. */
  readonly 'audit-broken': { readonly seq: number };
  readonly 'not-made': { readonly because: string };
  readonly 'step-deleted': { readonly pods: readonly string[] };
  /** `because`: a code. */
  readonly 'step-left': { readonly because: string };
  readonly verdict: { readonly verdict: Verdict };
  readonly reason: { readonly reason: string };
  readonly silenced: { readonly by: string; readonly until: string | undefined };
  readonly 'silence-lifted': { readonly by: string };
  readonly 'silenced-now': { readonly by: string; readonly until: string };
};

export const recordsText: Catalogue<RecordsShapes> = {
  en: {
    'open-heading': ({ count }) =>
      say`${strong(count === 1 ? '1 incident is open' : `${count} incidents are open`)}`,
    'nothing-open': () => say`${strong('No incident is open.')}`,
    'recent-heading': () => say`${strong('Lately')}`,
    'more-incidents': ({ count }) => say`… and ${count} more`,
    'no-incidents': () =>
      say`Nobody has asked about a workload yet: ${code('/rollout-doctor namespace/name')}.`,
    'awaits-approval': ({ summary }) => say`${summary} · a change waits for approval`,
    'on-cluster': ({ cluster }) => say`${code(cluster)}`,
    'history-heading': ({ workload, cluster, count }) =>
      say`${code(workload)} in ${code(cluster)}: ${counted(count, 'incident', 'incidents')}, newest first`,
    'history-empty': ({ workload, cluster }) =>
      say`I have no incident of ${code(workload)} in ${code(cluster)} any more.`,
    'not-recorded': ({ name }) => say`My records know no ${code(name)}.`,
    'nothing-recorded': ({ name }) =>
      say`Nobody has asked about it since records are kept. To have it looked at: ${code(`/rollout-doctor ${name}`)}.`,
    'near-records': () => say`Did you mean one of these?`,
    'which-one': ({ name }) => say`My records know several ${code(name)}. Which one?`,
    'more-choices': ({ count }) => say`… and ${count} more: add the namespace or the cluster.`,
    'audit-heading': ({ workload }) =>
      workload === undefined
        ? say`${strong('What was decided and changed')}, newest first`
        : say`What was decided and changed on ${code(workload)}, newest first`,
    'audit-empty': ({ workload }) =>
      workload === undefined
        ? say`Nothing was decided or changed yet.`
        : say`Nothing was decided or changed on ${code(workload)}.`,
    'audit-since': ({ at }) => say`I looked back to ${moment(at)}. Name a workload to see further back.`,
    'more-changes': ({ count }) => say`… and ${count} more`,
    'some-change': () => say`a change`,
    approved: ({ by }) => say`approved by ${joined('en', by.map(person))}`,
    rejected: ({ by }) => say`rejected by ${person(by)}`,
    expired: () => say`expired, nothing was changed`,
    cancelled: ({ by }) => say`cancelled by ${person(by)}, nothing was changed`,
    'changes-stopped': ({ by }) => say`all changes stopped by ${person(by)}`,
    'changes-allowed': ({ by }) => say`changes allowed again by ${person(by)}`,
    made: ({ at }) => say`made at ${moment(at)}`,
    'outcome-unknown': ({ since }) => say`started at ${moment(since)}, outcome unknown`,
    'audit-broken': ({ seq }) =>
      say`This record was changed from outside, at decision ${seq}. Run ${code('rollout-doctor doctor')} and compare it with the logs.`,
    'not-made': ({ because }) => say`not made: ${code(because)}`,
    'step-deleted': ({ pods }) => say`step 2: deleted ${names('en', pods)}`,
    'step-left': ({ because }) => say`step 2 not made: ${code(because)}`,
    verdict: ({ verdict }) => say`${word(verdictWords.en[verdict])}`,
    reason: ({ reason }) => say`${quote(reason)}`,
    silenced: ({ by, until }) =>
      until === undefined
        ? say`silenced by ${person(by)}`
        : say`silenced by ${person(by)} until ${moment(until)}`,
    'silence-lifted': ({ by }) => say`silence ended by ${person(by)}`,
    'silenced-now': ({ by, until }) =>
      say`Silenced by ${person(by)} until ${moment(until)}: nothing is said of it unasked.`,
  },
  ko: {
    'open-heading': ({ count }) => say`${strong(`열린 인시던트 ${count}개`)}`,
    'nothing-open': () => say`${strong('열린 인시던트가 없습니다.')}`,
    'recent-heading': () => say`${strong('최근')}`,
    'more-incidents': ({ count }) => say`… 외 ${count}개`,
    'no-incidents': () =>
      say`아직 워크로드를 물어본 사람이 없습니다: ${code('/rollout-doctor namespace/name')}.`,
    'awaits-approval': ({ summary }) => say`${summary} · 변경이 승인을 기다리는 중`,
    'on-cluster': ({ cluster }) => say`${code(cluster)}`,
    'history-heading': ({ workload, cluster, count }) =>
      say`${code(cluster)}의 ${code(workload)}: 인시던트 ${count}개, 최신순`,
    'history-empty': ({ workload, cluster }) =>
      say`${code(cluster)}의 ${code(workload)} 인시던트 기록이 더 이상 없습니다.`,
    'not-recorded': ({ name }) => say`${code(name)} 기록이 없습니다.`,
    'nothing-recorded': ({ name }) =>
      say`기록 보관 기간 동안 물어본 사람이 없습니다. 살펴보려면: ${code(`/rollout-doctor ${name}`)}.`,
    'near-records': () => say`혹시 이 중에 있나요?`,
    'which-one': ({ name }) => say`${code(name)} 이름의 기록이 여러 개입니다. 어느 것인가요?`,
    'more-choices': ({ count }) => say`… 외 ${count}개: 네임스페이스나 클러스터를 함께 적어 주세요.`,
    'audit-heading': ({ workload }) =>
      workload === undefined
        ? say`${strong('결정과 변경 기록')}, 최신순`
        : say`${code(workload)} 결정과 변경 기록, 최신순`,
    'audit-empty': ({ workload }) =>
      workload === undefined
        ? say`아직 결정하거나 변경한 것이 없습니다.`
        : say`${code(workload)}에 대해 결정하거나 변경한 것이 없습니다.`,
    'audit-since': ({ at }) => say`${moment(at)}까지 거슬러 확인했습니다. 더 보려면 워크로드를 지정하세요.`,
    'more-changes': ({ count }) => say`… 외 ${count}개`,
    'some-change': () => say`변경`,
    approved: ({ by }) => say`승인 ${joined('ko', by.map(person))}`,
    rejected: ({ by }) => say`거절 ${person(by)}`,
    expired: () => say`만료됨, 바뀐 것 없음`,
    cancelled: ({ by }) => say`취소 ${person(by)}, 바뀐 것 없음`,
    'changes-stopped': ({ by }) => say`모든 변경 중지 ${person(by)}`,
    'changes-allowed': ({ by }) => say`변경 다시 허용 ${person(by)}`,
    made: ({ at }) => say`실행 ${moment(at)}`,
    'outcome-unknown': ({ since }) => say`${moment(since)} 시작, 결과 알 수 없음`,
    'audit-broken': ({ seq }) =>
      say`이 기록은 ${seq}번 결정부터 외부에서 변경되었습니다. ${code('rollout-doctor doctor')} 명령을 실행하고 로그와 비교하세요.`,
    'not-made': ({ because }) => say`실행되지 않음: ${code(because)}`,
    'step-deleted': ({ pods }) => say`2단계: ${names('ko', pods)} 삭제`,
    'step-left': ({ because }) => say`2단계 실행되지 않음: ${code(because)}`,
    verdict: ({ verdict }) => say`${word(verdictWords.ko[verdict])}`,
    reason: ({ reason }) => say`${quote(reason)}`,
    silenced: ({ by, until }) =>
      until === undefined ? say`음소거 ${person(by)}` : say`음소거 ${person(by)}, ${moment(until)}까지`,
    'silence-lifted': ({ by }) => say`음소거 해제 ${person(by)}`,
    'silenced-now': ({ by, until }) =>
      say`${person(by)} 님이 ${moment(until)}까지 음소거했습니다: 묻지 않으면 알리지 않습니다.`,
  },
};

const verdictWords = {
  en: {
    recovered: 'recovered',
    progressing: 'moving again, not finished',
    unchanged: 'did not help',
    worse: 'worse than before',
  },
  ko: {
    recovered: '복구됨',
    progressing: '다시 진행 중, 끝나지 않음',
    unchanged: '도움이 되지 않음',
    worse: '이전보다 나빠짐',
  },
} as const satisfies Record<'en' | 'ko', Record<Verdict, string>>;
