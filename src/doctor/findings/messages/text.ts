import { code, type Prose, say } from '../../../engine/language/prose.js';
import type { KnownMessageId } from './known-messages.js';

/** The page of a cause, as sentences name it. */
export function pageName(cause: string): string {
  return `docs/causes/${cause}.md`;
}

type Values = { readonly cause: string };
type Told = Readonly<Record<KnownMessageId, (values: Values) => Prose>>;

/** A sentence, and the page that explains it further. */
function told(sentences: Readonly<Record<KnownMessageId, string>>, page: (cause: string) => Prose): Told {
  return Object.fromEntries(
    Object.entries(sentences).map(([id, text]) => [
      id,
      ({ cause }: Values): Prose => [{ kind: 'text', text: `${text} ` }, ...page(cause)],
    ]),
  ) as Told;
}

const sentencesEn: Readonly<Record<KnownMessageId, string>> = {
  'multi-attach':
    'Another pod on another node still uses the volume, and the volume can be attached to one node only.',
  'detach-awaited': 'The volume must be detached from its former node before it can be attached here.',
  'attach-failed': 'The volume could not be attached to the node. The rest of the message gives the reason.',
  'config-key-missing': 'The ConfigMap or Secret exists, and it lacks the key that the container refers to.',
  'config-object-missing': 'A ConfigMap or Secret that the pod refers to does not exist in its namespace.',
  'root-refused':
    'The pod demands a user other than root, and the image runs as root. Set runAsUser, or a user in the image.',
  'config-error':
    'The kubelet cannot build the settings of the container. Most often, a ConfigMap, a Secret or a key is missing.',
  'image-name-invalid': 'The name of the image is not valid, so no registry was asked.',
  'image-hidden':
    'The registry has no such repository, or refuses the pull without the right credentials. It does not state which.',
  'image-other-platform':
    'The registry has the image, but not for the architecture and operating system of the node.',
  'image-unknown': 'The registry has no image of this name and tag.',
  'image-forbidden': 'The registry refuses the pull: the credentials are missing, wrong or not sufficient.',
  'image-rate-limited':
    'The registry limits the rate of pulls. Kubernetes retries, with longer and longer waits.',
  'registry-unreachable':
    'The node could not reach the registry. Check name resolution, network, proxy and certificates.',
  'image-no-space': 'The disk of the node is full, so the image could not be stored.',
  'pull-secret-missing':
    'A pull secret that the pod names does not exist in its namespace. The kubelet pulls the image without it.',
  'image-pull-failed':
    'The image could not be pulled. An event of the pod, with reason Failed, gives the reason of the registry.',
  'image-never-pulled': 'The pull policy is Never, and the node does not have the image.',
  'image-pull-retried': 'The pull of the image failed, and the kubelet waits before the next retry.',
  'out-of-memory':
    'The kernel ended the process because its memory reached the limit of the container or of the node.',
  'exec-failed': 'A command could not be run inside the running container, such as the command of a probe.',
  'runtime-hook-failed':
    'A hook of the container runtime failed, such as the one that adds devices, so the container was not started.',
  'program-missing': 'The command of the container does not exist in the image or cannot be executed there.',
  'start-hook-failed': 'The postStart hook of the container failed, so the kubelet ends the container.',
  'mount-refused':
    'The runtime could not mount a volume or a file at its place in the container, so the container was not started.',
  'container-not-started':
    'The runtime could not create or start the container. The message of the event gives the reason.',
  'liveness-killed':
    'The liveness probe failed. After enough failures in a row, the kubelet restarts the container.',
  'startup-failed':
    'The startup probe failed. After enough failures in a row, the kubelet restarts the container.',
  'readiness-failed':
    'The readiness probe failed. The pod gets no traffic of Services until the probe succeeds again.',
  'address-missing': 'The network plug-in (CNI) has no free IP address for the pod on this node.',
  'network-plugin': 'The network plug-in (CNI) of the node could not set up the network of the pod.',
  'sandbox-replaced':
    'The sandbox of the pod changed or ended, so the kubelet starts the pod in a new one. After a reboot of the node, this alone is no fault.',
  'sandbox-failed': 'The sandbox of the pod could not be created, so no container has started.',
  'mount-timeout':
    'A volume was not mounted in time. Earlier events of the pod or of the volume give the reason.',
  'mount-failed': 'A volume of the pod could not be mounted, so its containers wait.',
  'mount-set-up-failed': 'The kubelet or the volume driver could not set up the volume on the node.',
  'class-missing': 'The storage class of the claim does not exist, so no provisioner provides a volume.',
  'consumer-awaited':
    'The storage class provides the volume only once a pod that uses the claim has a node. This alone is no fault.',
  provisioning: 'The claim has no volume yet. The provisioner of its storage class has not provided one.',
  'quota-unstated':
    'A ResourceQuota of the namespace counts resources that the pod does not state, so it was not created.',
  'account-missing':
    'The service account of the pod does not exist in its namespace, so the pod was not created.',
  'limit-range':
    'A LimitRange of the namespace forbids the requests or limits of the pod, so it was not created.',
  quota: 'A ResourceQuota of the namespace has too little left, so the object was not created.',
  'security-violated': 'The Pod Security Standard of the namespace forbids a setting of the pod.',
  'webhook-denied': 'An admission webhook or policy refused the object. Its words give the reason.',
  'webhook-passed-over': 'The API server could not call an admission webhook, and went on without it.',
  'webhook-failed':
    'The API server could not call an admission webhook, whose policy is to refuse the object then.',
  'kubelet-rejected': 'The kubelet rejected the pod after the scheduler had assigned it to the node.',
  evicted: 'The kubelet evicted the pod because the node ran short of a resource.',
  'evicted-reason': 'The pod was evicted from its node. The message names the resource that ran short.',
  'node-runs-short':
    'The node runs short of a resource. The kubelet evicts pods where it cannot reclaim enough.',
  preempted: 'The scheduler removed the pod to make room for a pod of higher priority.',
  'node-silent': 'The kubelet of the node does not report, or the runtime on the node does not work.',
  'node-not-ready': 'The node is not ready. Pods on it may not run, and Kubernetes evicts them after a time.',
  deadline:
    'The rollout made no progress within its deadline. This states no cause. Check the pods of the new revision.',
  'node-ordered': 'A cluster autoscaler ordered a node for the pod. The pod waits until the node is ready.',
  gated: 'A scheduling gate holds the pod back. The controller that set the gate must remove it.',
  'claim-of-pod-missing': 'The PersistentVolumeClaim that the pod refers to does not exist in its namespace.',
  'stop-failed': 'The kubelet could not stop the pod as it should.',
  'crash-loop':
    'The container ends again and again. The kubelet waits up to five minutes before each restart. The last state of the container gives its exit code.',
  restarted: 'The container ended, and the kubelet waits before it starts the container again.',
  'init-awaited': 'The containers wait until all init containers have completed.',
  'status-pending':
    'The pod has no node yet. Its event with reason FailedScheduling gives the reason. To have it explained, paste the message of that event.',
  'status-creating':
    'The pod has a node, and its containers have not started yet. After a few minutes, an event of the pod gives the reason: a volume, the network or the image.',
  'status-terminating':
    'The pod was deleted, and it still exists. A process that does not exit, a finalizer, or a node that does not answer keeps it.',
  'status-error':
    'A container ended with an error. Its last state gives the exit code, and its log usually gives the reason.',
  'status-completed':
    'The program ended with exit code 0. This is the aim of a Job. A Deployment starts the container again.',
  'status-running':
    'The containers run. If READY shows fewer containers than the pod has, one is not ready. Its event with reason Unhealthy gives the answer of the readiness probe.',
  'status-lost':
    'The node stopped the pod, or its kubelet no longer reports the state of the pod. Check the node.',
  'status-deadline':
    'The pod ran longer than its activeDeadlineSeconds, or than that of its Job, and was stopped.',
  'status-affinity':
    'The kubelet rejected the pod because the labels of its node do not match the rules of the pod.',
};

const sentencesKo: Readonly<Record<KnownMessageId, string>> = {
  'multi-attach':
    '다른 노드의 파드가 이 볼륨을 아직 사용하고 있으며, 이 볼륨은 한 노드에만 연결할 수 있습니다.',
  'detach-awaited': '볼륨을 이전 노드에서 분리해야 이 노드에 연결할 수 있습니다.',
  'attach-failed': '볼륨을 노드에 연결하지 못했습니다. 이유는 메시지의 나머지 부분에 있습니다.',
  'config-key-missing': '컨피그맵이나 시크릿은 있지만 컨테이너가 참조하는 키가 없습니다.',
  'config-object-missing': '파드가 참조하는 컨피그맵이나 시크릿이 네임스페이스에 없습니다.',
  'root-refused':
    '파드는 루트가 아닌 사용자를 요구하지만 이미지는 루트로 실행됩니다. runAsUser나 이미지의 사용자를 설정하세요.',
  'config-error':
    'kubelet이 컨테이너 설정을 만들 수 없습니다. 대부분 컨피그맵, 시크릿 또는 키가 없기 때문입니다.',
  'image-name-invalid': '이미지 이름이 올바르지 않아 레지스트리에 요청하지 않았습니다.',
  'image-hidden':
    '레지스트리에 저장소가 없거나 인증 정보가 부족합니다. 둘 중 어느 쪽인지는 메시지로 알 수 없습니다.',
  'image-other-platform':
    '레지스트리에 이미지는 있지만 노드의 아키텍처와 운영 체제에 맞는 이미지가 없습니다.',
  'image-unknown': '레지스트리에 이 이름과 태그의 이미지가 없습니다.',
  'image-forbidden':
    '레지스트리가 이미지 다운로드를 거부했습니다. 인증 정보가 없거나 틀렸거나 권한이 부족합니다.',
  'image-rate-limited':
    '레지스트리가 다운로드 횟수를 제한합니다. Kubernetes는 대기 시간을 늘려 가며 다시 시도합니다.',
  'registry-unreachable':
    '노드가 레지스트리에 연결하지 못했습니다. DNS, 네트워크, 프록시, 인증서를 확인하세요.',
  'image-no-space': '노드의 디스크가 가득 차 이미지를 저장하지 못했습니다.',
  'pull-secret-missing':
    '파드가 지정한 풀 시크릿이 네임스페이스에 없습니다. kubelet은 시크릿 없이 이미지를 다운로드합니다.',
  'image-pull-failed': '이미지를 다운로드하지 못했습니다. 이유는 파드의 Failed 이벤트에 있습니다.',
  'image-never-pulled': '이미지 풀 정책이 Never이고 노드에 이미지가 없습니다.',
  'image-pull-retried': '이미지 다운로드에 실패했으며, kubelet이 잠시 후 다시 시도합니다.',
  'out-of-memory': '메모리가 컨테이너 또는 노드의 한도에 도달해 커널이 프로세스를 종료했습니다.',
  'exec-failed': '실행 중인 컨테이너 안에서 프로브 등의 명령을 실행하지 못했습니다.',
  'runtime-hook-failed': '장치를 추가하는 훅과 같은 런타임 훅이 실패해 컨테이너를 시작하지 못했습니다.',
  'program-missing': '컨테이너의 명령이 이미지에 없거나 실행할 수 없습니다.',
  'start-hook-failed': '컨테이너의 postStart 훅이 실패해 kubelet이 컨테이너를 종료합니다.',
  'mount-refused':
    '런타임이 볼륨이나 파일을 컨테이너의 경로에 마운트하지 못해 컨테이너를 시작하지 못했습니다.',
  'container-not-started':
    '런타임이 컨테이너를 만들거나 시작하지 못했습니다. 이유는 이벤트 메시지에 있습니다.',
  'liveness-killed':
    '활성 프로브가 실패했습니다. 연속 실패 횟수가 한도에 이르면 kubelet이 컨테이너를 재시작합니다.',
  'startup-failed':
    '스타트업 프로브가 실패했습니다. 연속 실패 횟수가 한도에 이르면 kubelet이 컨테이너를 재시작합니다.',
  'readiness-failed':
    '준비성 프로브가 실패했습니다. 프로브가 다시 성공할 때까지 서비스 트래픽을 받지 않습니다.',
  'address-missing': '네트워크 플러그인(CNI)이 이 노드에서 파드에 할당할 IP 주소가 없습니다.',
  'network-plugin': '노드의 네트워크 플러그인(CNI)이 파드 네트워크를 구성하지 못했습니다.',
  'sandbox-replaced':
    '파드 샌드박스가 바뀌거나 종료되어 kubelet이 새 샌드박스에서 파드를 시작합니다. 노드를 재부팅한 뒤라면 이것만으로는 문제가 아닙니다.',
  'sandbox-failed': '파드 샌드박스를 만들지 못해 컨테이너가 하나도 시작되지 않았습니다.',
  'mount-timeout': '볼륨이 제시간에 마운트되지 않았습니다. 이유는 파드나 볼륨의 이전 이벤트에 있습니다.',
  'mount-failed': '파드의 볼륨을 마운트하지 못해 컨테이너가 대기합니다.',
  'mount-set-up-failed': 'kubelet 또는 볼륨 드라이버가 노드에서 볼륨을 준비하지 못했습니다.',
  'class-missing': '클레임의 스토리지 클래스가 없어 볼륨이 만들어지지 않습니다.',
  'consumer-awaited':
    '이 스토리지 클래스는 클레임을 사용하는 파드의 노드가 정해진 뒤에 볼륨을 만듭니다. 이것만으로는 문제가 아닙니다.',
  provisioning: '클레임에 아직 볼륨이 없습니다. 스토리지 클래스의 프로비저너가 볼륨을 만들지 않았습니다.',
  'quota-unstated':
    '네임스페이스의 리소스쿼터가 세는 리소스를 파드에 지정하지 않아 파드를 만들지 못했습니다.',
  'account-missing': '파드의 서비스 어카운트가 네임스페이스에 없어 파드를 만들지 못했습니다.',
  'limit-range':
    '네임스페이스의 리밋레인지가 파드의 요청량이나 한도를 허용하지 않아 파드를 만들지 못했습니다.',
  quota: '네임스페이스의 리소스쿼터에 남은 양이 부족해 오브젝트를 만들지 못했습니다.',
  'security-violated': '네임스페이스의 파드 보안 표준이 파드의 설정을 금지합니다.',
  'webhook-denied': '어드미션 웹훅이나 정책이 오브젝트를 거부했습니다. 이유는 메시지에 있습니다.',
  'webhook-passed-over': 'API 서버가 어드미션 웹훅을 호출하지 못해 웹훅 없이 처리했습니다.',
  'webhook-failed':
    'API 서버가 어드미션 웹훅을 호출하지 못했으며, 이 경우 오브젝트를 거부하도록 설정되어 있습니다.',
  'kubelet-rejected': '스케줄러가 노드를 정한 뒤 kubelet이 파드를 거부했습니다.',
  evicted: '노드의 리소스가 부족해 kubelet이 파드를 축출했습니다.',
  'evicted-reason': '파드가 노드에서 축출되었습니다. 부족한 리소스는 메시지에 있습니다.',
  'node-runs-short': '노드의 리소스가 부족합니다. 충분히 회수하지 못하면 kubelet이 파드를 축출합니다.',
  preempted: '우선순위가 더 높은 파드를 배치하려고 스케줄러가 이 파드를 제거했습니다.',
  'node-silent': '노드의 kubelet이 상태를 보고하지 않거나 노드의 런타임이 동작하지 않습니다.',
  'node-not-ready':
    '노드가 준비되지 않았습니다. 이 노드의 파드는 실행되지 않을 수 있으며, 일정 시간 뒤 축출됩니다.',
  deadline: '롤아웃이 제한 시간 안에 진행되지 않았습니다. 원인은 알 수 없으니 새 리비전의 파드를 확인하세요.',
  'node-ordered':
    '클러스터 오토스케일러가 파드를 위해 노드를 요청했습니다. 노드가 준비될 때까지 파드가 대기합니다.',
  gated: '스케줄링 게이트가 파드를 붙잡고 있습니다. 게이트를 설정한 컨트롤러가 제거해야 합니다.',
  'claim-of-pod-missing': '파드가 참조하는 퍼시스턴트볼륨클레임이 네임스페이스에 없습니다.',
  'stop-failed': 'kubelet이 파드를 정상적으로 중지하지 못했습니다.',
  'crash-loop':
    '컨테이너가 반복해서 종료됩니다. kubelet은 재시작할 때마다 최대 5분까지 기다립니다. 종료 코드는 컨테이너의 마지막 상태에 있습니다.',
  restarted: '컨테이너가 종료되었으며, kubelet이 잠시 후 다시 시작합니다.',
  'init-awaited': '모든 초기화 컨테이너가 완료될 때까지 컨테이너가 대기합니다.',
  'status-pending':
    '파드가 배치될 노드가 아직 정해지지 않았습니다. 이유는 파드의 FailedScheduling 이벤트에 있습니다. 그 메시지를 붙여 넣으면 설명해 드립니다.',
  'status-creating':
    '파드의 노드는 정해졌지만 컨테이너가 아직 시작되지 않았습니다. 몇 분 넘게 계속되면 파드 이벤트에서 볼륨, 네트워크, 이미지 문제를 확인하세요.',
  'status-terminating':
    '삭제된 파드가 아직 남아 있습니다. 종료되지 않는 프로세스, 파이널라이저, 응답 없는 노드가 원인일 수 있습니다.',
  'status-error':
    '컨테이너가 오류로 종료되었습니다. 종료 코드는 컨테이너의 마지막 상태에, 이유는 보통 로그에 있습니다.',
  'status-completed':
    '프로그램이 종료 코드 0으로 끝났습니다. Job이라면 정상이고, Deployment라면 컨테이너가 다시 시작됩니다.',
  'status-running':
    '컨테이너가 실행 중입니다. READY 값이 전체 컨테이너 수보다 작으면 준비되지 않은 컨테이너가 있습니다. 준비성 프로브의 응답은 파드의 Unhealthy 이벤트에 있습니다.',
  'status-lost':
    '노드가 파드를 중지했거나 kubelet이 파드 상태를 더 이상 보고하지 않습니다. 노드를 확인하세요.',
  'status-deadline': '파드나 Job의 activeDeadlineSeconds를 넘겨 파드가 중지되었습니다.',
  'status-affinity': '노드의 레이블이 파드의 배치 규칙과 맞지 않아 kubelet이 파드를 거부했습니다.',
};

const en = {
  ...told(sentencesEn, (cause) => say`See ${code(pageName(cause))}.`),
  'read-as': ({ reason }: { reason: string }): Prose => say`Read as ${code(reason)}.`,
};
const ko: typeof en = {
  ...told(sentencesKo, (cause) => say`${code(pageName(cause))} 문서를 참고하세요.`),
  'read-as': ({ reason }) => say`${code(reason)}의 뜻을 설명합니다.`,
};

export const text = { en, ko };
