import type { Severity } from '../../../core/diagnosis/cause-id.js';
import type { Catalogue } from '../../../core/language/catalogue.js';
import type { Language } from '../../../core/language/language.js';
import { code, moment, type Prose, person, say, strong, word } from '../../../core/language/prose.js';
import { duration, joined, names } from '../../../core/language/words.js';
import type { ClusterFault } from '../../../usecases/clusters/cluster-roll.js';
import { severityWords } from './kind-words.js';

type None = Record<string, never>;

/** The texts of the Home page. */
export type HomeShapes = {
  readonly 'pending-heading': { readonly count: number };
  readonly 'nothing-pending': None;
  readonly pending: { readonly title: Prose; readonly workload: string };
  readonly 'you-can-approve': None;
  readonly 'approved-by': { readonly by: readonly string[] };
  readonly missing: { readonly missing: number; readonly until: string };
  readonly 'none-open': None;
  /** How many open incidents have this severity. */
  readonly severity: { readonly severity: Severity; readonly count: number };
  readonly 'stuck-for': { readonly seconds: number };
  readonly 'open-for': { readonly seconds: number };
  readonly 'no-assignee': None;
  readonly 'changes-heading': None;
  readonly 'no-changes': None;
  readonly more: { readonly count: number };
  readonly 'how-to-ask': None;
  readonly 'as-of': { readonly at: string };
  readonly 'policy-fault': { readonly since: string };
  readonly 'clusters-with': { readonly fault: ClusterFault; readonly clusters: readonly string[] };
  readonly 'clusters-away': { readonly clusters: readonly string[] };
  readonly 'not-shown': None;
};

const faultText: {
  readonly [Each in Language]: {
    readonly [Fault in ClusterFault]: (clusters: ReturnType<typeof names>) => Prose;
  };
} = {
  en: {
    'name-shared': (clusters) =>
      say`${strong('Workers of two different clusters have the same name')}: ${clusters}. Workloads there can be neither diagnosed nor changed until one of the clusters has another ${code('CLUSTER_NAME')}.`,
    unreachable: (clusters) =>
      say`${strong('The API server does not answer')} the workers of ${clusters}. Workloads there cannot be diagnosed or changed.`,
    'policy-differs': (clusters) =>
      say`${strong('The policy of the workers differs')} from the policy of the app: ${clusters}. The workers apply their own policy to changes there.`,
  },
  ko: {
    'name-shared': (clusters) =>
      say`${strong('서로 다른 두 클러스터의 워커가 같은 이름을 사용합니다')}: ${clusters}. 한쪽의 ${code('CLUSTER_NAME')} 값을 바꿀 때까지 해당 워크로드를 진단하거나 변경할 수 없습니다.`,
    unreachable: (clusters) =>
      say`${strong('API 서버가 워커에 응답하지 않습니다')}: ${clusters}. 해당 클러스터의 워크로드는 진단하거나 변경할 수 없습니다.`,
    'policy-differs': (clusters) =>
      say`${strong('워커의 정책이 앱의 정책과 다릅니다')}: ${clusters}. 해당 클러스터의 변경에는 워커의 정책을 적용합니다.`,
  },
};

export const homeText: Catalogue<HomeShapes> = {
  en: {
    'pending-heading': ({ count }) =>
      say`${strong(count === 1 ? '1 change is waiting for approval' : `${count} changes are waiting for approval`)}`,
    'nothing-pending': () => say`No pending approvals`,
    pending: ({ title, workload }) => say`${title} for ${code(workload)}`,
    'you-can-approve': () => say`${strong('you can approve this')}`,
    'approved-by': ({ by }) => say`approved by ${joined('en', by.map(person))}`,
    missing: ({ missing, until }) =>
      say`${missing} more ${word(missing === 1 ? 'person' : 'people')} must approve by ${moment(until)}`,
    'none-open': () =>
      say`New incidents appear here when an alert arrives, when the sentinel proves a deadlock, or when a person diagnoses a workload. To start one, press Search.`,
    severity: ({ severity, count }) =>
      say`${count} ${word(severity === 'info' ? 'other' : severityWords.en[severity].toLowerCase())}`,
    'stuck-for': ({ seconds }) => say`stuck for ${duration('en', seconds)}`,
    'open-for': ({ seconds }) => say`open for ${duration('en', seconds)}`,
    'no-assignee': () => say`no one is on it`,
    'changes-heading': () => say`${strong('Recent changes')}`,
    'no-changes': () => say`No changes yet. Approved fixes and their results appear here.`,
    more: ({ count }) => say`… and ${count} more`,
    'how-to-ask': () =>
      say`In a channel that has this app, use ${code('/rollout-doctor namespace/name')} or ${code('/rollout-doctor help')}.`,
    'as-of': ({ at }) => say`updated ${moment(at)}`,
    'policy-fault': ({ since }) =>
      say`${strong('The policy file has a fault')} since ${moment(since)}. The last good policy applies until the file is corrected. The log of the app names the fault.`,
    'clusters-away': ({ clusters }) =>
      say`${strong('No worker is running')} in ${names('en', clusters)}. Workloads there cannot be diagnosed or changed.`,
    'clusters-with': ({ fault, clusters }) => faultText.en[fault](names('en', clusters)),
    'not-shown': () => say`This page could not be loaded. Reopen it to try again.`,
  },
  ko: {
    'pending-heading': ({ count }) => say`${strong(`승인 대기 중인 변경 ${count}개`)}`,
    'nothing-pending': () => say`승인 대기 중인 변경이 없습니다`,
    pending: ({ title, workload }) => say`${code(workload)}: ${title}`,
    'you-can-approve': () => say`${strong('내가 승인할 수 있음')}`,
    'approved-by': ({ by }) => say`${joined('ko', by.map(person))} 승인`,
    missing: ({ missing, until }) => say`${moment(until)}까지 ${missing}명이 더 승인해야 함`,
    'none-open': () =>
      say`알림이 오거나, 센티널이 교착 상태를 증명하거나, 누군가 워크로드를 진단하면 여기에 표시됩니다. 직접 시작하려면 검색을 누르세요.`,
    severity: ({ severity, count }) =>
      say`${word(severity === 'info' ? '기타' : severityWords.ko[severity])} ${count}개`,
    'stuck-for': ({ seconds }) => say`${duration('ko', seconds)}째 멈춤`,
    'open-for': ({ seconds }) => say`${duration('ko', seconds)}째 열림`,
    'no-assignee': () => say`담당자 없음`,
    'changes-heading': () => say`${strong('최근 변경')}`,
    'no-changes': () => say`아직 변경이 없습니다. 승인된 조치와 결과가 여기에 표시됩니다.`,
    more: ({ count }) => say`… 외 ${count}개`,
    'how-to-ask': () =>
      say`앱이 초대된 채널에서 ${code('/rollout-doctor namespace/name')} 또는 ${code('/rollout-doctor help')} 명령을 사용하세요.`,
    'as-of': ({ at }) => say`${moment(at)} 업데이트`,
    'policy-fault': ({ since }) =>
      say`${strong('정책 파일에 오류가 있습니다')}(${moment(since)}부터). 파일을 고칠 때까지 마지막으로 정상이었던 정책을 적용합니다. 오류의 내용은 앱 로그에서 확인하세요.`,
    'clusters-away': ({ clusters }) =>
      say`${strong('실행 중인 워커가 없습니다')}: ${names('ko', clusters)}. 해당 클러스터의 워크로드는 진단하거나 변경할 수 없습니다.`,
    'clusters-with': ({ fault, clusters }) => faultText.ko[fault](names('ko', clusters)),
    'not-shown': () => say`페이지를 불러오지 못했습니다. 다시 열어 주세요.`,
  },
};
