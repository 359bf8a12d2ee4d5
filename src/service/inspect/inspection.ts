import type { ChainProblem } from '../../doctor/audit/audit-entry.js';
import type { Language } from '../../engine/language/language.js';
import { code, type Prose, say, word } from '../../engine/language/prose.js';
import type { Statement, ValuesOf } from '../../engine/language/statement.js';
import { counted, joined, names, particle } from '../../engine/language/words.js';
import { type SettingProblem, settingProblemText } from './setting-problem.js';

const maxNames = 20;

/** A `GroupProblem` in words. */
const groupProblems: Readonly<Record<'en' | 'ko', Readonly<Record<string, string>>>> = {
  en: {
    unknown: 'Slack has no such group',
    ambiguous: 'several groups have this handle',
    disabled: 'the group is disabled',
    external: 'the group belongs to another organisation',
  },
  ko: {
    unknown: 'Slack에 없는 그룹',
    ambiguous: '여러 그룹이 같은 핸들을 사용함',
    disabled: '비활성화된 그룹',
    external: '다른 조직의 그룹',
  },
};

/** What needs each scope of the bot: docs/slack-app.md. */
const scopePurposes: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    'app_mentions:read': 'requests by mention',
    'channels:history': 'alert messages and posts without duplicates in public channels',
    'channels:read': 'whether a public channel is shared',
    'chat:write': 'cards and answers',
    commands: 'the command and the message menu',
    'groups:history': 'alert messages and posts without duplicates in private channels',
    'groups:read': 'whether a private channel is shared',
    'usergroups:read': 'user groups in the policy',
    'users:read': 'languages and full members',
  },
  ko: {
    'app_mentions:read': '멘션 요청',
    'channels:history': '공개 채널의 알림 메시지와 중복 게시 방지',
    'channels:read': '공개 채널의 공유 여부',
    'chat:write': '카드와 응답',
    commands: '명령과 메시지 메뉴',
    'groups:history': '비공개 채널의 알림 메시지와 중복 게시 방지',
    'groups:read': '비공개 채널의 공유 여부',
    'usergroups:read': '정책의 사용자 그룹',
    'users:read': '언어와 정식 멤버 여부',
  },
};

function scopesWithPurpose(language: Language, scopes: readonly string[]): Prose {
  const items = scopes.map((scope) => {
    const purpose = scopePurposes[language][scope];
    return purpose === undefined ? say`${code(scope)}` : say`${code(scope)} (${word(purpose)})`;
  });
  return joined(language, items, maxNames);
}

/** The texts of `rollout-doctor doctor`. */
const en = {
  'config-works': () => say`Every setting is present and valid.`,
  'config-wrong': ({ problem }: { problem: SettingProblem }) =>
    say`${code(problem.where)}: ${settingProblemText(problem, 'en')}.`,
  'policy-empty': () =>
    say`${code('POLICY_FILE')} is not set, so no person can approve changes. Diagnoses still work.`,
  'approval-keys-work': ({ first, count }: { first: string; count: number }) =>
    count === 1
      ? say`Approvals are signed with the key ${code(first)}.`
      : say`Approvals are signed with the key ${code(first)} and verified with ${count} keys.`,
  'approval-keys-missing': () =>
    say`${code('APPROVAL_KEYS')} is not set. The app and the remediation worker do not start without it. To create a key, see docs/approval-keys.md.`,
  'login-works': ({ issuer }: { issuer: string }) => say`The login at ${code(issuer)} answers.`,
  'login-away': ({ issuer, message }: { issuer: string; message: string }) =>
    say`The login at ${code(issuer)} cannot be used: ${code(message)}. Approvals that need this login cannot be confirmed. Check ${code('LOGIN_ISSUER')}.`,
  /** The policy demands it, and it is not set up. */
  'login-unset': () =>
    say`The policy demands a login for some approvals, and ${code('LOGIN_ISSUER')} is not set, so these approvals are refused. See docs/login.md.`,
  'redis-works': ({ version }: { version: string }) => say`Redis ${code(version)} answers.`,
  'redis-away': ({ message, setting }: { message: string; setting: string }) =>
    say`Redis does not answer (${code(message)}). Check ${code(setting)}.`,
  'redis-refused': ({ message, setting }: { message: string; setting: string }) =>
    say`Redis rejected the connection: ${code(message)}. Check the user and password in ${code(setting)}.`,
  'redis-name-unknown': ({ name }: { name: string }) =>
    say`No Redis Sentinel monitors a primary with the name ${code(name)}. Check ${code('REDIS_SENTINEL_NAME')}.`,
  'redis-is-sentinel': () =>
    say`${code('REDIS_URL')} leads to a Redis Sentinel. Set its address in ${code('REDIS_SENTINELS')}.`,
  'redis-is-cluster': () =>
    say`${code('REDIS_URL')} leads to a node of a Redis Cluster. Set its address in ${code('REDIS_CLUSTER_NODES')}.`,
  'redis-old': ({ version, least }: { version: string; least: string }) =>
    say`Redis ${code(version)} is old: BullMQ recommends ${code(least)} or newer.`,
  'redis-keeps-keys': () => say`Redis evicts no keys (noeviction).`,
  'redis-evicts': ({ found }: { found: string }) =>
    say`Redis evicts keys when memory is short (${code(found)}), which would delete approvals and queued jobs. Set ${code('maxmemory-policy noeviction')}.`,
  'redis-appends': () => say`Redis writes an append-only file.`,
  'redis-forgets': () =>
    say`Redis writes no append-only file, so a crash loses the most recent records. Set ${code('appendonly yes')}.`,
  'redis-silent': ({ what }: { what: string }) =>
    say`Redis does not report its ${code(what)}. Check it by hand.`,
  'redis-replica': () => say`This Redis is a read-only replica. Set ${code('REDIS_URL')} to the primary.`,
  'audit-intact': ({ first, last }: { first: number; last: number }) =>
    last === 0
      ? say`The audit log has no decisions yet.`
      : say`The audit log is intact: decisions ${first} to ${last} are unchanged.`,
  /** `seq`: the first decision that is wrong or missing. */
  'audit-broken': ({ seq, problem }: { seq: number; problem: ChainProblem }) =>
    say`The audit log was changed outside Rollout Doctor: ${word(chainWords.en[problem])} at decision ${seq}. Compare it with the ${code('decision recorded')} lines in the logs, and check who can write to Redis.`,
  'redis-clock-differs': ({ seconds }: { seconds: number }) =>
    say`The clocks of Redis and of this machine differ by ${seconds} seconds. Approvals expire by the clock of Redis. Synchronise both clocks.`,
  'slack-groups-work': ({ count }: { count: number }) =>
    say`Slack returned all ${count} user groups that the policy names.`,
  'slack-groups-unknown': ({ error }: { error: string }) =>
    say`Slack returned no user groups (${code(error)}). Groups in the policy grant nothing. People that are named by ID can still approve.`,
  'slack-group-ignored': ({ group, problem }: { group: string; problem: string }) =>
    say`Group ${code(group)} in the policy grants nothing: ${word(groupProblems.en[problem] ?? problem)}. Use the ID of the group.`,
  'slack-works': ({ team, bot }: { team: string; bot: string }) =>
    say`Slack accepts the token of the bot ${code(bot)} in ${code(team)}.`,
  /** The app is installed in an organisation; `count`: workspaces that an administrator added it to. */
  'slack-organisation': ({ count }: { count: number }) =>
    count === 0
      ? say`The app is installed in an organisation, and no workspace of it uses the app. An administrator must add it to workspaces.`
      : say`The app is installed in an organisation and added to ${counted(count, 'workspace', 'workspaces')}.`,
  'slack-workspaces-unknown': ({ error }: { error: string }) =>
    say`The app is installed in an organisation, and Slack does not list its workspaces (${code(error)}). Until then, no person can see or approve anything.`,
  'slack-refused': ({ error }: { error: string }) =>
    say`Slack rejected the bot token (${code(error)}). Install the app again and copy its Bot User OAuth Token.`,
  'slack-away': ({ error }: { error: string }) => say`Slack does not answer (${code(error)}).`,
  'slack-unset': ({ variable }: { variable: string }) => say`${code(variable)} is not set.`,
  'slack-scopes-work': () => say`The bot has all required scopes.`,
  'slack-scopes-missing': ({ scopes }: { scopes: readonly string[] }) =>
    say`The bot lacks scopes: ${scopesWithPurpose('en', scopes)}. Add them to the app manifest and reinstall the app.`,
  'slack-no-reactions': ({ scope }: { scope: string }) =>
    say`Alert messages get no reactions. Reactions need the optional scope ${code(scope)}.`,
  /** People who log in are known by the address of their profile. */
  'slack-no-emails': ({ scope }: { scope: string }) =>
    say`The scope ${code(scope)} is missing, so no approval can be confirmed with the login. Add it and reinstall the app, or set ${code('LOGIN_PERSON_CLAIM')}.`,
  'slack-scopes-unknown': () => say`Slack does not report the scopes of the bot.`,
  'slack-no-images': ({ scope }: { scope: string }) =>
    say`Pictures are shown as text. Images need the optional scope ${code(scope)}.`,
  'slack-socket-works': () => say`Socket Mode can connect.`,
  'slack-socket-refused': ({ error }: { error: string }) =>
    say`Socket Mode cannot connect (${code(error)}). ${code('SLACK_APP_TOKEN')} needs the scope ${code('connections:write')}.`,
  'kubeconfig-wrong': ({ message }: { message: string }) =>
    say`The kubeconfig is not usable: ${code(message)}.`,
  'cluster-works': ({ cluster, version }: { cluster: string; version: string }) =>
    say`${code(cluster)} answers: Kubernetes ${code(version)}.`,
  'cluster-away': ({ cluster, because }: { cluster: string; because: string }) =>
    say`${code(cluster)} is not reachable: ${code(because)}.`,
  'cluster-readable': ({ cluster }: { cluster: string }) =>
    say`${code(cluster)}: this account can read everything that a diagnosis needs.`,
  'cluster-unreadable': ({ cluster, what }: { cluster: string; what: readonly string[] }) =>
    say`${code(cluster)}: this account cannot read ${names('en', what, maxNames)}. Diagnoses state what they could not read. The RBAC rules are in deploy/rbac.`,
  'cluster-unwatchable': ({ cluster, what }: { cluster: string; what: readonly string[] }) =>
    say`${code(cluster)}: this account cannot ${names('en', what, maxNames)}. The crash history needs pods, and the sentinel needs pods and events. Without nodes, each diagnosis lists all nodes. The RBAC rules are in deploy/rbac.`,
  'cluster-changeable': ({ cluster }: { cluster: string }) =>
    say`${code(cluster)}: this account can apply approved changes.`,
  'cluster-unchangeable': ({ cluster, what }: { cluster: string; what: readonly string[] }) =>
    say`${code(cluster)}: this account cannot ${names('en', what, maxNames)}. Ignore this if another account serves the remediation queue.`,
  /** Rights that fixes of workloads of KServe need, in a cluster that has KServe. */
  'kserve-works': ({ cluster }: { cluster: string }) =>
    say`${code(cluster)}: this account can read and change the InferenceServices and LLMInferenceServices of KServe.`,
  'kserve-forbidden': ({ cluster, what }: { cluster: string; what: readonly string[] }) =>
    say`${code(cluster)} has KServe, and this account cannot ${names('en', what, maxNames)}. Without get, fixes of its workloads are not recommended. Patch is for the account that serves the remediation queue. The RBAC rules are in deploy/rbac/kserve.`,
  /** Of a cluster with workers of its own. */
  'cluster-workers-report': ({ cluster }: { cluster: string }) =>
    say`${code(cluster)}: the workers of the cluster are running.`,
  'cluster-name-shared': ({ cluster }: { cluster: string }) =>
    say`${code(cluster)}: workers of two different clusters run with this ${code('CLUSTER_NAME')}. Give one of the clusters another name. Until then, nothing there is diagnosed for people, and no change is reviewed or approved.`,
  'cluster-api-away': ({ cluster }: { cluster: string }) =>
    say`${code(cluster)}: the workers run, and the API server does not answer them. Check its address and the credentials of the workers.`,
  'cluster-policy-differs': ({ cluster }: { cluster: string }) =>
    say`${code(cluster)}: the workers have another policy than the app. Give them the same ${code('POLICY_FILE')}, and the same version of Rollout Doctor.`,
  'cluster-worker-silent': ({ cluster, role }: { cluster: string; role: 'diagnosis' | 'remediation' }) =>
    say`${code(cluster)}: no ${word(role)} worker is running. Check the worker that starts with ${code(`CLUSTER_NAME=${cluster}`)}.`,
  'cluster-silent': ({ cluster }: { cluster: string }) =>
    say`${code(cluster)} does not report the permissions of this account.`,
};

const ko: typeof en = {
  'config-works': () => say`모든 설정이 있고 유효합니다.`,
  'config-wrong': ({ problem }) => say`${code(problem.where)}: ${settingProblemText(problem, 'ko')}.`,
  'policy-empty': () =>
    say`${code('POLICY_FILE')} 설정이 없어 아무도 변경을 승인할 수 없습니다. 진단은 사용할 수 있습니다.`,
  'approval-keys-work': ({ first, count }) =>
    count === 1
      ? say`승인에 서명하는 키는 ${code(first)}입니다.`
      : say`승인에 서명하는 키는 ${code(first)}${particle(first, '이며', '며')}, 키 ${count}개로 검증합니다.`,
  'approval-keys-missing': () =>
    say`${code('APPROVAL_KEYS')} 설정이 없습니다. 이 설정 없이는 앱과 remediation 워커가 시작되지 않습니다. 키 생성 방법은 docs/approval-keys.md 문서를 참고하세요.`,
  'login-works': ({ issuer }) => say`${code(issuer)} 로그인이 응답합니다.`,
  'login-away': ({ issuer, message }) =>
    say`${code(issuer)} 로그인을 사용할 수 없습니다(${code(message)}). 이 로그인이 필요한 승인은 확인할 수 없습니다. ${code('LOGIN_ISSUER')} 설정을 확인하세요.`,
  'login-unset': () =>
    say`정책에서 일부 승인에 로그인을 요구하지만 ${code('LOGIN_ISSUER')} 설정이 없어 해당 승인이 거부됩니다. docs/login.md를 참고하세요.`,
  'redis-works': ({ version }) => say`Redis ${code(version)} 서버가 응답합니다.`,
  'redis-away': ({ message, setting }) =>
    say`Redis가 응답하지 않습니다(${code(message)}). ${code(setting)} 값을 확인하세요.`,
  'redis-refused': ({ message, setting }) =>
    say`Redis가 연결을 거부했습니다: ${code(message)}. ${code(setting)} 값의 사용자와 비밀번호를 확인하세요.`,
  'redis-name-unknown': ({ name }) =>
    say`${code(name)} 이름의 주 서버를 감시하는 Redis Sentinel이 없습니다. ${code('REDIS_SENTINEL_NAME')} 값을 확인하세요.`,
  'redis-is-sentinel': () =>
    say`${code('REDIS_URL')} 주소는 Redis Sentinel입니다. 이 주소를 ${code('REDIS_SENTINELS')}에 설정하세요.`,
  'redis-is-cluster': () =>
    say`${code('REDIS_URL')} 주소는 Redis Cluster의 노드입니다. 이 주소를 ${code('REDIS_CLUSTER_NODES')}에 설정하세요.`,
  'redis-old': ({ version, least }) =>
    say`Redis ${code(version)} 버전은 낮습니다. BullMQ는 ${code(least)} 이상을 권장합니다.`,
  'redis-keeps-keys': () => say`Redis가 키를 축출하지 않습니다(noeviction).`,
  'redis-evicts': ({ found }) =>
    say`메모리가 부족하면 Redis가 키를 축출합니다(${code(found)}). 승인과 대기 중인 작업이 삭제될 수 있습니다. ${code('maxmemory-policy noeviction')} 설정이 필요합니다.`,
  'redis-appends': () => say`Redis가 append-only 파일을 씁니다.`,
  'redis-forgets': () =>
    say`Redis가 append-only 파일을 쓰지 않아, 비정상 종료 시 최근 기록이 손실됩니다. ${code('appendonly yes')} 설정이 필요합니다.`,
  'redis-silent': ({ what }) => say`Redis가 ${code(what)} 값을 알려 주지 않습니다. 직접 확인하세요.`,
  'redis-replica': () =>
    say`이 Redis는 읽기 전용 복제본입니다. ${code('REDIS_URL')} 값을 주 서버로 설정하세요.`,
  'audit-intact': ({ first, last }) =>
    last === 0
      ? say`감사 로그에 아직 결정이 없습니다.`
      : say`감사 로그가 온전합니다. ${first}번부터 ${last}번까지 변경되지 않았습니다.`,
  'audit-broken': ({ seq, problem }) =>
    say`감사 로그가 외부에서 변경되었습니다. ${seq}번 결정: ${word(chainWords.ko[problem])}. 로그의 ${code('decision recorded')} 줄과 비교하고, 누가 Redis에 쓸 수 있는지 확인하세요.`,
  'redis-clock-differs': ({ seconds }) =>
    say`Redis와 이 서버의 시계가 ${seconds}초 다릅니다. 승인은 Redis 시계로 만료됩니다. 두 시계를 동기화하세요.`,
  'slack-groups-work': ({ count }) => say`정책에 있는 사용자 그룹 ${count}개를 Slack에서 모두 확인했습니다.`,
  'slack-groups-unknown': ({ error }) =>
    say`Slack에서 사용자 그룹을 가져오지 못했습니다(${code(error)}). 정책의 그룹에는 권한이 부여되지 않습니다. ID로 지정된 사람은 승인할 수 있습니다.`,
  'slack-group-ignored': ({ group, problem }) =>
    say`정책의 ${code(group)} 그룹에는 권한이 부여되지 않습니다: ${word(groupProblems.ko[problem] ?? problem)}. 그룹을 ID로 지정하세요.`,
  'slack-works': ({ team, bot }) => say`Slack이 ${code(team)}에서 봇 ${code(bot)}의 토큰을 확인했습니다.`,
  'slack-organisation': ({ count }) =>
    count === 0
      ? say`앱이 조직에 설치되어 있지만 추가된 워크스페이스가 없습니다. 관리자가 워크스페이스에 앱을 추가해야 합니다.`
      : say`앱이 조직에 설치되어 있고 워크스페이스 ${count}개에 추가되어 있습니다.`,
  'slack-workspaces-unknown': ({ error }) =>
    say`앱이 조직에 설치되어 있지만 Slack이 워크스페이스 목록을 알려 주지 않습니다(${code(error)}). 그동안은 아무도 조회하거나 승인할 수 없습니다.`,
  'slack-refused': ({ error }) =>
    say`Slack이 봇 토큰을 거부했습니다(${code(error)}). 앱을 다시 설치하고 Bot User OAuth Token을 복사하세요.`,
  'slack-away': ({ error }) => say`Slack이 응답하지 않습니다(${code(error)}).`,
  'slack-unset': ({ variable }) => say`${code(variable)} 설정이 없습니다.`,
  'slack-scopes-work': () => say`봇에 필요한 스코프가 모두 있습니다.`,
  'slack-scopes-missing': ({ scopes }) =>
    say`봇에 필요한 스코프가 없습니다: ${scopesWithPurpose('ko', scopes)}. 앱 매니페스트에 추가하고 앱을 다시 설치하세요.`,
  'slack-no-reactions': ({ scope }) =>
    say`알림 메시지에 반응 이모지를 달지 않습니다. 달려면 선택 스코프 ${code(scope)}${particle(scope, '이', '가')} 필요합니다.`,
  'slack-no-emails': ({ scope }) =>
    say`${code(scope)} 권한이 없어 로그인으로 승인을 확인할 수 없습니다. 권한을 추가하고 앱을 다시 설치하거나 ${code('LOGIN_PERSON_CLAIM')}을 설정하세요.`,
  'slack-scopes-unknown': () => say`Slack이 봇의 스코프를 알려 주지 않습니다.`,
  'slack-no-images': ({ scope }) =>
    say`그림을 텍스트로 표시합니다. 이미지로 표시하려면 선택 스코프 ${code(scope)}${particle(scope, '이', '가')} 필요합니다.`,
  'slack-socket-works': () => say`Socket Mode로 연결할 수 있습니다.`,
  'slack-socket-refused': ({ error }) =>
    say`Socket Mode로 연결할 수 없습니다(${code(error)}). ${code('SLACK_APP_TOKEN')} 토큰에 ${code('connections:write')} 스코프가 필요합니다.`,
  'kubeconfig-wrong': ({ message }) => say`kubeconfig를 사용할 수 없습니다: ${code(message)}.`,
  'cluster-works': ({ cluster, version }) =>
    say`${code(cluster)} 클러스터가 응답합니다: Kubernetes ${code(version)}.`,
  'cluster-away': ({ cluster, because }) =>
    say`${code(cluster)} 클러스터에 연결할 수 없습니다: ${code(because)}.`,
  'cluster-readable': ({ cluster }) =>
    say`${code(cluster)}: 이 계정은 진단에 필요한 리소스를 모두 읽을 수 있습니다.`,
  'cluster-unreadable': ({ cluster, what }) =>
    say`${code(cluster)}: 이 계정이 읽을 수 없는 리소스: ${names('ko', what, maxNames)}. 읽지 못한 리소스는 진단에 표시됩니다. RBAC 규칙은 deploy/rbac에 있습니다.`,
  'cluster-unwatchable': ({ cluster, what }) =>
    say`${code(cluster)}: 이 계정에 없는 권한: ${names('ko', what, maxNames)}. 크래시 이력에는 pods, 센티널에는 pods와 events 권한이 필요합니다. nodes 권한이 없으면 진단할 때마다 모든 노드를 조회합니다. RBAC 규칙은 deploy/rbac에 있습니다.`,
  'cluster-changeable': ({ cluster }) => say`${code(cluster)}: 이 계정은 승인된 변경을 적용할 수 있습니다.`,
  'cluster-unchangeable': ({ cluster, what }) =>
    say`${code(cluster)}: 이 계정에 없는 권한: ${names('ko', what, maxNames)}. 다른 계정이 remediation 큐를 처리한다면 무시하세요.`,
  'kserve-works': ({ cluster }) =>
    say`${code(cluster)}: 이 계정은 KServe의 InferenceService와 LLMInferenceService를 읽고 변경할 수 있습니다.`,
  'kserve-forbidden': ({ cluster, what }) =>
    say`${code(cluster)}: KServe가 있지만 이 계정에 없는 권한: ${names('ko', what, maxNames)}. get 권한이 없으면 그 워크로드의 조치는 권장되지 않습니다. patch 권한은 remediation 큐를 처리하는 계정에 필요합니다. RBAC 규칙은 deploy/rbac/kserve에 있습니다.`,
  'cluster-workers-report': ({ cluster }) => say`${code(cluster)}: 클러스터의 워커가 실행 중입니다.`,
  'cluster-name-shared': ({ cluster }) =>
    say`${code(cluster)}: 서로 다른 두 클러스터의 워커가 같은 ${code('CLUSTER_NAME')} 설정으로 실행되고 있습니다. 한쪽 클러스터의 이름을 바꾸세요. 그때까지는 진단 요청과 변경의 검토·승인이 거부됩니다.`,
  'cluster-api-away': ({ cluster }) =>
    say`${code(cluster)}: 워커는 실행 중이지만 API 서버가 응답하지 않습니다. API 서버 주소와 워커의 자격 증명을 확인하세요.`,
  'cluster-policy-differs': ({ cluster }) =>
    say`${code(cluster)}: 워커의 정책이 앱의 정책과 다릅니다. ${code('POLICY_FILE')} 내용과 Rollout Doctor 버전을 앱과 같게 맞추세요.`,
  'cluster-worker-silent': ({ cluster, role }) =>
    say`${code(cluster)}: 실행 중인 ${word(role === 'diagnosis' ? '진단' : '조치')} 워커가 없습니다. ${code(`CLUSTER_NAME=${cluster}`)} 설정으로 시작하는 워커를 확인하세요.`,
  'cluster-silent': ({ cluster }) => say`${code(cluster)} 클러스터가 이 계정의 권한을 알려 주지 않습니다.`,
};

export const inspectionText = { en, ko };

const chainWords: { readonly [Each in Language]: { readonly [Problem in ChainProblem]: string } } = {
  en: {
    altered: 'an entry was modified',
    'out-of-order': 'an entry was removed, inserted or moved',
    'end-missing': 'the newest entries are missing',
  },
  ko: {
    altered: '항목이 수정됨',
    'out-of-order': '항목이 삭제, 삽입 또는 이동됨',
    'end-missing': '최근 항목이 없음',
  },
};

/** The catalogue that tells these statements. */
export const inspectionCatalogueId = 'inspection';

/** What an inspection of the installation states; told by `inspection-text.ts`. */
export type InspectionShapes = ValuesOf<typeof en>;

/** One thing that was looked at. */
export interface Inspected {
  readonly part: 'configuration' | 'redis' | 'slack' | 'kubernetes';
  /**
   * `works`. `missing`: something does not work until it is put right. `note`: fine if it is meant so.
   * `unknown`: it could not be looked at.
   */
  readonly state: 'works' | 'missing' | 'note' | 'unknown';
  readonly says: Statement;
  /** The wrong setting behind it: no process starts with it. */
  readonly setting?: SettingProblem;
}

/** @returns one inspected thing of a part, its key and values checked */
export function inspected<Key extends keyof InspectionShapes & string>(
  part: Inspected['part'],
  how: Inspected['state'],
  key: Key,
  values: InspectionShapes[Key],
  setting?: SettingProblem,
): Inspected {
  const says: Statement = { catalogue: inspectionCatalogueId, key, values };
  return { part, state: how, says, ...(setting === undefined ? {} : { setting }) };
}
