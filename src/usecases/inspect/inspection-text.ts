import type { ChainProblem } from '../../core/audit/decision-chain.js';
import type { Catalogue } from '../../core/language/catalogue.js';
import type { Language } from '../../core/language/language.js';
import { code, say, word } from '../../core/language/prose.js';
import { names } from '../../core/language/words.js';
import type { InspectionShapes } from './inspection.js';

const most = 20;

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

/** The words of `rollout-doctor doctor`. */
export const inspectionText: Catalogue<InspectionShapes> = {
  en: {
    'config-works': () => say`Every setting is there and can be read.`,
    'config-wrong': ({ where, expected }) =>
      say`${code(where)} is missing or wrong: expected ${code(expected)}.`,
    'policy-empty': () =>
      say`There is no ${code('POLICY_FILE')}, so nobody may approve anything. Looking works all the same.`,
    'approval-keys-work': ({ first, count }) =>
      count === 1
        ? say`Approvals are signed with the key ${code(first)}.`
        : say`Approvals are signed with the key ${code(first)}; ${count} keys verify them.`,
    'approval-keys-missing': () =>
      say`${code('APPROVAL_KEYS')} is not set. The app and the remediation worker do not start without it. docs/approval-keys.md shows how to make one.`,
    'redis-works': ({ version }) => say`Redis ${code(version)} answers.`,
    'redis-away': ({ message }) => say`Redis does not answer (${code(message)}). Check ${code('REDIS_URL')}.`,
    'redis-refused': ({ message }) =>
      say`Redis refuses us: ${code(message)}. Check the user and password in ${code('REDIS_URL')}.`,
    'redis-old': ({ version, least }) =>
      say`Redis ${code(version)} is old: BullMQ recommends ${code(least)} or newer.`,
    'redis-keeps-keys': () => say`Redis evicts no keys (noeviction).`,
    'redis-evicts': ({ found }) =>
      say`Redis evicts keys when memory is short (${code(found)}): approvals and queued jobs would vanish. Set ${code('maxmemory-policy noeviction')}.`,
    'redis-appends': () => say`Redis writes an append-only file.`,
    'redis-forgets': () =>
      say`Redis writes no append-only file: after a crash, what was written last is gone. Set ${code('appendonly yes')}.`,
    'redis-silent': ({ what }) => say`Redis does not say its ${code(what)}. Check it by hand.`,
    'redis-replica': () =>
      say`This Redis is a replica and takes no writes. ${code('REDIS_URL')} must name the primary.`,
    'audit-intact': ({ first, last }) =>
      last === 0
        ? say`No decision is recorded yet.`
        : say`Decisions ${first} to ${last} are as they were recorded.`,
    'audit-broken': ({ seq, problem }) =>
      say`The record of decisions was changed from outside: ${word(chainWords.en[problem])} at decision ${seq}. Compare it with the ${code('decision recorded')} lines in the logs, and find out who can write to Redis.`,
    'redis-clock-differs': ({ seconds }) =>
      say`The clocks of Redis and of this machine differ by ${seconds} seconds. Approvals expire by the clock of Redis. Synchronise both.`,
    'slack-groups-work': ({ count }) => say`Slack shows all ${count} user groups that the policy names.`,
    'slack-groups-unknown': ({ error }) =>
      say`Slack shows no user groups (${code(error)}). Groups of the policy grant nothing; people named by id may approve.`,
    'slack-group-ignored': ({ group, problem }) =>
      say`The policy's group ${code(group)} grants nothing: ${word(groupProblems.en[problem] ?? problem)}. Name the group by its id.`,
    'slack-works': ({ team, bot }) => say`Slack knows the bot token: ${code(bot)} in ${code(team)}.`,
    'slack-refused': ({ error }) =>
      say`Slack refuses the bot token (${code(error)}). Install the app again and copy its Bot User OAuth Token.`,
    'slack-away': ({ error }) => say`Slack does not answer (${code(error)}).`,
    'slack-unset': ({ variable }) => say`${code(variable)} is not set.`,
    'slack-scopes-work': () => say`The bot has every scope it uses.`,
    'slack-scopes-missing': ({ scopes }) =>
      say`The bot lacks ${names('en', scopes, most)}. Add it to the app's manifest and install the app again.`,
    'slack-scopes-unknown': () => say`Slack does not say which scopes the bot has.`,
    'slack-socket-works': () => say`Socket Mode can connect.`,
    'slack-socket-refused': ({ error }) =>
      say`Socket Mode cannot connect (${code(error)}). ${code('SLACK_APP_TOKEN')} needs the scope ${code('connections:write')}.`,
    'kubeconfig-wrong': ({ message }) => say`The kubeconfig cannot be used: ${code(message)}.`,
    'cluster-works': ({ cluster, version }) => say`${code(cluster)} answers: Kubernetes ${code(version)}.`,
    'cluster-away': ({ cluster, because }) => say`${code(cluster)} cannot be asked: ${code(because)}.`,
    'cluster-readable': ({ cluster }) => say`${code(cluster)}: everything a diagnosis needs may be read.`,
    'cluster-unreadable': ({ cluster, what }) =>
      say`${code(cluster)}: may not be read: ${names('en', what, most)}. Diagnoses say what they could not see; deploy/rbac has the rules.`,
    'cluster-unwatchable': ({ cluster, what }) =>
      say`${code(cluster)}: this account may not ${names('en', what, most)}. Without it there is no crash history (pods) and no sentinel (pods, events), and each diagnosis lists all nodes (nodes); deploy/rbac has the rules.`,
    'cluster-changeable': ({ cluster }) => say`${code(cluster)}: approved changes may be made.`,
    'cluster-unchangeable': ({ cluster, what }) =>
      say`${code(cluster)}: this account may not ${names('en', what, most)}. Fine where another one serves the remediation queue.`,
    'cluster-silent': ({ cluster }) => say`${code(cluster)} does not say what we may do.`,
  },
  ko: {
    'config-works': () => say`모든 설정이 있고 읽을 수 있습니다.`,
    'config-wrong': ({ where, expected }) =>
      say`${code(where)} 설정이 없거나 잘못되었습니다. 필요한 값: ${code(expected)}.`,
    'policy-empty': () =>
      say`${code('POLICY_FILE')} 설정이 없어 아무도 승인할 수 없습니다. 진단은 그대로 됩니다.`,
    'approval-keys-work': ({ first, count }) =>
      count === 1
        ? say`승인은 키 ${code(first)}(으)로 서명됩니다.`
        : say`승인은 키 ${code(first)}(으)로 서명되고, 키 ${count}개로 검증됩니다.`,
    'approval-keys-missing': () =>
      say`${code('APPROVAL_KEYS')} 설정이 없습니다. 이 설정 없이는 앱과 remediation 워커가 시작되지 않습니다. 만드는 방법은 docs/approval-keys.md에 있습니다.`,
    'redis-works': ({ version }) => say`Redis ${code(version)} 서버가 응답합니다.`,
    'redis-away': ({ message }) =>
      say`Redis가 응답하지 않습니다(${code(message)}). ${code('REDIS_URL')} 값을 확인하세요.`,
    'redis-refused': ({ message }) =>
      say`Redis가 접속을 거부합니다: ${code(message)}. ${code('REDIS_URL')} 값의 사용자와 비밀번호를 확인하세요.`,
    'redis-old': ({ version, least }) =>
      say`Redis ${code(version)} 버전은 낮습니다. BullMQ는 ${code(least)} 이상을 권장합니다.`,
    'redis-keeps-keys': () => say`Redis가 키를 내보내지 않습니다(noeviction).`,
    'redis-evicts': ({ found }) =>
      say`메모리가 모자라면 Redis가 키를 내보냅니다(${code(found)}). 승인과 대기 중인 작업이 사라질 수 있습니다. ${code('maxmemory-policy noeviction')} 설정이 필요합니다.`,
    'redis-appends': () => say`Redis가 append-only 파일을 씁니다.`,
    'redis-forgets': () =>
      say`Redis가 append-only 파일을 쓰지 않아, 비정상 종료하면 마지막 기록이 사라집니다. ${code('appendonly yes')} 설정이 필요합니다.`,
    'redis-silent': ({ what }) => say`Redis가 ${code(what)} 값을 알려 주지 않습니다. 직접 확인하세요.`,
    'redis-replica': () =>
      say`이 Redis는 복제본이라 쓸 수 없습니다. ${code('REDIS_URL')} 값은 주 서버여야 합니다.`,
    'audit-intact': ({ first, last }) =>
      last === 0
        ? say`기록된 결정이 아직 없습니다.`
        : say`${first}번부터 ${last}번까지의 결정이 기록된 그대로입니다.`,
    'audit-broken': ({ seq, problem }) =>
      say`결정 기록이 외부에서 변경되었습니다. ${seq}번 결정: ${word(chainWords.ko[problem])}. 로그의 ${code('decision recorded')} 줄과 비교하고, 누가 Redis에 쓸 수 있는지 확인하세요.`,
    'redis-clock-differs': ({ seconds }) =>
      say`Redis와 이 서버의 시계가 ${seconds}초 다릅니다. 승인은 Redis 시계로 만료됩니다. 두 시계를 동기화하세요.`,
    'slack-groups-work': ({ count }) =>
      say`정책에 있는 사용자 그룹 ${count}개를 Slack에서 모두 확인했습니다.`,
    'slack-groups-unknown': ({ error }) =>
      say`Slack에서 사용자 그룹을 확인할 수 없습니다(${code(error)}). 정책의 그룹에는 권한이 없으며, ID로 지정된 사람은 승인할 수 있습니다.`,
    'slack-group-ignored': ({ group, problem }) =>
      say`정책의 그룹 ${code(group)}에는 권한이 없습니다: ${word(groupProblems.ko[problem] ?? problem)}. 그룹을 ID로 지정하세요.`,
    'slack-works': ({ team, bot }) => say`Slack이 봇 토큰을 확인했습니다: ${code(team)}의 ${code(bot)}.`,
    'slack-refused': ({ error }) =>
      say`Slack이 봇 토큰을 거부합니다(${code(error)}). 앱을 다시 설치하고 Bot User OAuth Token을 복사하세요.`,
    'slack-away': ({ error }) => say`Slack이 응답하지 않습니다(${code(error)}).`,
    'slack-unset': ({ variable }) => say`${code(variable)} 설정이 없습니다.`,
    'slack-scopes-work': () => say`봇에 필요한 스코프가 모두 있습니다.`,
    'slack-scopes-missing': ({ scopes }) =>
      say`봇에 없는 스코프: ${names('ko', scopes, most)}. 앱 매니페스트에 넣고 앱을 다시 설치하세요.`,
    'slack-scopes-unknown': () => say`Slack이 봇의 스코프를 알려 주지 않습니다.`,
    'slack-socket-works': () => say`Socket Mode로 연결할 수 있습니다.`,
    'slack-socket-refused': ({ error }) =>
      say`Socket Mode로 연결할 수 없습니다(${code(error)}). ${code('SLACK_APP_TOKEN')} 토큰에 ${code('connections:write')} 스코프가 필요합니다.`,
    'kubeconfig-wrong': ({ message }) => say`kubeconfig를 쓸 수 없습니다: ${code(message)}.`,
    'cluster-works': ({ cluster, version }) =>
      say`${code(cluster)} 클러스터가 응답합니다: Kubernetes ${code(version)}.`,
    'cluster-away': ({ cluster, because }) =>
      say`${code(cluster)} 클러스터에 물어볼 수 없습니다: ${code(because)}.`,
    'cluster-readable': ({ cluster }) => say`${code(cluster)}: 진단에 필요한 것을 모두 읽을 수 있습니다.`,
    'cluster-unreadable': ({ cluster, what }) =>
      say`${code(cluster)}: 읽을 수 없는 것: ${names('ko', what, most)}. 진단은 보지 못한 것을 밝힙니다. 규칙은 deploy/rbac에 있습니다.`,
    'cluster-unwatchable': ({ cluster, what }) =>
      say`${code(cluster)}: 이 계정으로 할 수 없는 것: ${names('ko', what, most)}. 이 권한이 없으면 크래시 이력(pods)과 센티널(pods, events)이 동작하지 않고, 진단할 때마다 모든 노드(nodes)를 조회합니다. 규칙은 deploy/rbac에 있습니다.`,
    'cluster-changeable': ({ cluster }) => say`${code(cluster)}: 승인된 변경을 적용할 수 있습니다.`,
    'cluster-unchangeable': ({ cluster, what }) =>
      say`${code(cluster)}: 이 계정으로 할 수 없는 것: ${names('ko', what, most)}. 다른 계정이 remediation 큐를 맡는다면 괜찮습니다.`,
    'cluster-silent': ({ cluster }) => say`${code(cluster)} 클러스터가 권한을 알려 주지 않습니다.`,
  },
};

const chainWords: { readonly [Each in Language]: { readonly [Problem in ChainProblem]: string } } = {
  en: {
    altered: 'an entry was altered',
    'out-of-order': 'an entry was removed, inserted or moved',
    'end-missing': 'the newest entries are missing',
  },
  ko: {
    altered: '항목이 수정됨',
    'out-of-order': '항목이 삭제되거나 끼워 넣어지거나 옮겨짐',
    'end-missing': '최근 항목이 없음',
  },
};
