import type { Verdict } from '../../../doctor/incidents/incident.js';
import type { Prose } from '../../../engine/language/prose.js';
import { code, moment, person, quote, say, strong, word } from '../../../engine/language/prose.js';
import { counted, joined, names } from '../../../engine/language/words.js';

/** Absent where a column of its own names the person. */
const byEnglish = (by: string | undefined): Prose => (by === undefined ? [] : say` by ${person(by)}`);
const byKorean = (by: string | undefined): Prose => (by === undefined ? [] : say`${person(by)} `);

const en = {
  'open-heading': ({ count }: { count: number }) =>
    say`${strong(count === 1 ? '1 open incident' : `${count} open incidents`)}`,
  'nothing-open': () => say`${strong('No open incidents')}`,
  'recent-heading': () => say`${strong('Recent')}`,
  'more-incidents': ({ count }: { count: number }) => say`… and ${count} more`,
  'no-incidents': () =>
    say`No workload has been diagnosed yet. To start: ${code('/rollout-doctor namespace/name')}.`,
  'awaits-approval': ({ summary }: { summary: Prose }) => say`${summary} · a change is waiting for approval`,
  'history-heading': ({ workload, cluster, count }: { workload: string; cluster: string; count: number }) =>
    say`${code(workload)} in cluster ${code(cluster)}: ${counted(count, 'incident', 'incidents')}${word(count === 1 ? '' : ', newest first')}`,
  'history-empty': ({ workload, cluster }: { workload: string; cluster: string }) =>
    say`No recorded incidents of ${code(workload)} in cluster ${code(cluster)}.`,
  'not-recorded': ({ name }: { name: string }) => say`No history for ${code(name)}.`,
  'nothing-recorded': ({ name }: { name: string }) =>
    say`The records contain no diagnosis of this workload. To diagnose it: ${code(`/rollout-doctor ${name}`)}.`,
  'near-records': () => say`Did you mean one of these?`,
  'which-one': ({ name }: { name: string }) =>
    say`Several recorded workloads are named ${code(name)}. Which one?`,
  'more-choices': ({ count }: { count: number }) =>
    say`… and ${count} more: add the namespace or the cluster.`,
  'audit-heading': ({ workload }: { workload: string | undefined }) =>
    workload === undefined
      ? say`${strong('Audit log')}, newest first`
      : say`Audit log of ${code(workload)}, newest first`,
  'audit-empty': ({ workload }: { workload: string | undefined }) =>
    workload === undefined
      ? say`The audit log has no entries yet.`
      : say`The audit log has no entry for ${code(workload)}.`,
  'audit-since': ({ at }: { at: string }) =>
    say`Older entries than ${moment(at)} were not read. Name a workload to see more.`,
  'more-changes': ({ count }: { count: number }) => say`… and ${count} more`,
  'some-change': () => say`a change`,
  confirmed: ({ by, issuer }: { by: readonly string[]; issuer: string }) =>
    say`confirmed with the login ${code(issuer)} by ${joined('en', by.map(person))}`,
  approved: ({ by }: { by: readonly string[] }) => say`approved by ${joined('en', by.map(person))}`,
  rejected: ({ by }: { by: string }) => say`rejected by ${person(by)}`,
  expired: () => say`expired, nothing was changed`,
  cancelled: ({ by }: { by: string }) => say`cancelled by ${person(by)}, nothing was changed`,
  'changes-stopped': ({ by }: { by?: string }) => say`all changes stopped${byEnglish(by)}`,
  'changes-allowed': ({ by }: { by?: string }) => say`changes allowed again${byEnglish(by)}`,
  made: ({ at }: { at: string }) => say`applied ${moment(at)}`,
  'pull-request-opened': ({ at }: { at: string }) => say`pull request opened ${moment(at)}`,
  'outcome-unknown': ({ since }: { since: string }) => say`started ${moment(since)}, outcome unknown`,
  /** `seq`: the first decision that is wrong or missing. */
  'audit-broken': ({ seq }: { seq: number }) =>
    say`The audit log was changed outside Rollout Doctor, at decision ${seq}. Run ${code('rollout-doctor doctor')} and compare the result with the logs.`,
  'not-made': ({ because }: { because: string }) => say`not applied: ${code(because)}`,
  'step-deleted': ({ pods }: { pods: readonly string[] }) => say`step 2: deleted ${names('en', pods)}`,
  /** `because`: a code. */
  'step-left': ({ because }: { because: string }) => say`step 2 not applied: ${code(because)}`,
  verdict: ({ verdict }: { verdict: Verdict }) => say`${word(verdictWords.en[verdict])}`,
  reason: ({ reason }: { reason: string }) => say`${quote(reason)}`,
  silenced: ({ by, until }: { by?: string; until: string | undefined }) =>
    say`silenced${byEnglish(by)}${until === undefined ? [] : say` until ${moment(until)}`}`,
  'silence-lifted': ({ by }: { by?: string }) => say`silence ended${byEnglish(by)}`,
  'silenced-now': ({ by, until }: { by: string; until: string }) =>
    say`Silenced by ${person(by)} until ${moment(until)}. No automatic messages are posted for this workload.`,
  'on-it': ({ to }: { to: string }) => say`${person(to)} took it on`,
  'handed-over': ({ by, to }: { by: string; to: string }) =>
    say`${person(by)} handed it over to ${person(to)}`,
  'handed-back': ({ by }: { by: string }) => say`${person(by)} handed it back`,
};

const ko: typeof en = {
  'open-heading': ({ count }) => say`${strong(`열린 인시던트 ${count}개`)}`,
  'nothing-open': () => say`${strong('열린 인시던트가 없습니다')}`,
  'recent-heading': () => say`${strong('최근')}`,
  'more-incidents': ({ count }) => say`… 외 ${count}개`,
  'no-incidents': () =>
    say`아직 진단한 워크로드가 없습니다. 시작하려면: ${code('/rollout-doctor namespace/name')}.`,
  'awaits-approval': ({ summary }) => say`${summary} · 변경 승인 대기 중`,
  'history-heading': ({ workload, cluster, count }) =>
    say`클러스터 ${code(cluster)}의 ${code(workload)}: 인시던트 ${count}개${word(count === 1 ? '' : ', 최신순')}`,
  'history-empty': ({ workload, cluster }) =>
    say`클러스터 ${code(cluster)}의 ${code(workload)} 인시던트 기록이 없습니다.`,
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
  'audit-since': ({ at }) => say`${moment(at)} 이전 항목은 읽지 않았습니다. 더 보려면 워크로드를 지정하세요.`,
  'more-changes': ({ count }) => say`… 외 ${count}개`,
  'some-change': () => say`변경`,
  confirmed: ({ by, issuer }) => say`${joined('ko', by.map(person))} ${code(issuer)} 로그인으로 확인`,
  approved: ({ by }) => say`${joined('ko', by.map(person))} 승인`,
  rejected: ({ by }) => say`${person(by)} 거절`,
  expired: () => say`만료됨, 변경된 내용 없음`,
  cancelled: ({ by }) => say`${person(by)} 취소, 변경된 내용 없음`,
  'changes-stopped': ({ by }) => say`${byKorean(by)}모든 변경 중지`,
  'changes-allowed': ({ by }) => say`${byKorean(by)}변경 다시 허용`,
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
    say`${byKorean(by)}알림 끔${until === undefined ? [] : say`, ${moment(until)}까지`}`,
  'silence-lifted': ({ by }) => say`${byKorean(by)}알림 켬`,
  'silenced-now': ({ by, until }) =>
    say`${person(by)} 님이 ${moment(until)}까지 알림을 껐습니다. 이 워크로드의 자동 메시지는 게시되지 않습니다.`,
  'on-it': ({ to }) => say`${person(to)} 님이 담당하기 시작함`,
  'handed-over': ({ by, to }) => say`${person(by)} 님이 ${person(to)} 님에게 넘김`,
  'handed-back': ({ by }) => say`${person(by)} 님이 담당을 내려놓음`,
};

export const recordsText = { en, ko };

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
