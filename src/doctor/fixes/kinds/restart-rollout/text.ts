import { code, moment, quote, say, word } from '../../../../engine/language/prose.js';
import { statementsOf } from '../../../../engine/language/statement.js';
import { counted, duration, elapsed, joined, names } from '../../../../engine/language/words.js';

const en = {
  /** What the kind is called where no remediation of it is at hand. */
  name: () => say`rollout restart`,
  title: () => say`Restart the rollout`,
  'new-revision': ({ workload }: { workload: string }) =>
    say`The pod template of ${code(workload)} gets the annotation ${code('kubectl.kubernetes.io/restartedAt')}, which makes it a new revision.`,
  /** Of a Rollout. */
  evicts: ({ pods }: { pods: number }) =>
    pods === 0
      ? say`The controller evicts no pod now. The revision stays the same.`
      : say`The controller evicts ${counted(pods, 'pod', 'pods')}, as many at a time as maxUnavailable allows, at least one. The revision stays the same.`,
  'no-undo-of-evictions': () => say`This cannot be undone.`,
  replaces: ({ pods }: { pods: number }) =>
    say`${counted(pods, 'pod', 'pods')} ${word(pods === 1 ? 'is' : 'are')} replaced, as the strategy allows.`,
  'same-otherwise': () =>
    say`Image and settings do not change. Each new pod reads its ConfigMaps, Secrets and claims again.`,
  'no-undo': () => say`This cannot be undone: removing the annotation would restart all pods once more.`,
  /**
   * Why a restart helps here: these pods worked in their present run. `readySeconds` is the shortest time
   * they did.
   */
  'lost-readiness': (values: {
    pods: readonly string[];
    container: string;
    readySeconds: number;
    lostSeconds: number;
  }) =>
    say`Container ${code(values.container)} of ${names('en', values.pods)} was ready for ${duration('en', values.readySeconds)} in its current run, and has not been ready for ${elapsed('en', values.lostSeconds)}.`,
  'nothing-restarts': ({ container }: { container: string }) =>
    say`Container ${code(container)} has no liveness probe, so the kubelet does not restart it.`,
  'not-proven': () =>
    say`It is not proven that a new process becomes ready. These pods became ready when they started.`,
  'ev-lost-readiness': ({ readySeconds }: { readySeconds: number }) =>
    say`not ready, after ${duration('en', readySeconds)} of the current run`,
  /** All pods stopped being ready within so many seconds. */
  'withheld-together': ({ pods, withinSeconds }: { pods: number; withinSeconds: number }) =>
    say`All ${pods} pods stopped being ready within ${duration('en', withinSeconds)}. This points to an external dependency that new pods need as well.`,
  /**
   * Why a restart helps here: these pods started before their configuration was written. `olderSeconds` is
   * the least.
   */
  'outdated-config': (values: {
    pods: readonly string[];
    container: string;
    kind: string;
    name: string;
    olderSeconds: number;
  }) =>
    say`Container ${code(values.container)} of ${names('en', values.pods)} started ${duration('en', values.olderSeconds)} or more before ${code(values.kind)} ${code(values.name)} was last written.`,
  'kept-as': ({ as }: { as: 'environment' | 'file' }) =>
    as === 'environment'
      ? say`The container reads environment variables from it. The kubelet sets them when the container starts, and does not change them afterwards.`
      : say`The container mounts a file of it with ${code('subPath')}. The kubelet does not update such a file while the container runs.`,
  /** `manager` is '' where the object was created after the containers had started. */
  'config-not-proven': ({ manager }: { manager: string }) =>
    manager === ''
      ? say`The object was created after the containers had started. It is not proven that a new process becomes ready with it.`
      : say`The field manager ${code(manager)} owns the data. Kubernetes records when it last changed one of its fields, not which one. It is not proven that a new process becomes ready.`,
  'ev-config-written': () => say`written after the containers had started`,
  /** What the container keeps from its start and was not read. */
  'config-unread': (values: {
    container: string;
    objects: readonly { readonly kind: string; readonly name: string }[];
  }) =>
    say`Container ${code(values.container)} keeps values that it read when it started. The diagnosis did not read when they last changed: ${joined(
      'en',
      values.objects.map(({ kind, name }) => say`${code(kind)} ${code(name)}`),
    )}.`,
  /** These pods started after the configuration was written. */
  'withheld-new-config': ({ pods, kind, name }: { pods: readonly string[]; kind: string; name: string }) =>
    say`Pods that started after ${code(kind)} ${code(name)} was last written fail as well: ${names('en', pods)}.`,
  /** Why a restart helps here: of one revision, the older pods fail and the younger ones are ready. */
  'younger-ready': (values: { failing: readonly string[]; ready: readonly string[]; readySeconds: number }) =>
    say`Pods of the same revision that started later are ready, for ${duration('en', values.readySeconds)} or more: ${names('en', values.ready)}. The pods that started earlier are not: ${names('en', values.failing)}.`,
  'younger-not-proven': () =>
    say`New processes become ready at present. How long they stay ready is unknown, because the cause of the failure is not proven.`,
  'ev-younger-ready': () => say`ready, and started after the other pods had failed`,
  'says-expired': ({ pod, container, line }: { pod: string; container: string; line: string }) =>
    say`Container ${code(container)} of ${code(pod)} logged: ${quote(line)}`,
  /** Why a restart helps here: each of these pods holds a device that its plugin reports as unhealthy. */
  'unhealthy-device': (values: { pods: readonly string[]; container: string; resource: string }) =>
    say`Container ${code(values.container)} of ${names('en', values.pods)} uses a device of ${code(values.resource)} that the device plugin reports as unhealthy.`,
  'device-kept': () =>
    say`A container that restarts keeps its devices. Only a new pod gets other devices, and the node no longer offers the unhealthy ones.`,
  'device-not-proven': () => say`It is not proven that the device causes the failure.`,
  'ev-unhealthy-device': ({ device }: { device: string }) => say`device ${code(device)} is unhealthy`,
  /**
   * Why a restart helps here: the Service that the crashed program could not reach has a ready endpoint
   * again.
   */
  'names-service': (values: { pod: string; container: string; service: string; line: string }) =>
    say`The last output of container ${code(values.container)} of ${code(values.pod)} reports a failed connection to Service ${code(values.service)}: ${quote(values.line)}`,
  'dependency-returned': (values: {
    service: string;
    container: string;
    afterSeconds: number;
    readySeconds: number;
  }) =>
    say`Service ${code(values.service)} has had a ready endpoint for ${duration('en', values.readySeconds)}. Its first pod became ready ${duration('en', values.afterSeconds)} after the last crash of ${code(values.container)}.`,
  'back-off-counts': ({ container, at, seconds }: { container: string; at: string; seconds: number }) =>
    say`Without a change, the kubelet restarts ${code(container)} ${moment(at)}, in ${duration('en', seconds)} (back-off). New pods start without that wait.`,
  'dependency-not-proven': ({ service }: { service: string }) =>
    say`It is not proven that ${code(service)} had no ready endpoint at the crash, nor that a new process becomes ready.`,
  'ev-endpoint-ready': ({ service }: { service: string }) => say`ready endpoint of Service ${code(service)}`,
  'withheld-dependency-down': ({ service }: { service: string }) =>
    say`The container could not reach Service ${code(service)}, which has no ready endpoint. New pods would fail as well.`,
  'withheld-dependency-ready': (values: { service: string; container: string; readySeconds: number }) =>
    say`Service ${code(values.service)} had had a ready endpoint for ${duration('en', values.readySeconds)} when ${code(values.container)} last crashed, so the crash has another reason.`,
  'withheld-back-off-ends': (values: { container: string; at: string; seconds: number }) =>
    say`The kubelet restarts ${code(values.container)} ${moment(values.at)}, in ${duration('en', values.seconds)}. A restart of the rollout would not be faster.`,
  'withheld-paused': ({ workload }: { workload: string }) =>
    say`${code(workload)} is paused, so a restart has no effect before it is resumed.`,
  'withheld-on-delete': ({ workload }: { workload: string }) =>
    say`${code(workload)} replaces pods only when someone deletes them (OnDelete), so a restart has no effect.`,
  'withheld-deadlock': ({ pods }: { pods: readonly string[] }) =>
    pods.length === 0
      ? say`The restarted rollout would also get stuck.`
      : say`The restarted rollout would also get stuck, waiting for ${names('en', pods)}.`,
};

const ko: typeof en = {
  name: () => say`롤아웃 재시작(rollout restart)`,
  title: () => say`롤아웃 재시작`,
  'new-revision': ({ workload }) =>
    say`${code(workload)}의 파드 템플릿에 ${code('kubectl.kubernetes.io/restartedAt')} 어노테이션이 추가되어 새 리비전이 됩니다.`,
  evicts: ({ pods }) =>
    pods === 0
      ? say`컨트롤러가 지금은 파드를 축출하지 않습니다. 리비전은 그대로입니다.`
      : say`컨트롤러가 파드 ${pods}개를 maxUnavailable만큼씩(최소 1개씩) 축출합니다. 리비전은 그대로입니다.`,
  'no-undo-of-evictions': () => say`되돌릴 수 없습니다.`,
  replaces: ({ pods }) => say`배포 전략이 허용하는 대로 파드 ${pods}개가 교체됩니다.`,
  'same-otherwise': () =>
    say`이미지와 설정은 그대로이며, 새로 시작하는 파드는 ConfigMap, Secret, 클레임을 다시 읽습니다.`,
  'no-undo': () => say`되돌릴 수 없습니다. 어노테이션을 제거하면 모든 파드가 한 번 더 재시작됩니다.`,
  'lost-readiness': ({ pods, container, readySeconds, lostSeconds }) =>
    say`${names('ko', pods)} 파드의 ${code(container)} 컨테이너는 현재 실행에서 ${duration('ko', readySeconds)} 동안 준비 상태였고, ${elapsed('ko', lostSeconds)} 전부터 준비되지 않습니다.`,
  'nothing-restarts': ({ container }) =>
    say`${code(container)} 컨테이너에 liveness 프로브가 없어 kubelet이 재시작하지 않습니다.`,
  'not-proven': () =>
    say`새 프로세스가 준비된다는 것은 증명되지 않았습니다. 이 파드들은 시작했을 때 준비되었습니다.`,
  'ev-lost-readiness': ({ readySeconds }) =>
    say`현재 실행을 시작하고 ${duration('ko', readySeconds)} 뒤부터 준비되지 않음`,
  'withheld-together': ({ pods, withinSeconds }) =>
    say`파드 ${pods}개가 모두 ${duration('ko', withinSeconds)} 안에 준비 상태를 잃었습니다. 새 파드에도 필요한 외부 의존성의 문제로 보입니다.`,
  'outdated-config': ({ pods, container, kind, name, olderSeconds }) =>
    say`${names('ko', pods)} 파드의 ${code(container)} 컨테이너는 ${code(kind)} ${code(name)}에 마지막으로 쓰기가 있기 ${duration('ko', olderSeconds)} 이상 전에 시작되었습니다.`,
  'kept-as': ({ as }) =>
    as === 'environment'
      ? say`이 컨테이너는 거기서 환경 변수를 가져옵니다. kubelet은 컨테이너가 시작될 때 환경 변수를 설정하고 그 뒤에는 바꾸지 않습니다.`
      : say`이 컨테이너는 그 파일을 ${code('subPath')}로 마운트합니다. 컨테이너가 실행되는 동안 kubelet은 이런 파일을 갱신하지 않습니다.`,
  'config-not-proven': ({ manager }) =>
    manager === ''
      ? say`이 오브젝트는 컨테이너가 시작된 뒤에 생성되었습니다. 이 오브젝트로 새 프로세스가 준비된다는 것은 증명되지 않았습니다.`
      : say`필드 관리자(${code(manager)})가 데이터를 소유합니다. Kubernetes는 이 관리자가 필드를 마지막으로 바꾼 시각만 기록하고 어느 필드인지는 기록하지 않습니다. 새 프로세스가 준비된다는 것은 증명되지 않았습니다.`,
  'ev-config-written': () => say`컨테이너가 시작된 뒤에 쓰기가 있었음`,
  'config-unread': ({ container, objects }) =>
    say`${code(container)} 컨테이너는 시작할 때 읽은 값을 계속 사용합니다. 그 값이 언제 마지막으로 바뀌었는지는 이 진단에서 읽지 않았습니다: ${joined(
      'ko',
      objects.map(({ kind, name }) => say`${code(kind)} ${code(name)}`),
    )}.`,
  'withheld-new-config': ({ pods, kind, name }) =>
    say`${code(kind)} ${code(name)}에 마지막으로 쓰기가 있은 뒤에 시작된 파드도 실패합니다: ${names('ko', pods)}.`,
  'younger-ready': ({ failing, ready, readySeconds }) =>
    say`같은 리비전에서 나중에 시작된 파드는 ${duration('ko', readySeconds)} 이상 준비 상태입니다: ${names('ko', ready)}. 먼저 시작된 파드는 준비되지 않았습니다: ${names('ko', failing)}.`,
  'younger-not-proven': () =>
    say`현재 새 프로세스는 준비 상태가 됩니다. 실패의 원인이 증명되지 않았으므로 얼마나 오래 유지될지는 알 수 없습니다.`,
  'ev-younger-ready': () => say`다른 파드가 실패한 뒤에 시작되었고 준비 상태임`,
  'says-expired': ({ pod, container, line }) =>
    say`${code(pod)} 파드의 ${code(container)} 컨테이너가 남긴 로그: ${quote(line)}`,
  'unhealthy-device': ({ pods, container, resource }) =>
    say`${names('ko', pods)} 파드의 ${code(container)} 컨테이너가 사용하는 ${code(resource)} 장치를 디바이스 플러그인이 비정상으로 보고합니다.`,
  'device-kept': () =>
    say`컨테이너는 재시작되어도 같은 장치를 사용합니다. 새 파드만 다른 장치를 할당받으며, 노드는 비정상 장치를 더 이상 제공하지 않습니다.`,
  'device-not-proven': () => say`이 장치가 실패의 원인이라는 것은 증명되지 않았습니다.`,
  'ev-unhealthy-device': ({ device }) => say`장치 ${code(device)} 비정상`,
  'names-service': ({ pod, container, service, line }) =>
    say`${code(pod)} 파드의 ${code(container)} 컨테이너가 마지막으로 남긴 출력에 Service ${code(service)} 연결 실패가 기록되어 있습니다: ${quote(line)}`,
  'dependency-returned': ({ service, container, afterSeconds, readySeconds }) =>
    say`Service ${code(service)}에 준비된 엔드포인트가 ${duration('ko', readySeconds)} 전부터 있습니다. ${code(container)} 컨테이너의 마지막 크래시 ${duration('ko', afterSeconds)} 뒤에 첫 파드가 준비되었습니다.`,
  'back-off-counts': ({ container, at, seconds }) =>
    say`변경하지 않으면 kubelet이 ${moment(at)}에(${duration('ko', seconds)} 뒤) ${code(container)} 컨테이너를 재시작합니다(백오프). 새 파드는 기다리지 않고 바로 시작됩니다.`,
  'dependency-not-proven': ({ service }) =>
    say`크래시 당시 ${code(service)}에 준비된 엔드포인트가 없었다는 것과 새 프로세스가 준비된다는 것은 증명되지 않았습니다.`,
  'ev-endpoint-ready': ({ service }) => say`Service ${code(service)}의 준비된 엔드포인트`,
  'withheld-dependency-down': ({ service }) =>
    say`컨테이너가 연결하지 못한 Service ${code(service)}에 준비된 엔드포인트가 없습니다. 새 파드도 실패합니다.`,
  'withheld-dependency-ready': ({ service, container, readySeconds }) =>
    say`${code(container)} 컨테이너에 마지막으로 크래시가 발생했을 때 Service ${code(service)}에는 ${duration('ko', readySeconds)} 전부터 준비된 엔드포인트가 있었으므로, 종료 원인은 다른 데 있습니다.`,
  'withheld-back-off-ends': ({ container, at, seconds }) =>
    say`kubelet이 ${moment(at)}에(${duration('ko', seconds)} 뒤) ${code(container)} 컨테이너를 재시작합니다. 롤아웃을 재시작해도 더 빨라지지 않습니다.`,
  'withheld-paused': ({ workload }) =>
    say`${code(workload)} 롤아웃이 일시 중지되어 있어, 재개하기 전에는 재시작되지 않습니다.`,
  'withheld-on-delete': ({ workload }) =>
    say`${code(workload)} 워크로드는 누군가 파드를 삭제할 때만 교체하므로(OnDelete) 재시작해도 효과가 없습니다.`,
  'withheld-deadlock': ({ pods }) =>
    pods.length === 0
      ? say`재시작한 롤아웃도 멈추게 됩니다.`
      : say`재시작한 롤아웃도 ${names('ko', pods)} 파드를 기다리며 멈추게 됩니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('restart-rollout');
