import type { Verdict } from '../../../doctor/incidents/incident.js';
import type { Catalogue } from '../../../engine/language/catalogue.js';
import {
  code,
  moment,
  type Prose,
  person,
  quote,
  say,
  strong,
  word,
} from '../../../engine/language/prose.js';
import { counted, joined, names } from '../../../engine/language/words.js';

type None = Record<string, never>;

/** The answers about incidents, changes and the audit log, for the person who requested them. */
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
  readonly confirmed: { readonly by: readonly string[]; readonly issuer: string };
  readonly rejected: { readonly by: string };
  readonly expired: None;
  readonly cancelled: { readonly by: string };
  readonly 'changes-stopped': { readonly by: string };
  readonly 'changes-allowed': { readonly by: string };
  readonly made: { readonly at: string };
  readonly 'pull-request-opened': { readonly at: string };
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
  readonly 'on-it': { readonly to: string };
  readonly 'handed-over': { readonly by: string; readonly to: string };
  readonly 'handed-back': { readonly by: string };
};

export const recordsText: Catalogue<RecordsShapes> = {
  en: {
    'open-heading': ({ count }) =>
      say`${strong(count === 1 ? '1 open incident' : `${count} open incidents`)}`,
    'nothing-open': () => say`${strong('No open incidents')}`,
    'recent-heading': () => say`${strong('Recent')}`,
    'more-incidents': ({ count }) => say`… and ${count} more`,
    'no-incidents': () =>
      say`No workload has been diagnosed yet. To start: ${code('/rollout-doctor namespace/name')}.`,
    'awaits-approval': ({ summary }) => say`${summary} · a change is waiting for approval`,
    'on-cluster': ({ cluster }) => say`${code(cluster)}`,
    'history-heading': ({ workload, cluster, count }) =>
      say`${code(workload)} in ${code(cluster)}: ${counted(count, 'incident', 'incidents')}, newest first`,
    'history-empty': ({ workload, cluster }) =>
      say`No recorded incidents of ${code(workload)} in ${code(cluster)}.`,
    'not-recorded': ({ name }) => say`No history for ${code(name)}.`,
    'nothing-recorded': ({ name }) =>
      say`The records contain no diagnosis of this workload. To diagnose it: ${code(`/rollout-doctor ${name}`)}.`,
    'near-records': () => say`Did you mean one of these?`,
    'which-one': ({ name }) => say`Several recorded workloads are named ${code(name)}. Which one?`,
    'more-choices': ({ count }) => say`… and ${count} more: add the namespace or the cluster.`,
    'audit-heading': ({ workload }) =>
      workload === undefined
        ? say`${strong('Audit log')}, newest first`
        : say`Audit log of ${code(workload)}, newest first`,
    'audit-empty': ({ workload }) =>
      workload === undefined
        ? say`The audit log has no entries yet.`
        : say`The audit log has no entry for ${code(workload)}.`,
    'audit-since': ({ at }) =>
      say`Older entries than ${moment(at)} were not read. Name a workload to see more.`,
    'more-changes': ({ count }) => say`… and ${count} more`,
    'some-change': () => say`a change`,
    confirmed: ({ by, issuer }) =>
      say`confirmed with the login ${code(issuer)} by ${joined('en', by.map(person))}`,
    approved: ({ by }) => say`approved by ${joined('en', by.map(person))}`,
    rejected: ({ by }) => say`rejected by ${person(by)}`,
    expired: () => say`expired, nothing was changed`,
    cancelled: ({ by }) => say`cancelled by ${person(by)}, nothing was changed`,
    'changes-stopped': ({ by }) => say`all changes stopped by ${person(by)}`,
    'changes-allowed': ({ by }) => say`changes allowed again by ${person(by)}`,
    made: ({ at }) => say`applied ${moment(at)}`,
    'pull-request-opened': ({ at }) => say`pull request opened ${moment(at)}`,
    'outcome-unknown': ({ since }) => say`started ${moment(since)}, outcome unknown`,
    'audit-broken': ({ seq }) =>
      say`The audit log was changed outside Rollout Doctor, at decision ${seq}. Run ${code('rollout-doctor doctor')} and compare the result with the logs.`,
    'not-made': ({ because }) => say`not applied: ${code(because)}`,
    'step-deleted': ({ pods }) => say`step 2: deleted ${names('en', pods)}`,
    'step-left': ({ because }) => say`step 2 not applied: ${code(because)}`,
    verdict: ({ verdict }) => say`${word(verdictWords.en[verdict])}`,
    reason: ({ reason }) => say`${quote(reason)}`,
    silenced: ({ by, until }) =>
      until === undefined
        ? say`silenced by ${person(by)}`
        : say`silenced by ${person(by)} until ${moment(until)}`,
    'silence-lifted': ({ by }) => say`silence ended by ${person(by)}`,
    'silenced-now': ({ by, until }) =>
      say`Silenced by ${person(by)} until ${moment(until)}. No automatic messages are posted for this workload.`,
    'on-it': ({ to }) => say`${person(to)} took it on`,
    'handed-over': ({ by, to }) => say`${person(by)} handed it over to ${person(to)}`,
    'handed-back': ({ by }) => say`${person(by)} handed it back`,
  },
  ko: {
    'open-heading': ({ count }) => say`${strong(`열린 인시던트 ${count}개`)}`,
    'nothing-open': () => say`${strong('열린 인시던트가 없습니다')}`,
    'recent-heading': () => say`${strong('최근')}`,
    'more-incidents': ({ count }) => say`… 외 ${count}개`,
    'no-incidents': () =>
      say`아직 진단한 워크로드가 없습니다. 시작하려면: ${code('/rollout-doctor namespace/name')}.`,
    'awaits-approval': ({ summary }) => say`${summary} · 변경 승인 대기 중`,
    'on-cluster': ({ cluster }) => say`${code(cluster)}`,
    'history-heading': ({ workload, cluster, count }) =>
      say`${code(cluster)}의 ${code(workload)}: 인시던트 ${count}개, 최신순`,
    'history-empty': ({ workload, cluster }) =>
      say`${code(cluster)}의 ${code(workload)} 인시던트 기록이 없습니다.`,
    'not-recorded': ({ name }) => say`${code(name)} 이력이 없습니다.`,
    'nothing-recorded': ({ name }) =>
      say`이 워크로드를 진단한 기록이 없습니다. 진단하려면: ${code(`/rollout-doctor ${name}`)}.`,
    'near-records': () => say`다음 중 하나인가요?`,
    'which-one': ({ name }) => say`${code(name)} 이름의 기록이 여러 개입니다. 어느 것인가요?`,
    'more-choices': ({ count }) => say`… 외 ${count}개: 네임스페이스나 클러스터를 함께 적어 주세요.`,
    'audit-heading': ({ workload }) =>
      workload === undefined ? say`${strong('감사 로그')}, 최신순` : say`${code(workload)} 감사 로그, 최신순`,
    'audit-empty': ({ workload }) =>
      workload === undefined
        ? say`아직 감사 로그가 없습니다.`
        : say`${code(workload)}에 대한 감사 로그가 없습니다.`,
    'audit-since': ({ at }) =>
      say`${moment(at)} 이전 항목은 읽지 않았습니다. 더 보려면 워크로드를 지정하세요.`,
    'more-changes': ({ count }) => say`… 외 ${count}개`,
    'some-change': () => say`변경`,
    confirmed: ({ by, issuer }) => say`${joined('ko', by.map(person))} ${code(issuer)} 로그인으로 확인`,
    approved: ({ by }) => say`${joined('ko', by.map(person))} 승인`,
    rejected: ({ by }) => say`${person(by)} 거절`,
    expired: () => say`만료됨, 변경된 내용 없음`,
    cancelled: ({ by }) => say`${person(by)} 취소, 변경된 내용 없음`,
    'changes-stopped': ({ by }) => say`${person(by)} 모든 변경 중지`,
    'changes-allowed': ({ by }) => say`${person(by)} 변경 다시 허용`,
    made: ({ at }) => say`${moment(at)} 적용`,
    'pull-request-opened': ({ at }) => say`${moment(at)} 풀 리퀘스트 열림`,
    'outcome-unknown': ({ since }) => say`${moment(since)} 시작, 결과 알 수 없음`,
    'audit-broken': ({ seq }) =>
      say`감사 로그의 ${seq}번 결정이 외부에서 변경되었습니다. ${code('rollout-doctor doctor')} 명령을 실행하고 결과를 로그와 비교하세요.`,
    'not-made': ({ because }) => say`적용되지 않음: ${code(because)}`,
    'step-deleted': ({ pods }) => say`2단계: ${names('ko', pods)} 삭제`,
    'step-left': ({ because }) => say`2단계 적용되지 않음: ${code(because)}`,
    verdict: ({ verdict }) => say`${word(verdictWords.ko[verdict])}`,
    reason: ({ reason }) => say`${quote(reason)}`,
    silenced: ({ by, until }) =>
      until === undefined ? say`${person(by)} 알림 끔` : say`${person(by)} 알림 끔, ${moment(until)}까지`,
    'silence-lifted': ({ by }) => say`${person(by)} 알림 켬`,
    'silenced-now': ({ by, until }) =>
      say`${person(by)} 님이 ${moment(until)}까지 알림을 껐습니다. 이 워크로드의 자동 메시지는 게시되지 않습니다.`,
    'on-it': ({ to }) => say`${person(to)} 님이 담당하기 시작함`,
    'handed-over': ({ by, to }) => say`${person(by)} 님이 ${person(to)} 님에게 넘김`,
    'handed-back': ({ by }) => say`${person(by)} 님이 담당을 내려놓음`,
  },
};

const verdictWords = {
  en: {
    recovered: 'recovered',
    undone: 'undone',
    progressing: 'progressing, not finished',
    unchanged: 'did not help',
    worse: 'worse than before',
    reverted: 'reverted',
  },
  ko: {
    recovered: '복구됨',
    undone: '되돌림',
    progressing: '다시 진행 중, 완료되지 않음',
    unchanged: '효과 없음',
    worse: '변경 전보다 나빠짐',
    reverted: '다른 클라이언트가 되돌림',
  },
} as const satisfies Record<'en' | 'ko', Record<Verdict, string>>;
