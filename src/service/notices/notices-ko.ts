import { code, moment, person, quote, say, sentences, word } from '../../engine/language/prose.js';
import { duration, joined, names } from '../../engine/language/words.js';
import type { noticesEn } from './notices-en.js';
import {
  approvers,
  distrustWords,
  isDecision,
  leftBecause,
  originalMessage,
  redisWords,
  refusedWords,
  stateWords,
  uncertainLeft,
  unreadableWords,
} from './notices-words.js';

/** The same in Korean. */
export const noticesKo: typeof noticesEn = {
  'not-authorised': ({ workload, cluster, users, groups }) =>
    sentences(
      say`${code(workload)} 워크로드를 볼 수는 있지만, 클러스터 ${code(cluster)}에서 변경을 승인할 권한은 없습니다.`,
      approvers('ko', users, groups),
    ),
  'may-not-silence': ({ workload, cluster, users, groups }) =>
    sentences(
      say`정책에 따라 클러스터 ${code(cluster)}의 ${code(workload)} 알림을 끄거나 켤 수 없습니다.`,
      approvers('ko', users, groups),
    ),
  'may-not-stop-changes': ({ users, groups }) =>
    sentences(say`정책에 따라 변경을 중지하거나 허용할 수 없습니다.`, approvers('ko', users, groups)),
  'changes-stopped': ({ reason, by, at }) =>
    by === undefined || at === undefined
      ? say`정책에서 모든 변경을 중지했습니다: ${quote(reason)}.`
      : say`${person(by)} 님이 ${moment(at)}에 모든 변경을 중지했습니다: ${quote(reason)}.`,
  'changes-frozen': ({ workload, reason, until }) =>
    say`${moment(until)}까지 ${code(workload)} 변경이 동결되었습니다: ${quote(reason)}.`,
  'too-many-changes': ({ workload, changesPerHour, freeAt }) =>
    say`정책에 따라 ${code(workload)} 워크로드는 한 시간에 ${changesPerHour}번까지 변경할 수 있습니다. 다음 변경은 ${moment(freeAt)}부터 가능합니다.`,
  'change-cancelled': ({ by }) =>
    say`${person(by)} 님이 변경을 보내기 전에 취소했습니다. 아무것도 변경하지 않았습니다.`,
  'second-step-cancelled': ({ by, pods }) =>
    say`${person(by)} 님이 2단계를 취소했습니다. 1단계는 적용되었고, ${names('ko', pods)} 파드는 삭제하지 않았습니다.`,
  'second-step-left': ({ pods, because, message }) =>
    sentences(
      uncertainLeft.has(because)
        ? say`1단계는 적용되었습니다. 2단계에서 ${names('ko', pods)} 파드가 삭제되었는지는 알 수 없습니다: ${leftBecause('ko', because, message)}.`
        : say`1단계는 적용되었습니다. 2단계에서 ${names('ko', pods)} 파드를 삭제하지 않았습니다: ${leftBecause('ko', because, message)}.`,
      because === 'protected' ? [] : originalMessage('ko', message),
    ),
  'too-late-to-cancel': ({ workload }) =>
    say`${code(workload)} 변경은 이미 전송되었거나 끝나서 취소할 수 없습니다. 현재 상태는 카드에서 확인하세요.`,
  'not-a-member': ({ workload }) =>
    say`${code(workload)}의 변경은 이 워크스페이스의 정식 멤버만 승인할 수 있습니다.`,
  'nothing-visible': () =>
    say`정책에 따라 볼 수 있는 워크로드가 없습니다. 게스트와 다른 워크스페이스의 멤버는 정책의 ${code('view')} 항목에 지정되어야 합니다. Rollout Doctor 관리자에게 문의하세요.`,
  'proposal-needs-person': () =>
    say`이 어시스턴트는 사용자 그룹으로 동작하므로 변경을 직접 지정할 수 없습니다. 변경을 지정하지 않으면 진단이 권장하는 변경을 제안합니다.`,
  'nothing-to-propose': () =>
    say`진단이 권장하는 변경이 없습니다. 검토를 요청하지 않았습니다. 진단 결과는 ${code('diagnose_rollout')} 도구에서 확인할 수 있습니다.`,
  'channel-shared': () =>
    say`이 채널은 다른 워크스페이스와 공유되어 있어 워크로드를 표시하지 않습니다. 이 워크스페이스 전용 채널을 사용하세요. 또는 관리자에게 정책의 ${code('channels')} 항목에 이 채널을 ${code('shared: true')} 설정과 함께 추가해 달라고 요청하세요.`,
  'channel-unknown': () =>
    say`이 채널이 다른 워크스페이스와 공유되어 있는지 Slack에서 확인하지 못해 워크로드를 표시하지 않습니다. ${code('/invite @rollout-doctor')} 명령으로 초대한 뒤 다시 시도하거나 다른 채널을 사용하세요.`,
  'channel-unknown-scope': () =>
    say`이 채널이 다른 워크스페이스와 공유되어 있는지 확인할 수 없어 워크로드를 표시하지 않습니다. Slack 앱에 ${code('channels:read')} 스코프(비공개 채널은 ${code('groups:read')} 스코프)가 없습니다. 관리자에게 두 스코프를 추가하고 앱을 다시 설치해 달라고 요청하세요. 또는 정책의 ${code('channels')} 항목에 이 채널을 ${code('shared: true')} 설정과 함께 추가해 달라고 요청하세요.`,
  'channel-not-listed': () =>
    say`이 채널에 표시할 수 있는 네임스페이스가 정책에 없습니다. 다른 채널을 사용하거나, 관리자에게 정책의 ${code('channels')} 항목에 이 채널을 추가해 달라고 요청하세요.`,
  'not-shown-here': () =>
    say`정책에 따라 이 채널에는 결과를 표시할 수 없습니다. 해당 네임스페이스를 표시할 수 있는 채널을 사용하세요.`,
  'may-approve': ({ workload }) =>
    say`${code(workload)} 변경은 직접 승인할 수 있습니다. 카드에서 조치 검토를 누르세요.`,
  'approval-requested': ({ by }) =>
    say`${person(by)} 님이 이미 스레드에서 승인을 요청했습니다. 다시 요청하지 않았습니다.`,
  'approval-requests-full': ({ workload, max }) =>
    say`이 인시던트에서 ${code(workload)} 승인을 이미 ${max}번 요청했습니다. 다시 요청하지 않았습니다.`,
  'incident-over': ({ workload }) =>
    say`${code(workload)} 인시던트는 종료되었습니다. 현재 상태를 보려면 다시 진단을 누르세요.`,
  'assignee-cannot-view': ({ workload, user }) =>
    say`정책에 따라 ${person(user)} 님은 ${code(workload)} 워크로드를 볼 수 없습니다. 담당자는 그대로입니다.`,
  'handed-to-you': ({ workload, by }) =>
    say`${person(by)} 님이 ${code(workload)} 인시던트를 넘겼습니다. 이제 담당자로 표시됩니다.`,
  'taken-from-you': ({ workload, by }) =>
    say`${person(by)} 님이 ${code(workload)} 인시던트를 이어받았습니다.`,
  'own-request': ({ workload }) =>
    say`${code(workload)} 진단을 직접 요청하거나 다시 실행했거나 이 검토를 여셨습니다. 정책에 따라 변경은 다른 사람이 승인해야 합니다.`,
  'login-not-set-up': ({ workload }) =>
    say`정책에 따라 ${code(workload)} 승인은 회사 로그인으로 확인해야 하지만 ${code('LOGIN_ISSUER')} 설정이 없습니다. 아무것도 변경하지 않았습니다. Rollout Doctor 관리자에게 설정을 요청하세요.`,
  'login-distrusted': ({ workload }) =>
    say`이 로그인은 ${code(workload)} 승인을 확인한 것이 아닙니다. 아무것도 변경하지 않았습니다. 검토를 다시 눌러 주세요.`,
  'login-link-used': () =>
    say`이미 사용했거나 만료된 링크입니다. 승인이 반영되었는지 카드에서 확인하고, 반영되지 않았다면 검토를 다시 눌러 주세요.`,
  'same-person': ({ missing }) => say`이미 승인하셨습니다. ${missing}명이 더 승인해야 합니다.`,
  'name-not-typed': ({ workload }) =>
    say`이 변경을 승인하려면 ${code(workload)} 이름을 입력해야 합니다. 검토를 다시 열어 주세요.`,
  'already-decided': ({ by, secondsAgo, state }) =>
    sentences(
      by === undefined
        ? say`이미 결정된 변경입니다.`
        : say`${person(by)} 님이 ${secondsAgo === undefined ? [] : say`${duration('ko', secondsAgo)} 전에 `}이미 ${word(state === 'rejected' ? '거절' : '승인')}했습니다.`,
      by !== undefined && isDecision(state) ? [] : say`현재 상태: ${word(stateWords.ko[state] ?? state)}.`,
      say`이번 클릭으로 변경된 내용은 없습니다.`,
    ),
  'groups-unknown': ({ workload, cluster, users, error }) =>
    sentences(
      say`Slack에서 사용자 그룹을 가져오지 못했습니다(${code(error)}). 클러스터 ${code(cluster)}의 ${code(workload)} 변경은 정책에 ID로 지정된 사람만 승인할 수 있습니다.`,
      approvers('ko', users, []),
    ),
  'approvers-unknown': ({ workload }) =>
    say`승인자에게 ${code(workload)} 변경을 승인할 권한이 아직 있는지 Slack에서 제때 확인하지 못했습니다. 승인이 만료되었고 아무것도 변경하지 않았습니다. 검토를 다시 눌러 주세요.`,
  'approvers-missing': ({ workload, lost, missing }) =>
    sentences(
      say`현재 정책으로는 ${code(workload)} 변경에 대한 이 승인이 유효하지 않습니다. 아무것도 변경하지 않았습니다.`,
      lost.length === 0 ? [] : say`지금 승인 권한이 없는 사람: ${joined('ko', lost.map(person))}.`,
      say`${missing}명이 더 승인해야 합니다. 검토를 다시 눌러 주세요.`,
    ),
  'approval-distrusted': ({ id, because }) =>
    say`저장된 기록 ${code(id)} 항목은 Rollout Doctor가 서명한 승인이 아닙니다: ${word(distrustWords.ko[because] ?? because)}. 이 기록은 무시합니다. 검토를 다시 눌러 주세요.`,
  'approval-expired': ({ minutes }) =>
    say`이 검토는 ${minutes}분이 지나 만료되었습니다. 검토를 다시 눌러 클러스터의 현재 상태를 확인하세요.`,
  'pull-request-lost': ({ workload }) =>
    say`${code(workload)} 풀 리퀘스트의 승인 기록이 Redis에서 사라졌습니다. 풀 리퀘스트가 있는지, 병합되었는지 Git에서 확인하세요. 클러스터의 상태는 다음 진단에서 확인할 수 있습니다.`,
  'approval-unknown': ({ id }) =>
    say`${code(id)} 검토가 없거나 볼 권한이 없습니다. 이미 끝났을 수 있습니다. 진단을 다시 요청하세요.`,
  'incident-unknown': ({ id }) =>
    say`${code(id)} 인시던트가 없거나 볼 권한이 없습니다. 이미 끝났을 수 있습니다. 진단을 다시 요청하세요.`,
  'remediation-unknown': ({ id }) =>
    say`${code(id)} 조치는 이 인시던트에 더 이상 적용되지 않습니다. 현재 조치는 카드에서 확인하세요.`,
  'still-looking': ({ workload }) =>
    say`${code(workload)} 진단이 진행 중입니다. 카드가 업데이트되면 카드에서 조치를 검토하세요.`,
  'change-under-way': ({ workload, by }) =>
    by.length === 0
      ? say`${code(workload)} 변경이 진행 중입니다. 카드에 결과가 나올 때까지 기다려 주세요.`
      : say`${joined('ko', by.map(person))} 님이 승인한 ${code(workload)} 변경이 진행 중입니다. 카드에 결과가 나올 때까지 기다려 주세요.`,
  'workload-changed': ({ workload, known, now }) =>
    say`이 카드가 생성된 뒤 ${code(workload)} 워크로드가 변경되었습니다(generation ${known} → ${now}). 다시 진단하고 있습니다. 카드를 확인하세요.`,
  'workload-replaced': ({ workload }) =>
    say`이 카드가 생성된 뒤 ${code(workload)} 워크로드가 삭제되고 다시 생성되었습니다. 다시 진단하고 있습니다. 카드를 확인하세요.`,
  'workload-gone': ({ workload, cluster }) =>
    say`${code(workload)} 워크로드가 클러스터 ${code(cluster)}에 더 이상 없습니다. 다른 워크로드로 대체되었다면 그 워크로드를 진단하세요.`,
  'read-in-part': ({ workload, cluster, kinds }) =>
    say`클러스터 ${code(cluster)}에서 이번에는 다음 종류의 오브젝트를 읽지 못했습니다: ${names('ko', kinds)}. 이 정보 없이는 ${code(workload)} 변경을 확인할 수 없습니다. 아무것도 변경하지 않았습니다. 검토를 다시 눌러 주세요.`,
  'finding-gone': ({ workload }) =>
    say`${code(workload)}에서 원인이 더 이상 발견되지 않습니다. 다시 진단하고 있습니다. 카드를 확인하세요.`,
  'plan-changed': ({ workload }) =>
    say`이 변경이 ${code(workload)} 워크로드에 미치는 영향이 검토하신 내용과 다릅니다. 아무것도 변경하지 않았습니다. 다시 진단하고 있습니다. 카드를 확인하세요.`,
  'nothing-to-undo': ({ workload }) => say`${code(workload)}에 되돌릴 변경이 없습니다.`,
  'undo-key-removed': ({ workload }) =>
    say`${code(workload)} 변경은 여기서 되돌릴 수 없습니다. 승인을 서명한 키가 ${code('APPROVAL_KEYS')} 값에 없기 때문입니다. 아무것도 변경하지 않았습니다. ${code('kubectl')} 명령으로 되돌리거나 키를 다시 추가해 달라고 요청하세요.`,
  'change-overtaken': ({ workload }) =>
    say`${code(workload)}의 이 변경은 되돌려졌거나 이후 변경으로 대체되었습니다. 현재 상태는 카드에서 확인하세요.`,
  'dry-run-refused': ({ workload, because, message }) =>
    sentences(
      say`드라이런에서 API 서버가 ${code(workload)} 변경을 거부했습니다(${word(refusedWords.ko[because] ?? because)}). 아무것도 변경하지 않았습니다.`,
      originalMessage('ko', message),
    ),
  'dry-run-dropped': ({ object, fields }) =>
    say`드라이런에서 API 서버가 ${code(object)}의 ${code(fields)} 값을 버렸습니다. 이 클러스터가 제공하는 버전에는 이 필드가 없습니다. 아무것도 변경하지 않았습니다. 이 종류의 컨트롤러를 업데이트하거나 다른 조치를 선택하세요.`,
  'dry-run-unknown': ({ workload, cluster, because, message }) =>
    sentences(
      say`클러스터 ${code(cluster)}의 API 서버에서 ${code(workload)} 변경의 드라이런 결과를 받지 못했습니다: ${word(unreadableWords.ko[because] ?? because)}. 아무것도 변경하지 않았습니다. 검토를 다시 눌러 주세요.`,
      originalMessage('ko', message),
    ),
  'dry-run-missing': ({ workload }) =>
    say`${code(workload)} 변경의 드라이런이 통과했다는 서명된 기록이 없어 적용할 수 없습니다. 아무것도 변경하지 않았습니다. 검토를 다시 눌러 주세요.`,
  'reviewers-unknown': ({ workload }) =>
    say`${code(workload)} 변경을 검토하는 사람에게 승인 권한이 있는지 Slack에서 확인하지 못해 드라이런을 실행하지 않았습니다. 아무것도 변경하지 않았습니다. 검토를 다시 눌러 주세요.`,
  'apply-refused': ({ workload, because, message }) =>
    sentences(
      say`API 서버가 ${code(workload)} 변경을 거부했습니다(${word(refusedWords.ko[because] ?? because)}). 아무것도 변경하지 않았습니다.`,
      originalMessage('ko', message),
    ),
  'cluster-name-shared': ({ workload, cluster }) =>
    say`서로 다른 두 클러스터의 워커가 같은 ${code(`CLUSTER_NAME=${cluster}`)} 설정으로 실행되고 있어 ${code(workload)} 변경을 검토하거나 승인할 수 없습니다. 아무것도 변경하지 않았습니다. 한쪽 클러스터의 이름을 바꾸세요.`,
  'no-remediation-worker': ({ workload, cluster }) =>
    say`클러스터 ${code(cluster)}의 조치 워커가 실행되고 있지 않아 ${code(workload)} 변경을 검토하거나 승인할 수 없습니다. 아무것도 변경하지 않았습니다.`,
  'worker-did-not-answer': ({ workload, cluster, seconds }) =>
    say`클러스터 ${code(cluster)}의 조치 워커가 ${duration('ko', seconds)} 안에 응답하지 않았습니다. 결정이 반영되었는지는 ${code(workload)} 카드에서 확인할 수 있습니다.`,
  'worker-answer-distrusted': ({ workload, cluster }) =>
    say`${code(workload)}에 대한 응답이 이 앱의 키로 서명되지 않아 사용하지 않습니다. 앱과 클러스터 ${code(cluster)}의 조치 워커에는 같은 ${code('APPROVAL_KEYS')} 값이 필요합니다.`,
  unreadable: ({ workload, cluster, because, message }) =>
    sentences(
      say`클러스터 ${code(cluster)}의 ${code(workload)} 정보를 읽지 못했습니다: ${word(unreadableWords.ko[because] ?? because)}.`,
      originalMessage('ko', message),
    ),
  'change-unknown': ({ workload, cluster, because, message }) =>
    sentences(
      say`클러스터 ${code(cluster)}의 ${code(workload)} 워크로드가 변경되었는지 알 수 없습니다: ${word(unreadableWords.ko[because] ?? because)}. 실제 상태는 다음 진단에서 확인할 수 있습니다.`,
      originalMessage('ko', message),
    ),
  'card-refused': ({ workload, error }) =>
    say`요청하신 대화에 ${code(workload)} 카드를 게시하지 못했습니다. Slack 응답: ${code(error)}. 앱이 초대된 채널을 사용하거나 ${code('/invite @rollout-doctor')} 명령으로 초대해 주세요.`,
  'redis-refuses-writes': ({ code: found }) =>
    say`Redis가 쓰기를 거부하여(${code(found)}${word(redisWords.ko[found] ?? '')}) 지금은 요청을 기록할 수 없습니다. 클러스터는 변경되지 않았습니다. Rollout Doctor 운영 담당자에게 Redis 복구를 요청한 뒤 다시 시도하세요.`,
  'redis-denies-command': () =>
    say`Rollout Doctor의 Redis 사용자에게 필요한 명령 권한이 없어(${code('NOPERM')}) 지금은 요청을 처리할 수 없습니다. 클러스터는 변경되지 않았습니다. Rollout Doctor 운영 담당자에게 그 사용자의 권한 수정을 요청한 뒤 다시 시도하세요.`,
  'cannot-queue': ({ workload }) =>
    say`Redis가 응답하지 않아 ${code(workload)} 진단을 대기열에 넣지 못했습니다. 1분 뒤 다시 시도하세요.`,
  'failed-inside': ({ reference }) =>
    say`Rollout Doctor 내부 오류가 발생했습니다. 아무것도 변경하지 않았습니다. 로그에서 ${code(reference)} 항목을 확인하세요.`,
  'diagnosis-ended': ({ workload, because, seconds }) =>
    sentences(
      because === 'memory'
        ? say`${code(workload)} 진단에 메모리가 너무 많이 필요해 중단했습니다.`
        : say`${code(workload)} 진단이 ${seconds}초 안에 끝나지 않아 중단했습니다.`,
      say`워크로드가 너무 커서 계산할 수 없는 것으로 보입니다. ${code('spec.replicas')} 값과 파드, 노드 수를 확인하고, 잘못된 값이 있으면 고친 뒤 다시 진단하세요.`,
    ),
  'diagnosis-ended-before': ({ workload, minutes }) =>
    say`${code(workload)} 워크로드를 다시 진단하지 않았습니다. 지난 진단은 계산량이 너무 많아 중단했고, 그 뒤로 워크로드가 변경되지 않았습니다. 워크로드를 변경하거나 ${minutes}분 뒤에 다시 진단하세요.`,
  'diagnosis-busy': ({ workload }) =>
    say`다른 진단이 너무 많이 실행 중이어서 ${code(workload)} 워크로드를 진단하지 못했습니다. 아무것도 변경하지 않았습니다. 1분 뒤에 다시 시도하세요.`,
  'diagnosis-stalled': ({ workload, reference }) =>
    say`${code(workload)} 진단을 실행하던 워커가 두 번 이상 예기치 않게 종료되어 진단을 중단했습니다. 아무것도 변경하지 않았습니다. 워커 로그에서 ${code(reference)} 항목을 확인한 뒤 다시 진단하세요.`,
};
