import { code, quote, say, sentences, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { elapsed, isAtLeastOneSecond, names, particle } from '../../../engine/language/words.js';
import { type FailingPods, failingPods, verbOf } from '../../findings/crashes/failing-pods.js';
import type { NeededObject } from '../../findings/object-not-found.js';

const en = {
  'shared-failure': () => say`a volume cannot be mounted`,
  'summary-missing': ({ workload, kind, name, key }: NeededObject) =>
    key === undefined
      ? say`${code(workload)} mounts ${code(kind)} ${code(name)}, which does not exist`
      : say`${code(workload)} mounts key ${code(key)} of ${code(kind)} ${code(name)}, which does not exist`,
  summary: ({ workload, volume }: { workload: string; volume: string | undefined }) =>
    volume === undefined
      ? say`${code(workload)}: a volume cannot be mounted`
      : say`${code(workload)}: volume ${code(volume)} cannot be mounted`,
  standing: ({ sinceSeconds, ...pods }: FailingPods & { readonly sinceSeconds: number | undefined }) =>
    !isAtLeastOneSecond(sinceSeconds)
      ? say`${failingPods('en', pods)} cannot start.`
      : say`${failingPods('en', pods)} ${verbOf(pods, 'has', 'have')} not started after ${elapsed('en', sinceSeconds)}.`,
  source: ({ volume, kind, name }: { volume: string; kind: string; name: string }) =>
    say`Volume ${code(volume)} mounts ${code(kind)} ${code(name)}.`,
  'keeps-asking': () => say`The kubelet keeps retrying. The pods start on their own once the object exists.`,
  'attach-waits': () => say`The volume is not attached to the node yet.`,
  'attached-for': ({ node, pods }: { node: string; pods: readonly string[] }) =>
    say`The volume is attached to ${code(node)} for ${names('en', pods)}. It moves to this node after those pods have stopped.`,
  'used-on': ({ node, pods }: { node: string; pods: readonly string[] }) =>
    say`The driver names ${code(node)}, where ${names('en', pods)} ${word(pods.length === 1 ? 'uses' : 'use')} the same claim. The volume may not move until no pod on ${code(node)} uses it.`,
  'advice-one-node-title': () => say`Run the pods that share the volume on one node`,
  'advice-one-node': ({ node }: { node: string }) =>
    say`Require pod affinity on ${code('kubernetes.io/hostname')}, so that all of them run on ${code(node)}. Or use a volume with the access mode ${code('ReadWriteMany')}.`,
  'driver-missing': ({ driver, node }: { driver: string; node: string }) =>
    say`The CSI driver ${code(driver)} is not registered on ${code(node)}. Pods that run there keep their volumes.`,
  'advice-driver-title': ({ driver }: { driver: string }) =>
    say`Restart the pod of the driver ${code(driver)} on the node`,
  'advice-driver': ({ nodes }: { nodes: readonly string[] }) =>
    say`The driver registers with the kubelet when its pod on ${names('en', nodes)} starts. Check that this pod and its registrar run.`,
  'advice-no-driver-title': ({ driver }: { driver: string }) =>
    say`Install the driver ${code(driver)}, or correct its name`,
  'advice-no-driver': () =>
    say`No node has registered this driver, and no CSIDriver has its name. Compare the name in the PersistentVolume or StorageClass with the drivers of the cluster.`,
  'attachment-deleted': (values: { volume: string; node: string; seconds: number | undefined }) =>
    values.seconds === undefined
      ? say`The attachment of ${code(values.volume)} to ${code(values.node)} is being deleted.`
      : say`The attachment of ${code(values.volume)} to ${code(values.node)} is being deleted, and has been for ${elapsed('en', values.seconds)}.`,
  'attachment-error': ({ message }: { message: string }) => say`The attachment reports: ${quote(message)}`,
  'attachment-to-nothing': ({ volume, node }: { volume: string; node: string }) =>
    say`The volume ${code(volume)} is attached to ${code(node)}, which is no node of the cluster.`,
  'ev-attachment': ({ volume, node }: { volume: string; node: string }) =>
    say`the attachment of ${code(volume)} to ${code(node)}`,
  'advice-attachment-title': () => say`Let the storage driver finish the detachment`,
  'advice-attachment': ({ node }: { node: string }) =>
    say`Check the log of the driver's controller. If ${code(node)} no longer exists at the provider, and no pod writes to the volume, remove the finalizer of the VolumeAttachment.`,
  'advice-controller-title': () => say`Check the controller of the storage driver`,
  'advice-controller': ({ nodes }: { nodes: readonly string[] }) =>
    say`The controller attaches volumes, and the driver's pod on the node has no part in it. The log of the controller has the details. If the provider shows the volume at another machine than ${names('en', nodes)}, and no pod there uses it, detach it there.`,
  'advice-slots-title': ({ nodes }: { nodes: readonly string[] }) =>
    say`Free a place for a volume on ${names('en', nodes)}, or use another node`,
  'advice-slots': () =>
    say`The provider attaches no further volume to the machine. Compare its limit with the one in the CSINode, by which the scheduler counts, and find disks there that no pod uses. Until then, keep the pod off the node.`,
  'advice-server-title': () => say`Check the access to the server of the volume`,
  'advice-server': ({ nodes }: { nodes: readonly string[] }) =>
    say`The server refuses the mount. Compare address, path, credentials and permitted clients of the share with what ${names('en', nodes)} ${word(nodes.length === 1 ? 'uses' : 'use')}.`,
  'because-not-env': () =>
    say`the missing object is mounted as a volume, not used as an environment variable`,
  'restart-withheld': () => say`New pods would mount the same volume.`,
  'advice-add-title': ({ kind, name, key }: { kind: string; name: string; key: string | undefined }) =>
    key === undefined
      ? say`Create ${code(kind)} ${code(name)}, or correct the reference`
      : say`Add the key ${code(key)} to ${code(kind)} ${code(name)}, or correct the reference`,
  'node-path': ({ volume, path }: { volume: string; path: string }) =>
    say`Volume ${code(volume)} uses ${code(path)} of the node itself. No storage driver takes part.`,
  'advice-node-path-title': ({ path }: { path: string }) =>
    say`Provide ${code(path)} on the node, or change the volume`,
  'advice-node-path': ({ nodes }: { nodes: readonly string[] }) =>
    say`Compare the path on ${names('en', nodes)} with the type of the volume. With ${code('DirectoryOrCreate')} the kubelet creates a missing folder.`,
  'mount-refused': ({ container }: { container: string }) =>
    say`The volume is on the node. Its place in ${code(container)} was refused, so the container was not started.`,
  'because-refused': ({ container }: { container: string }) =>
    say`the program in ${code(container)} did not start`,
  'advice-place-title': () => say`Correct the volume mounts of the pod template`,
  'advice-place': () =>
    say`Compare ${code('mountPath')} and ${code('subPath')} with the files of the image and of the volume. A folder cannot be mounted over a file.`,
  'account-missing': ({ account }: { account: string }) =>
    say`The kubelet asks the API server for a token of ServiceAccount ${code(account)}, which does not exist. It keeps retrying.`,
  'advice-account-title': ({ account }: { account: string }) =>
    say`Create ServiceAccount ${code(account)}, or correct ${code('serviceAccountName')}`,
  'advice-account': () =>
    say`The rights of the program need their RoleBinding as well. The pods start on their own once the account exists.`,
  'no-device': ({ container, path }: { container: string; path: string }) =>
    say`${code(container)} uses the volume as a device at ${code(path)} (${code('volumeDevices')}). The node has prepared another kind of file for it.`,
  'advice-device-title': () => say`Compare ${code('volumeMode')} with what the node has`,
  'advice-device': ({ nodes }: { nodes: readonly string[] }) =>
    say`With ${code('volumeMode: Block')} the path of the volume on ${names('en', nodes)} has to be a block device, and not a folder or a file. A volume with a file system takes ${code('volumeMode: Filesystem')} and ${code('volumeMounts')}.`,
  'other-label': ({ pods }: { pods: readonly string[] }) =>
    pods.length === 0
      ? say`A volume has one SELinux label on a node at a time. Another pod there uses it with another label.`
      : say`A volume has one SELinux label on a node at a time. ${names('en', pods)} there may use it with another label. A rollout that keeps such a pod until this one is ready is deadlocked.`,
  'advice-label-title': () => say`Stop the pod with the other label first`,
  'advice-label': () =>
    say`With ${code('maxSurge: 0')} or the strategy ${code('Recreate')}, the old pod is gone before the new one starts. Or give both the same label.`,
  'advice-relabel-title': () => say`Or let the kubelet relabel the files`,
  'advice-relabel': () =>
    say`Then both pods mount the volume, and the label of its files is that of the last pod. The other pod may lose access.`,
  'in-memory': ({ volume, limits }: { volume: string; limits: readonly string[] }) =>
    say`The kubelet keeps ${code(volume)} in memory. It has the size of the memory limits of the pod: ${names('en', limits)}.`,
  'advice-memory-title': () => say`Raise the memory limit`,
  'advice-memory': ({ limits, isBelowOne }: { limits: readonly string[]; isBelowOne: boolean }) =>
    isBelowOne
      ? say`In ${names('en', limits)}, ${code('m')} is a thousandth of a byte. Give the limit in ${code('Mi')}.`
      : say`The limit of ${names('en', limits)} has no room for the files of the volume.`,
  'advice-kubelet-title': () => say`Check the kubelet on the node`,
  'advice-kubelet': ({ nodes }: { nodes: readonly string[] }) =>
    say`The kubelet provides this volume without a storage driver. Its log on ${names('en', nodes)} has the details.`,
  'used-beside': ({ node, pods }: { node: string; pods: readonly string[] }) =>
    sentences(
      say`${names('en', pods)} on ${code(node)} ${word(pods.length === 1 ? 'uses' : 'use')} the same claim, and the message states that the volume is mounted there already.`,
      say`A rollout that keeps such a pod until this one is ready is deadlocked.`,
    ),
  'advice-beside-title': () => say`Stop the old pod first`,
  'advice-beside': ({ nodes }: { nodes: readonly string[] }) =>
    say`The driver does not mount the volume a second time on ${names('en', nodes)}. With this strategy, the old pod is gone before the new one starts.`,
  'advice-stale-title': ({ nodes }: { nodes: readonly string[] }) =>
    say`Mount the volume again on ${names('en', nodes)}`,
  'advice-stale': ({ nodes }: { nodes: readonly string[] }) =>
    sentences(
      say`The mount on ${names('en', nodes)} is of a server or program that restarted or is gone. Check that it runs.`,
      say`Then delete the other pods there that use the volume, or unmount its path, so that the kubelet mounts it anew.`,
    ),
  'advice-object-title': ({ kind, name }: { kind: string; name: string }) =>
    say`Create ${code(kind)} ${code(name)}, or correct the reference`,
  'advice-object': ({ kind }: { kind: string }) =>
    say`The storage driver asks the API server for this ${code(kind)}, which does not exist. The pods start on their own once it exists.`,
  'advice-provider-title': ({ provider }: { provider: string }) =>
    say`Run the provider ${code(provider)} on the node`,
  'advice-provider': ({ nodes }: { nodes: readonly string[] }) =>
    say`The storage driver leaves the work to a provider with a pod of its own. Check that this pod runs on ${names('en', nodes)}.`,
  'advice-node-title': () => say`Check the storage driver on the node`,
  'advice-node': ({ nodes }: { nodes: readonly string[] }) =>
    say`The log of the CSI driver's pod on ${names('en', nodes)} has the details.`,
};

const ko: typeof en = {
  'shared-failure': () => say`볼륨을 마운트할 수 없음`,
  'summary-missing': ({ workload, kind, name, key }) =>
    key === undefined
      ? say`${code(workload)}: 마운트할 ${code(kind)} ${code(name)} 오브젝트가 없습니다`
      : say`${code(workload)}: 마운트할 ${code(kind)} ${code(name)}의 ${code(key)} 키가 없습니다`,
  summary: ({ workload, volume }) =>
    volume === undefined
      ? say`${code(workload)}: 볼륨을 마운트할 수 없습니다`
      : say`${code(workload)}: ${code(volume)} 볼륨을 마운트할 수 없습니다`,
  standing: ({ sinceSeconds, ...pods }) =>
    !isAtLeastOneSecond(sinceSeconds)
      ? say`${failingPods('ko', pods)}가 시작되지 않습니다.`
      : say`${failingPods('ko', pods)}가 ${elapsed('ko', sinceSeconds)} 동안 시작되지 못했습니다.`,
  source: ({ volume, kind, name }) =>
    say`${code(volume)} 볼륨은 ${code(kind)} ${code(name)} 오브젝트를 마운트합니다.`,
  'keeps-asking': () => say`kubelet이 계속 다시 시도합니다. 오브젝트가 생기면 파드가 자동으로 시작됩니다.`,
  'attach-waits': () => say`볼륨이 아직 노드에 연결되지 않았습니다.`,
  'attached-for': ({ node, pods }) =>
    say`볼륨이 ${names('ko', pods)} 파드 때문에 ${code(node)} 노드에 연결되어 있습니다. 이 파드가 종료되어야 볼륨이 이 노드로 옮겨집니다.`,
  'used-on': ({ node, pods }) =>
    say`드라이버 메시지에 나온 ${code(node)} 노드에서 ${names('ko', pods)} 파드가 같은 클레임을 사용합니다. 그 파드가 중지된 뒤에야 볼륨이 옮겨질 수 있습니다.`,
  'advice-one-node-title': () => say`볼륨을 함께 쓰는 파드를 한 노드에서 실행하기`,
  'advice-one-node': ({ node }) =>
    say`${code('kubernetes.io/hostname')} 기준의 파드 어피니티를 필수로 설정해 모두 ${code(node)} 노드에서 실행되게 하세요. 또는 접근 모드가 ${code('ReadWriteMany')}인 볼륨을 사용하세요.`,
  'driver-missing': ({ driver, node }) =>
    say`CSI 드라이버 ${code(driver)} 상태: ${code(node)} 노드에 등록되어 있지 않습니다. 이미 실행 중인 파드의 볼륨은 유지됩니다.`,
  'advice-driver-title': ({ driver }) => say`노드의 드라이버 ${code(driver)} 파드 재시작하기`,
  'advice-driver': ({ nodes }) =>
    say`드라이버는 ${names('ko', nodes)} 노드의 파드가 시작될 때 kubelet에 등록됩니다. 이 파드와 registrar가 실행 중인지 확인하세요.`,
  'advice-no-driver-title': ({ driver }) => say`드라이버 ${code(driver)} 설치 또는 이름 수정하기`,
  'advice-no-driver': () =>
    say`이 드라이버를 등록한 노드가 없고, 이 이름의 CSIDriver도 없습니다. PersistentVolume 또는 StorageClass에 있는 이름을 클러스터의 드라이버와 비교하세요.`,
  'attachment-deleted': ({ volume, node, seconds }) =>
    seconds === undefined
      ? say`볼륨 ${code(volume)} 연결(${code(node)} 노드)이 삭제되는 중입니다.`
      : say`볼륨 ${code(volume)} 연결(${code(node)} 노드)이 ${elapsed('ko', seconds)}째 삭제되는 중입니다.`,
  'attachment-to-nothing': ({ volume, node }) =>
    say`볼륨 ${code(volume)}${particle(volume, '이', '가')} 클러스터에 없는 노드 ${code(node)}에 연결되어 있습니다.`,
  'attachment-error': ({ message }) => say`VolumeAttachment 오류: ${quote(message)}`,
  'ev-attachment': ({ volume, node }) => say`볼륨 ${code(volume)} 연결(${code(node)} 노드)`,
  'advice-attachment-title': () => say`스토리지 드라이버가 분리를 마치게 하기`,
  'advice-attachment': ({ node }) =>
    say`드라이버 컨트롤러의 로그를 확인하세요. 공급자에 ${code(node)} 노드가 더 이상 없고 볼륨에 쓰는 파드도 없다면 VolumeAttachment의 finalizer를 제거하세요.`,
  'advice-controller-title': () => say`스토리지 드라이버의 컨트롤러 확인하기`,
  'advice-controller': ({ nodes }) =>
    say`볼륨 연결은 컨트롤러가 처리하며 노드의 드라이버 파드와는 관계가 없습니다. 컨트롤러 로그에 자세한 내용이 있습니다. 클라우드에서 볼륨이 다른 머신에 연결되어 있고 그곳의 파드가 쓰지 않는다면, 그 머신에서 분리하고 ${names('ko', nodes)} 노드에 연결되게 하세요.`,
  'advice-slots-title': ({ nodes }) =>
    say`${names('ko', nodes)} 노드의 볼륨 자리를 비우거나 다른 노드 사용하기`,
  'advice-slots': () =>
    say`클라우드가 이 머신에 볼륨을 더 연결하지 않습니다. 이 한도를 스케줄러가 계산에 쓰는 CSINode의 한도와 비교하고, 파드가 쓰지 않는 디스크가 연결되어 있는지 확인하세요. 그때까지 파드를 다른 노드에 배치하세요.`,
  'advice-server-title': () => say`볼륨 서버의 접근 권한 확인하기`,
  'advice-server': ({ nodes }) =>
    say`서버가 마운트를 거부합니다. 공유의 주소, 경로, 인증 정보, 허용된 클라이언트를 ${names('ko', nodes)} 노드가 사용하는 것과 비교하세요.`,
  'because-not-env': () => say`없는 오브젝트는 환경 변수가 아니라 볼륨으로 마운트됨`,
  'restart-withheld': () => say`새 파드도 같은 볼륨을 마운트합니다.`,
  'advice-add-title': ({ kind, name, key }) =>
    key === undefined
      ? say`${code(kind)} ${code(name)} 오브젝트를 만들거나 참조 고치기`
      : say`${code(kind)} ${code(name)}에 ${code(key)} 키를 추가하거나 참조 고치기`,
  'node-path': ({ volume, path }) =>
    say`${code(volume)} 볼륨은 노드의 ${code(path)} 경로를 그대로 사용합니다. 스토리지 드라이버는 관여하지 않습니다.`,
  'advice-node-path-title': ({ path }) => say`노드에 ${code(path)} 경로를 마련하거나 볼륨 바꾸기`,
  'advice-node-path': ({ nodes }) =>
    say`${names('ko', nodes)} 노드의 경로가 볼륨의 type과 맞는지 확인하세요. ${code('DirectoryOrCreate')}를 쓰면 없는 디렉터리를 kubelet이 만듭니다.`,
  'mount-refused': ({ container }) =>
    say`볼륨은 노드에 준비되어 있습니다. ${code(container)} 컨테이너 안의 마운트 위치가 거부되어 컨테이너가 시작되지 않았습니다.`,
  'because-refused': ({ container }) => say`${code(container)} 컨테이너의 프로그램이 시작되지 않음`,
  'advice-place-title': () => say`파드 템플릿의 볼륨 마운트 고치기`,
  'advice-place': () =>
    say`${code('mountPath')}와 ${code('subPath')}를 이미지와 볼륨에 있는 파일과 비교하세요. 파일 위에 디렉터리를 마운트할 수 없습니다.`,
  'account-missing': ({ account }) =>
    say`kubelet이 API 서버에 ServiceAccount(${code(account)})의 토큰을 요청하는데 이 ServiceAccount가 없습니다. 계속 다시 시도합니다.`,
  'advice-account-title': ({ account }) =>
    say`ServiceAccount(${code(account)})를 만들거나 ${code('serviceAccountName')} 고치기`,
  'advice-account': () =>
    say`프로그램의 권한에는 RoleBinding도 필요합니다. ServiceAccount가 생기면 파드가 자동으로 시작됩니다.`,
  'no-device': ({ container, path }) =>
    say`${code(container)} 컨테이너가 볼륨을 ${code(path)} 장치로 사용합니다(${code('volumeDevices')}). 노드에 준비된 것은 장치가 아닙니다.`,
  'advice-device-title': () => say`${code('volumeMode')}와 노드에 있는 것 비교하기`,
  'advice-device': ({ nodes }) =>
    say`${code('volumeMode: Block')}이면 ${names('ko', nodes)} 노드의 볼륨 경로가 디렉터리나 파일이 아니라 블록 장치여야 합니다. 파일 시스템이 있는 볼륨은 ${code('volumeMode: Filesystem')}과 ${code('volumeMounts')}를 사용하세요.`,
  'other-label': ({ pods }) =>
    pods.length === 0
      ? say`한 노드에서 볼륨은 한 번에 하나의 SELinux 레이블만 가집니다. 그 노드의 다른 파드가 다른 레이블로 사용하고 있습니다.`
      : say`한 노드에서 볼륨은 한 번에 하나의 SELinux 레이블만 가집니다. 그 노드의 ${names('ko', pods)} 파드가 다른 레이블로 사용하고 있을 수 있습니다. 이 파드가 준비될 때까지 그런 파드를 유지하는 롤아웃은 교착 상태입니다.`,
  'advice-label-title': () => say`레이블이 다른 파드를 먼저 중지하기`,
  'advice-label': () =>
    say`${code('maxSurge: 0')} 또는 ${code('Recreate')} 전략을 사용하면 이전 파드가 사라진 뒤 새 파드가 시작됩니다. 또는 두 파드에 같은 레이블을 지정하세요.`,
  'advice-relabel-title': () => say`또는 kubelet이 파일의 레이블을 바꾸게 하기`,
  'advice-relabel': () =>
    say`그러면 두 파드 모두 볼륨을 마운트하고 파일은 마지막 파드의 레이블을 가집니다. 다른 파드는 접근하지 못할 수 있습니다.`,
  'in-memory': ({ volume, limits }) =>
    say`kubelet은 ${code(volume)} 볼륨을 메모리에 두며, 그 크기는 파드의 메모리 제한(${names('ko', limits)})과 같습니다.`,
  'advice-memory-title': () => say`메모리 제한 늘리기`,
  'advice-memory': ({ limits, isBelowOne }) =>
    isBelowOne
      ? say`${code('m')}은 1000분의 1바이트입니다. 제한(${names('ko', limits)})을 ${code('Mi')} 단위로 지정하세요.`
      : say`제한 ${names('ko', limits)} 안에 볼륨의 파일이 들어가지 않습니다.`,
  'advice-kubelet-title': () => say`노드의 kubelet 확인하기`,
  'advice-kubelet': ({ nodes }) =>
    say`이 볼륨은 스토리지 드라이버 없이 kubelet이 제공합니다. 자세한 내용은 ${names('ko', nodes)} 노드의 kubelet 로그에 있습니다.`,
  'used-beside': ({ node, pods }) =>
    sentences(
      say`${code(node)} 노드의 ${names('ko', pods)} 파드가 같은 클레임을 사용하며, 메시지에 따르면 볼륨이 이미 이 노드에 마운트되어 있습니다.`,
      say`새 파드가 준비될 때까지 그 파드를 유지하는 롤아웃은 교착 상태입니다.`,
    ),
  'advice-beside-title': () => say`이전 파드 먼저 중지하기`,
  'advice-beside': ({ nodes }) =>
    say`드라이버는 ${names('ko', nodes)} 노드에 같은 볼륨을 두 번 마운트하지 않습니다. 이 전략을 사용하면 새 파드가 시작되기 전에 이전 파드가 종료됩니다.`,
  'advice-stale-title': ({ nodes }) => say`${names('ko', nodes)} 노드에 볼륨을 다시 마운트하기`,
  'advice-stale': ({ nodes }) =>
    sentences(
      say`${names('ko', nodes)} 노드의 마운트는 재시작되었거나 사라진 서버 또는 프로그램의 것입니다. 먼저 실행 중인지 확인하세요.`,
      say`그런 다음 이 노드에서 같은 볼륨을 쓰는 다른 파드를 삭제하거나 경로의 마운트를 해제하면 kubelet이 새로 마운트합니다.`,
    ),
  'advice-object-title': ({ kind, name }) => say`${code(kind)} ${code(name)} 만들기 또는 참조 바로잡기`,
  'advice-object': ({ kind }) =>
    say`스토리지 드라이버가 API 서버에서 이 ${code(kind)} 오브젝트를 찾지만 존재하지 않습니다. 오브젝트가 생기면 파드가 자동으로 시작됩니다.`,
  'advice-provider-title': ({ provider }) => say`노드에서 프로바이더 ${code(provider)} 실행하기`,
  'advice-provider': ({ nodes }) =>
    say`스토리지 드라이버는 별도의 파드로 실행되는 프로바이더에 작업을 맡깁니다. 이 파드가 ${names('ko', nodes)} 노드에서 실행 중인지 확인하세요.`,
  'advice-node-title': () => say`노드의 스토리지 드라이버 확인하기`,
  'advice-node': ({ nodes }) =>
    say`자세한 내용은 ${names('ko', nodes)} 노드의 CSI 드라이버 파드 로그에 있습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('mount-failure');
