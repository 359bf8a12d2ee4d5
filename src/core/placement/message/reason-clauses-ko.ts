import { code, type Prose, quote, say } from '../../language/prose.js';
import { names, particle } from '../../language/words.js';
import type { ReasonClauses, ReasonValues } from './reason-clauses-en.js';

const shown = (detail: string | undefined, otherwise: Prose): Prose =>
  detail === undefined ? otherwise : say`${code(detail)}`;

/** Korean: the reason that applies to the counted nodes. */
export const clausesKo: ReasonClauses = {
  'node-affinity': () => say`레이블이 파드의 nodeSelector나 nodeAffinity와 맞지 않습니다.`,
  'node-name': () => say`파드가 다른 노드를 지정했습니다(spec.nodeName).`,
  'enforced-affinity': () =>
    say`레이블이 스케줄러 설정에서 모든 파드에 추가하는 노드 어피니티와 맞지 않습니다.`,
  'affinity-conflict': () => say`파드의 nodeAffinity 조건이 서로 모순됩니다. 맞는 노드가 있을 수 없습니다.`,
  taint: ({ detail }) =>
    detail === undefined
      ? say`파드가 허용하지 않는 테인트가 있습니다. 어떤 테인트인지는 메시지에 없습니다.`
      : say`테인트 ${code(detail)}${particle(detail, '이', '가')} 있지만, 파드에 이를 허용하는 톨러레이션이 없습니다.`,
  cordoned: () => say`cordon 상태입니다. uncordon할 때까지 새 파드를 배치하지 않습니다.`,
  'node-condition': ({ text }) => say`노드 상태 때문에 새 파드를 배치할 수 없습니다: ${quote(text)}.`,
  resource: ({ detail }) =>
    detail === undefined
      ? say`리소스가 부족합니다. 어떤 리소스인지는 메시지에 없습니다.`
      : say`파드가 요청한 ${code(detail)} 여유가 부족합니다.`,
  'pod-slots': () => say`노드의 파드 수 한도에 도달했습니다.`,
  'host-port': () => say`파드에 필요한 호스트 포트가 이미 사용 중입니다.`,
  'pod-affinity': () => say`파드의 podAffinity에 맞는 파드가 없습니다.`,
  'pod-anti-affinity': () => say`파드의 podAntiAffinity와 충돌하는 파드가 있습니다.`,
  'existing-anti-affinity': () => say`실행 중인 다른 파드의 podAntiAffinity가 이 파드를 제외합니다.`,
  'pod-affinity-either': () => say`podAffinity나 podAntiAffinity를 만족하지 않습니다.`,
  'topology-spread': () => say`파드가 하나 더 배치되면 topologySpreadConstraints를 위반합니다.`,
  'topology-label-missing': () => say`topologySpreadConstraints에서 사용하는 노드 레이블이 없습니다.`,
  'volume-affinity': () => say`파드의 볼륨을 사용할 수 없습니다(PersistentVolume의 nodeAffinity).`,
  'volume-zone': () => say`파드의 볼륨이 다른 존에 있습니다.`,
  'claim-unbound': () => say`파드의 PersistentVolumeClaim이 아직 볼륨에 바인딩되지 않았습니다.`,
  'storage-class-missing': ({ detail }) =>
    say`StorageClass ${shown(detail, say`(이름 없음)`)}: 존재하지 않습니다.`,
  'no-volume': () => say`파드의 클레임에 맞는 사용 가능한 PersistentVolume이 없습니다.`,
  'storage-full': () => say`새 볼륨을 만들 스토리지 용량이 부족합니다.`,
  'volume-lost': ({ detail }) =>
    detail === undefined
      ? say`파드의 PersistentVolumeClaim이 더 이상 존재하지 않는 볼륨에 바인딩되어 있습니다.`
      : say`${code(detail)}의 볼륨이 더 이상 존재하지 않습니다.`,
  'claim-missing': ({ detail }) =>
    say`파드에 지정된 PersistentVolumeClaim ${shown(detail, say`(이름 없음)`)}: 존재하지 않습니다.`,
  'claim-deleting': ({ detail }) =>
    say`PersistentVolumeClaim ${shown(detail, say`(이름 없음)`)}: 삭제되는 중입니다.`,
  'claim-awaited': ({ detail }) =>
    say`PersistentVolumeClaim ${shown(detail, say`(이름 없음)`)}: 임시 볼륨용으로 아직 생성되지 않았습니다.`,
  'read-write-once-pod': () =>
    say`다른 파드가 클레임을 사용 중이며, ReadWriteOncePod는 파드 하나만 허용합니다.`,
  'disk-in-use': () => say`다른 파드가 같은 디스크를 사용 중입니다.`,
  'volume-limit': () => say`드라이버의 볼륨 연결 한도에 도달했습니다.`,
  'driver-missing': ({ detail }) =>
    say`볼륨의 CSI 드라이버 ${shown(detail, say`(이름 없음)`)}: 설치되어 있지 않습니다.`,
  devices: ({ text }) => say`파드가 요청한 장치를 할당할 수 없습니다: ${quote(text)}.`,
  'device-claim-missing': ({ detail }) => say`파드의 ResourceClaim(${code(detail ?? '')})이 없습니다.`,
  'device-claim-awaited': ({ text }) => say`파드의 ResourceClaim이 아직 준비되지 않았습니다: ${quote(text)}.`,
  'device-class-missing': ({ detail }) =>
    say`DeviceClass ${shown(detail, say`(이름 없음)`)}: 존재하지 않습니다.`,
  features: () => say`파드에 필요한 기능을 노드의 kubelet이 지원하지 않습니다.`,
  gates: ({ detail }) =>
    detail === undefined
      ? say`파드에 스케줄링 게이트가 있습니다. 게이트를 설정한 쪽에서 먼저 제거해야 합니다.`
      : say`스케줄링 게이트가 파드를 막고 있습니다: ${names('ko', detail.split(', '))}. 게이트를 설정한 쪽에서 먼저 제거해야 합니다.`,
  gang: ({ text }) => say`파드가 같은 그룹의 다른 파드를 기다립니다: ${quote(text)}.`,
  'no-node': () => say`스케줄러가 사용할 수 있는 노드가 없습니다.`,
  prebind: ({ detail, text }) =>
    say`스케줄러가 노드를 찾았지만 준비 단계(${shown(detail, say`플러그인`)})에서 실패했습니다: ${quote(text)}. 스케줄러가 다시 시도합니다.`,
  'plugin-left-out': ({ detail }) =>
    detail === 'NodeAffinity'
      ? say`이 파드의 대상 노드가 아닙니다(NodeAffinity, DaemonSet 파드에서는 정상).`
      : say`스케줄러 플러그인(${shown(detail, say`이름 없음`)})이 미리 제외했습니다.`,
  'plugin-conflict': ({ detail }) =>
    say`플러그인(${shown(detail, say`이름 없음`)})에서 허용하는 노드가 없습니다.`,
  'plugin-failed': ({ detail, text }) =>
    say`스케줄러 플러그인(${shown(detail, say`이름 없음`)})이 실패했습니다: ${quote(text)}.`,
  'permit-rejected': ({ detail, text }) =>
    say`노드를 찾은 뒤 스케줄러 플러그인 ${shown(detail, say`(이름 없음)`)}에서 파드를 거부했습니다: ${quote(text)}.`,
  'preemption-awaited': () => say`이 파드를 위해 축출한 파드가 종료되기를 기다립니다.`,
  'being-deleted': () => say`파드가 삭제되는 중이라 더 이상 스케줄링하지 않습니다.`,
  'group-limit': ({ text }) => say`크기 한도에 도달했습니다(${quote(text)}).`,
  'group-backoff': ({ text }) => say`지금은 확장할 수 없습니다(${quote(text)}).`,
  'instance-types': ({ text }) => say`파드에 맞는 허용된 인스턴스 유형이 없습니다(${quote(text)}).`,
  'device-full': ({ text }) => say`장치의 메모리, 연산 능력 또는 슬롯 여유가 부족합니다(${quote(text)}).`,
  'device-mismatch': ({ text }) => say`파드가 요청한 종류의 장치가 아닙니다(${quote(text)}).`,
  'device-unhealthy': ({ text }) => say`장치가 파드를 받지 않습니다(${quote(text)}).`,
  'device-unregistered': ({ text }) =>
    say`디바이스 플러그인이 노드의 장치를 보고하지 않았습니다(${quote(text)}).`,
  'device-unfit': ({ text }) =>
    say`장치 스케줄러 HAMi가 사유 없이 파드를 거부합니다(${quote(text)}). 사유는 HAMi의 로그나 FilteringFailed 이벤트에 있습니다.`,
  alignment: ({ text }) => say`한 NUMA 노드에 CPU나 장치의 여유가 부족합니다(${quote(text)}).`,
  'node-load': ({ text }) => say`측정된 부하가 스케줄러의 한도를 넘습니다(${quote(text)}).`,
  reservation: ({ text }) => say`Koordinator의 Reservation을 파드가 쓸 수 없습니다: ${quote(text)}.`,
  'queue-closed': ({ text }) => say`파드의 큐나 네임스페이스의 할당량을 모두 사용했습니다: ${quote(text)}.`,
  preempted: ({ text }) =>
    say`스케줄러가 다른 파드의 자리를 확보하려고 이 파드를 선점(축출)했습니다: ${quote(text)}.`,
  'kubelet-rejects': ({ text }) =>
    say`스케줄러가 노드를 정했지만, 그 노드의 kubelet이 파드를 거부했습니다: ${quote(text)}.`,
  'kubelet-ends': ({ text }) => say`노드의 kubelet이 파드를 종료했습니다: ${quote(text)}.`,
  'resize-infeasible': ({ detail, text }) =>
    say`노드의 ${shown(detail, say`리소스`)} 용량이 작아 실행 중인 파드의 크기를 바꿀 수 없습니다: ${quote(text)}.`,
  'quota-exceeded': ({ text }) =>
    say`네임스페이스의 ResourceQuota를 다 써서 API 서버가 파드 생성을 거부합니다: ${quote(text)}.`,
  'creation-refused': ({ text }) => say`API 서버가 파드 생성을 거부합니다: ${quote(text)}.`,
  'timed-out': ({ text }) => say`스케줄러의 대기 시간이 초과되었습니다: ${quote(text)}.`,
  unknown: ({ text }) => say`${quote(text)}.`,
};

/** `노드 3개 모두`, `노드 1개`, the NodePool's name. */
export function subjectKo({ count, nodes, unit, pool }: ReasonValues): Prose {
  if (pool !== undefined) return say`NodePool ${code(pool)}`;
  if (unit === 'node-pool') return say`NodePool`;
  if (count === undefined) return say`노드`;
  if (unit === 'node-group') return say`노드 그룹 ${count}개`;
  if (count === nodes) return nodes === 1 ? say`그 노드` : say`노드 ${count}개 모두`;
  return say`노드 ${count}개`;
}
