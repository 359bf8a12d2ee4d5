import { code, moment, quote, say, sentences, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { elapsed, isAtLeastOneSecond, joined, names } from '../../../engine/language/words.js';
import { refusalsInFull, refusalsInShort } from './refusal-words.js';
import { cloudWords, en } from './text-en.js';

const ko: typeof en = {
  standing: ({ waiting, forSeconds }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`파드 ${waiting}개가 Pending 상태입니다.`
      : say`파드 ${waiting}개가 ${elapsed('ko', forSeconds)}째 Pending 상태입니다.`,
  tally: ({ nodesInAll, groups }) =>
    sentences(
      ...groups.map(
        ({ nodes, refusals }) =>
          say`노드 ${nodesInAll}개 중 ${nodes.length}개(${names('ko', nodes, 3)})는 파드를 실행할 수 없습니다: ${refusalsInShort('ko', refusals)}.`,
      ),
    ),
  'node-lacks': ({ node, refusals }) => say`${code(node)}: ${refusalsInFull('ko', refusals)}.`,
  'summary-cloud': ({ workload, kind, group }) =>
    group === ''
      ? say`${code(workload)} 파드를 위한 노드를 클라우드가 거부했습니다: ${word(cloudWords.ko[kind].because)}`
      : say`${code(workload)} 파드를 위한 ${code(group)} 노드를 클라우드가 거부했습니다: ${word(cloudWords.ko[kind].because)}`,
  'cloud-refused': ({ by, group, said }) =>
    group === ''
      ? say`${code(by)} 오토스케일러가 노드를 요청했지만 클라우드가 거부했습니다: ${quote(said)}`
      : say`${code(by)} 오토스케일러가 ${code(group)} 노드를 요청했지만 클라우드가 거부했습니다: ${quote(said)}`,
  'cloud-advice-title': ({ kind }) => say`${word(cloudWords.ko[kind].title)}`,
  'cloud-advice': ({ kind, group }) =>
    group === ''
      ? say`${word(cloudWords.ko[kind].advice)}`
      : say`노드 그룹 ${code(group)}: ${word(cloudWords.ko[kind].advice)}`,
  'ev-cloud': ({ by }) => say`${code(by)} 오토스케일러가 보고한 클라우드의 거부 이유`,
  'autoscaler-declined': ({ by, said }) =>
    say`${code(by)} 오토스케일러가 이 파드를 위한 노드를 추가하지 않습니다: ${code(said)}.`,
  'autoscaler-expired': ({ by, since }) =>
    say`${code(by)} 오토스케일러가 ${moment(since)}에 노드를 요청했습니다. 15분이 지나도 파드가 Pending 상태이므로 실패한 요청으로 봅니다.`,
  'pool-limit': ({ pool, resource, limit, left }) =>
    say`NodePool ${code(pool)}: 이 파드를 위한 노드를 추가할 수 없습니다. ${code(resource)} 한도 ${code(limit)} 중 ${code(left)}만 남았습니다.`,
  'pool-not-ready': ({ pool, reason }) =>
    say`NodePool ${code(pool)}: 준비되지 않아(${code(reason)}) Karpenter가 노드를 추가하지 않습니다.`,
  'pool-static': ({ pool }) => say`NodePool ${code(pool)}: 노드 수가 고정되어 있습니다.`,
  'pool-deleted': ({ pool }) => say`NodePool ${code(pool)}: 삭제되는 중입니다.`,
  'pool-changing': ({ pool }) =>
    say`NodePool ${code(pool)}: 한도에 도달했지만 노드 하나가 삭제되는 중입니다.`,
  'pool-launched': ({ pool }) =>
    say`NodePool ${code(pool)}: Karpenter가 노드를 시작했지만 아직 클러스터에 합류하지 않았습니다.`,
  'pool-below-replicas': ({ pool }) =>
    say`정적 NodePool ${code(pool)}: 노드 수가 ${code('replicas')} 값보다 적어 Karpenter가 노드를 추가합니다.`,
  'pool-open': ({ pool }) =>
    say`NodePool ${code(pool)}: 한도 안에서 이 파드를 위한 노드를 추가할 수 있습니다.`,
  'pools-shut': () =>
    say`기다려도 해결되지 않습니다. 이 파드를 허용하는 NodePool 중 노드를 추가할 수 있는 것이 없습니다.`,
  'autoscaler-failed': ({ by, since }) =>
    say`${code(by)} 오토스케일러가 ${moment(since)}에 노드를 요청했지만 확장에 실패하여 노드 그룹이 백오프 상태입니다.`,
  'group-full': ({ group, nodes, max }) =>
    say`노드 그룹 ${code(group)}: 최대 ${max}개 중 ${nodes}개를 사용하고 있습니다.`,
  'group-backoff': ({ group, errorCode }) =>
    errorCode === ''
      ? say`노드 그룹 ${code(group)}: 확장에 실패하여 cluster-autoscaler가 한동안 시도하지 않습니다.`
      : say`노드 그룹 ${code(group)}: 확장에 실패하여(${code(errorCode)}) cluster-autoscaler가 한동안 시도하지 않습니다.`,
  'group-open': ({ group, nodes, max }) =>
    max === 0
      ? say`노드 그룹 ${code(group)}: 노드 ${nodes}개가 있고, cluster-autoscaler가 최대치를 보고하지 않습니다.`
      : say`노드 그룹 ${code(group)}: 최대 ${max}개 중 ${nodes}개이므로, 파드에 맞는 노드라면 늘릴 수 있습니다.`,
  'groups-full': () => say`기다려도 해결되지 않습니다. cluster-autoscaler의 모든 노드 그룹이 최대치입니다.`,
  'groups-shut': () =>
    say`지금은 늘릴 수 있는 노드 그룹이 없습니다. cluster-autoscaler가 백오프 후 다시 시도하지만 같은 오류가 날 수 있습니다.`,
  'pools-admit-not': () => say`기다려도 해결되지 않습니다. 이 파드를 허용하는 NodePool이 없습니다.`,
  'unhealthy-device': ({ pod, node, resource, device }) =>
    say`${code(node)} 노드의 ${code(pod)} 파드가 ${code(resource)} 장치(${code(device)})를 사용 중이며, 디바이스 플러그인이 이 장치를 비정상으로 보고합니다. 새 파드는 이 장치를 받을 수 없습니다.`,
  'devices-lost': ({ node, resource, had, offered }) =>
    say`${code(node)} 노드의 ${code(resource)} ${had}개 중 ${offered}개만 사용할 수 있습니다. 디바이스 플러그인이 나머지를 비정상으로 보고하거나 보고하지 않습니다.`,
  'devices-may-return': ({ node }) =>
    say`${code(node)} 노드에서 빠진 장치가 정상으로 돌아오면, 다른 변경 없이 새 파드가 그 노드에 배치됩니다.`,
  'advice-devices-lost-title': ({ nodes }) => say`${names('ko', nodes)} 노드의 장치 복구하기`,
  'advice-devices-lost': () =>
    say`노드에 있는 디바이스 플러그인 파드의 로그를 확인하고, 제조사 도구로 장치를 점검하세요. 플러그인이 정상으로 보고하는 즉시 장치를 다시 사용할 수 있습니다.`,
  'ev-unhealthy-device': ({ pod, device }) =>
    say`${code(pod)} 파드가 사용하는 ${code(device)} 장치가 비정상임`,
  'ev-unschedulable': ({ pod }) => say`스케줄러가 ${code(pod)} 파드를 배치할 노드를 찾지 못함`,
  'ev-declined': ({ by }) => say`${code(by)} 오토스케일러가 노드를 추가하지 않음`,
  'ev-ordered': ({ by }) => say`${code(by)} 오토스케일러가 노드를 요청함`,
  'plugin-words': ({ said }) => say`스케줄러가 시뮬레이션 범위 밖의 이유도 보고합니다: ${quote(said)}`,
  'not-simulated': ({ parts }) =>
    say`시뮬레이션에 포함되지 않은 항목: ${names('ko', parts)}. 스케줄러가 이 때문에 파드를 거부할 수도 있습니다.`,
  'neighbours-unread': ({ neighbours }) =>
    say`${names('ko', neighbours, 3)} 워크로드를 모두 읽지는 못했습니다. 그 롤아웃이 이전 파드를 내리면 이 파드를 배치할 수 있을지도 모릅니다.`,
  unread: ({ what, because }) =>
    say`일부 ${code(what)} 오브젝트를 읽지 못해(${code(because)}) 그곳에 여유가 있을 가능성을 배제할 수 없습니다.`,
  'revisions-unread': ({ what, because }) =>
    say`${code(what)} 오브젝트를 읽지 못해(${code(because)}) 어느 파드가 이전 리비전인지 알 수 없습니다.`,
  malformed: ({ what }) =>
    say`읽지 못한 ${code(what)} 오브젝트가 있으며, 그 내용에 따라 이 진단 결과가 달라질 수 있습니다.`,
  'better-unread': ({ causes, kinds }) =>
    say`${names('ko', causes, 3)}도 원인일 수 있지만 다음 정보를 읽지 못해 확인하지 못했습니다: ${names('ko', kinds)}.`,
  'assumed-surge': () =>
    say`${code('spec.updateStrategy')} 값을 읽지 못했습니다. DaemonSet의 파드와 이벤트가 서지(surge)와 맞아 서지가 있다고 가정합니다.`,
  'assumed-apart': () =>
    say`${code('spec.affinity')} 필드를 읽지 못했습니다. 스케줄러가 보고한 노드 수가 이 워크로드의 파드 간 anti-affinity와 맞으므로 그렇게 가정했습니다.`,
  'partly-recorded': ({ what, fields }) =>
    say`기록된 ${code(what)} 오브젝트에 일부 필드(${names('ko', fields, 3)})가 없으며, 그 값에 따라 이 진단 결과가 달라질 수 있습니다.`,
  'owner-unread': ({ what, because }) =>
    say`이 워크로드가 속한 ${code(what)} 오브젝트를 읽지 못했습니다(${code(because)}). 그 내용에 따라 이 진단 결과가 달라질 수 있습니다.`,
  disagrees: ({ said, found }) =>
    sentences(
      say`스케줄러 메시지와 시뮬레이션 결과가 다릅니다. 스케줄러: ${quote(said)}`,
      say`시뮬레이션: ${joined(
        'ko',
        found.map(({ nodes, refusals }) => say`노드 ${nodes.length}개: ${refusalsInShort('ko', refusals)}`),
      )}.`,
    ),
  'next-attempt': () => say`스케줄러는 노드나 파드가 바뀔 때마다 다시 시도하며, 늦어도 5분마다 시도합니다.`,
  'because-no-predecessor': () => say`리소스를 점유할 이전 리비전 파드가 없음`,
  'because-kept': ({ pods }) =>
    say`트래픽이 ${names('ko', pods, 3)} 파드의 리비전을 지정하므로 그 리비전은 어떤 경우에도 유지됨`,
  'because-no-surge-group': () => say`이전 그룹과 나란히 생성되어 그 종료를 기다리는 새 그룹이 없음`,
  'because-predecessors-useless': ({ pods }) => say`이전 파드 ${names('ko', pods, 3)} 없이도 배치할 수 없음`,
  'because-no-order': () => say`오토스케일러가 요청한 노드 없음`,
  'because-in-service': () => say`파드를 실행할 수 있는 노드 중 cordon되었거나 비정상인 노드 없음`,
  'because-out-of-service': ({ nodes }) =>
    say`노드 상태만 아니면 ${names('ko', nodes, 3)} 노드에 배치할 수 있음`,
  'because-could-fit': ({ node }) => say`다른 파드가 나가면 ${code(node)} 노드에 배치할 수 있음`,
  'because-never': ({ nodes }) =>
    say`다른 파드가 없어도 노드 ${nodes}개 중 이 파드를 실행할 수 있는 노드 없음`,
  'because-no-gates': () => say`파드에 스케줄링 게이트 없음`,
  'because-tried': () => say`스케줄러가 파드 배치를 시도했음`,
  'because-claims-bound': () => say`볼륨 클레임에는 문제가 없음`,
  'because-never-started': ({ pod }) => say`${code(pod)} 파드에 노드가 없어 컨테이너가 시작된 적 없음`,
  'restart-withheld': () => say`재시작해도 Pending 파드가 다른 Pending 파드로 바뀔 뿐입니다.`,
  'patch-unknown': () =>
    say`이전 파드를 내리면 새 파드의 자리가 생기는지는 읽은 오브젝트만으로 알 수 없습니다.`,
  'patch-withheld': () => say`이전 파드를 먼저 내려도 자리가 생기는 노드가 없고, 준비된 파드만 줄어듭니다.`,
  'spread-counts': ({ topologyKey, domains, minimum, maxSkew }) =>
    say`${code(topologyKey)} 분산 제약은 이 파드가 실행될 수 없는 ${names('ko', domains)} 도메인도 셉니다. 그곳의 파드가 ${minimum}개이고 maxSkew가 ${maxSkew}이므로 다른 도메인에도 ${minimum + maxSkew}개까지만 배치할 수 있습니다.`,
  'advice-spread-title': () => say`파드가 쓸 수 없는 노드를 분산 제약에서 제외하기`,
  'advice-spread': ({ nodes }) =>
    say`${code('nodeTaintsPolicy: Honor')} 설정을 쓰면 ${names('ko', nodes)} 노드를 세지 않습니다. 파드 템플릿이 바뀌므로 롤아웃이 시작됩니다.`,
  'advice-requests-title': ({ resource }) => say`${code(resource)} 요청 줄이기`,
  'advice-requests': ({ resource, free, node }) =>
    say`${code(resource)} 요청이 ${code(free)} 이하이면 지금 바로 ${code(node)} 노드에 배치할 수 있습니다.`,
  'advice-node-title': () => say`노드 추가하기`,
  'advice-node': ({ resource, requested }) =>
    say`${code(resource)} ${code(requested)} 여유가 있고 나머지 조건도 맞는 노드가 추가되면 파드를 배치할 수 있습니다.`,
  'advice-preference-title': () => say`안티어피니티를 선호 조건으로 바꾸기`,
  'advice-preference': ({ topologyKey }) =>
    say`필수 안티어피니티는 ${code(topologyKey)}마다 파드 하나만 허용합니다. 선호 조건으로 바꾸면 여유가 있는 만큼 파드를 분산합니다.`,
  'advice-backoff-title': () => say`노드 추가가 실패한 이유 확인하기`,
  'advice-backoff': ({ by }) =>
    say`${code(by)} 오토스케일러가 노드를 추가하려다 실패하여, 다시 시도하기 전에 기다리고 있습니다. 할당량이나 클라우드의 여유 부족 같은 이유가 오토스케일러의 상태와 로그에 있습니다.`,
  'advice-limits-title': () => say`오토스케일러 한도 올리기`,
  'advice-limits': ({ by }) =>
    say`${code(by)} 오토스케일러가 설정된 한도에 도달했습니다. 비용을 감수할 수 있다면 한도를 올리세요.`,
  'advice-pool-limit': ({ pool, resource, needed }) =>
    say`NodePool ${code(pool)}의 ${code(resource)} 한도가 이 파드를 위해 최소 ${code(needed)} 필요하며, 인스턴스가 더 크면 더 필요합니다. 비용을 감수할 수 있으면 한도를 올리세요.`,
  'advice-pool-replicas-title': () => say`정적 NodePool에 노드 추가하기`,
  'advice-pool-replicas': ({ pool }) =>
    say`Karpenter는 파드가 대기해도 ${code(pool)}에 노드를 추가하지 않습니다. 비용을 감수할 수 있으면 ${code('spec.replicas')} 값을 올리세요.`,
  unconfirmed: ({ said }) =>
    sentences(
      say`스케줄러 메시지: ${quote(said)}`,
      say`읽은 오브젝트만으로는 이 내용이 맞는지 확인할 수 없습니다.`,
    ),
  counterfactual: ({ pod, without, node }) =>
    say`${names('ko', without)} 파드가 없으면 ${code(pod)} 파드를 ${code(node)} 노드에 배치할 수 있습니다.`,
  'ev-finalizers': () => say`남은 파이널라이저`,
  'advice-uncordon-title': () => say`점검이 끝나면 노드의 cordon 해제하기`,
};

export const waitingText = { en, ko };

/** Statements that several causes of this family make; their catalogue is the family's. */
export const waiting = statementsOf<typeof en>('waiting');
