import { code, say, sentences } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { names, particle } from '../../../engine/language/words.js';
import { type Advised, en } from './text-en.js';

const advisedKo: Advised = {
  'service-variable-title': () => say`Service 환경 변수 끄기`,
  'service-variable-advice': () =>
    say`파드 템플릿에 ${code('enableServiceLinks: false')}를 설정하거나 Service 이름을 바꾸세요. Kubernetes는 Service마다 ${code('NAME_PORT')} 같은 변수를 설정하는데, 프로그램이 그중 하나를 자신의 설정으로 읽습니다.`,
  'kind-not-installed-title': () => say`설치되지 않은 리소스 종류 설치하기`,
  'kind-not-installed-advice': () =>
    say`새 리비전이 시작되기 전에 프로그램에 필요한 버전의 CustomResourceDefinition을 적용하세요. Helm은 차트의 ${code('crds/')} 폴더에 있는 정의를 업데이트하지 않습니다.`,
  'watch-limit-title': () => say`노드의 inotify 한도 높이기`,
  'watch-limit-advice': () =>
    say`노드의 ${code('fs.inotify.max_user_instances')} 및 ${code('fs.inotify.max_user_watches')} 값을 높이세요. 노드의 모든 파드가 이 한도를 함께 사용합니다.`,
  'file-limit-title': () => say`열 수 있는 파일 수 늘리기`,
  'file-limit-advice': ({ container }) =>
    say`컨테이너 런타임이 ${code(container)} 컨테이너에 허용하는 열린 파일 수를 늘리거나, 프로그램이 닫지 않는 파일과 연결을 찾으세요. 파일을 감시하는 프로그램은 노드의 ${code('fs.inotify.max_user_instances')} 한도에 도달해도 같은 오류를 냅니다.`,
  'no-space-title': () => say`볼륨 공간 확보하기`,
  'no-space-advice': ({ container }) =>
    say`${code('df -h')} 명령으로 ${code(container)} 컨테이너가 쓰는 파일 시스템을 확인한 뒤 데이터를 지우거나 용량을 늘리세요. 재시작해도 같은 곳에 씁니다.`,
  'kernel-setting-title': () => say`노드의 커널 설정 바꾸기`,
  'kernel-setting-advice': () =>
    say`이 파드가 실행될 수 있는 모든 노드에 로그에 나온 값을 설정하세요. 예를 들어 권한 있는 초기화 컨테이너나 DaemonSet을 사용할 수 있습니다. 로그가 커널 기능을 가리키면 그 기능이 있는 노드 이미지를 사용하세요. 잠긴 메모리(${code('memlock')}) 한도는 컨테이너 런타임에서 설정합니다.`,
  'device-memory-title': () => say`장치 메모리 확보하기`,
  'device-memory-advice': ({ container }) =>
    say`${code(container)} 컨테이너가 장치 메모리를 더 적게 쓰게 하거나, 같은 장치를 쓰는 다른 프로세스를 중지하세요. 공유 GPU는 파드별 메모리를 제한하지 않습니다.`,
  'process-limit-title': () => say`프로세스 수 한도 높이기`,
  'process-limit-advice': ({ container }) =>
    say`${code(container)} 컨테이너가 스레드를 더 적게 시작하게 하거나 프로세스 수 한도를 높이세요. 파드의 한도(kubelet의 ${code('podPidsLimit')})와 노드의 한도가 있습니다.`,
  'changed-migration-title': () => say`마이그레이션 되돌리기`,
  'changed-migration-advice': () =>
    say`마이그레이션을 적용했던 내용으로 되돌리고 변경은 새 마이그레이션으로 추가하세요. 데이터베이스가 이미 올바르다면 적용 기록을 복구하세요.`,
  'database-lock-title': () => say`데이터베이스 잠금 확인하기`,
  'database-lock-advice': ({ container }) =>
    say`${code(container)} 컨테이너가 쓰는 데이터베이스에서 누가 잠금을 보유하는지 확인하세요. 테이블에 기록된 잠금은 보유자가 사라져도 남으므로 마이그레이션 도구로 해제하세요. 세션 잠금은 세션과 함께 끝납니다.`,
  'no-file-locks-title': () => say`파일을 잠글 수 있는 볼륨 사용하기`,
  'no-file-locks-advice': () =>
    say`파일 시스템이 파일 잠금을 제공하지 않습니다. 데이터를 블록 볼륨으로 옮기거나 네트워크 공유의 잠금 서비스를 켜세요.`,
  'held-elsewhere-title': () => say`한 프로세스만 데이터를 사용하게 하기`,
  'held-elsewhere-advice': () =>
    say`같은 데이터를 사용하는 프로세스를 찾아, 이 프로그램이 시작되기 전에 중지하세요. 그런 프로세스가 없다면 이전 실행이 잠금 파일을 남겼을 수 있습니다.`,
  'address-in-use-title': () => say`포트 비우기`,
  'address-in-use-advice': ({ container }) =>
    say`이 포트를 사용하는 프로세스를 찾아, 그 프로세스나 ${code(container)} 컨테이너의 포트를 바꾸세요.`,
  'read-only-title': () => say`쓸 수 있는 경로 제공하기`,
  'read-only-advice': ({ container }) =>
    say`${code(container)} 컨테이너의 해당 경로에 ${code('emptyDir')} 볼륨을 마운트하거나, 마운트의 ${code('readOnly')} 설정과 컨테이너의 ${code('readOnlyRootFilesystem')} 설정을 확인하세요.`,
  'privileged-port-title': () => say`1024 이상의 포트 사용하기`,
  'privileged-port-advice': () =>
    say`프로그램이 1024 이상의 포트를 사용하게 하고 Service 포트는 ${code('targetPort')} 설정으로 유지하세요. 또는 ${code('NET_BIND_SERVICE')} 권한을 추가하세요.`,
  'api-forbidden-title': () => say`서비스 어카운트에 권한 부여하기`,
  'api-forbidden-advice': () =>
    say`로그에 나온 동작과 리소스를 서비스 어카운트의 Role 또는 ClusterRole에 추가하세요. 새 버전에는 새 권한이 필요한 경우가 많습니다.`,
  'clock-title': () => say`시계 맞추기`,
  'clock-advice': ({ container }) =>
    say`${code(container)} 컨테이너가 있는 노드의 시계를 다른 노드 및 발급자의 시계와 비교하고 시간 동기화를 확인하세요. 미래 시각은 시계가 그 시각에 이르면 유효해집니다.`,
  'connections-used-up-title': () => say`서버의 연결 확보하기`,
  'connections-used-up-advice': ({ container }) =>
    say`${code(container)} 컨테이너가 사용하는 서버가 연결을 더 받지 않습니다. 커넥션 풀을 줄이거나 서버의 한도를 높이세요. 업데이트 중에는 이전 파드와 새 파드가 동시에 연결합니다.`,
  'credentials-title': () => say`인증 정보 확인하기`,
  'credentials-advice': ({ container }) =>
    say`${code(container)} 컨테이너가 사용하는 인증 정보를 서버가 요구하는 것과 비교하세요. 바뀐 환경 변수는 컨테이너가 시작될 때만 읽습니다.`,
  'certificate-title': () => say`인증서 확인하기`,
  'certificate-advice': ({ container }) =>
    say`인증서의 기한, 이름, 발급자를 확인하고 ${code(container)} 컨테이너가 그 발급자를 신뢰하는지 확인하세요.`,
  'other-cluster-title': () => say`데이터와 클러스터 비교하기`,
  'other-cluster-advice': ({ container }) =>
    say`${code(container)} 컨테이너가 찾은 데이터는 다른 클러스터의 것이거나 클러스터에서 제거된 멤버의 것입니다. 올바른 볼륨을 마운트하는지, 주소가 맞는지 확인하세요. 데이터를 지우기 전에 볼륨을 백업하세요.`,
  'data-version-title': () => say`데이터를 읽을 수 있는 버전 사용하기`,
  'data-version-advice': () =>
    say`데이터를 쓴 버전을 실행하거나, 프로그램의 업그레이드 안내에 따라 데이터를 마이그레이션하세요. 먼저 볼륨을 백업하세요.`,
  'failed-migration-title': () => say`실패한 마이그레이션 해결하기`,
  'failed-migration-advice': ({ container }) =>
    say`${code(container)}의 데이터베이스에서 마이그레이션이 실패한 원인을 찾아 해결하세요. 그런 다음 마이그레이션 도구로 해당 마이그레이션을 롤백됨 또는 적용됨으로 기록하세요. 그 전에는 다른 마이그레이션도 실행되지 않습니다.`,
  'not-migrated-title': () => say`마이그레이션 먼저 실행하기`,
  'not-migrated-advice': ({ container }) =>
    say`${code(container)} 컨테이너가 시작되기 전에 Job이나 초기화 컨테이너에서 마이그레이션을 실행하세요. 올바른 데이터베이스를 사용하는지도 확인하세요.`,
  'damaged-file-title': () => say`손상된 파일 복구하기`,
  'damaged-file-advice': () =>
    say`볼륨의 사본을 남긴 뒤 로그에 나온 파일을 복구하거나 복원하세요. 재시작해도 같은 파일을 다시 읽습니다.`,
  'library-mismatch-title': () => say`라이브러리나 드라이버 버전 맞추기`,
  'library-mismatch-advice': ({ container }) =>
    say`${code(container)} 이미지를 그 안의 라이브러리와 노드의 드라이버에 맞게 빌드하거나, 필요한 버전을 설치하세요.`,
  'illegal-instruction-title': () => say`프로세서에 맞는 이미지 사용하기`,
  'illegal-instruction-advice': ({ container }) =>
    say`이 노드들의 프로세서용으로 빌드된 ${code(container)} 이미지를 사용하거나, 필요한 기능이 있는 프로세서의 노드를 선택하세요.`,
  'process-memory-title': () => say`프로그램 메모리 늘리기`,
  'process-memory-advice': ({ container }) =>
    say`${code(container)} 컨테이너의 프로그램이 힙 크기 같은 자체 한도에 도달했습니다. 이 한도와 컨테이너의 메모리 제한을 함께 높이세요.`,
  'call-refused-title': () => say`프로그램의 커널 호출 허용하기`,
  'call-refused-advice': ({ container }) =>
    say`커널이 프로그램의 호출을 거부했습니다. ${code(container)} 컨테이너의 capabilities, seccomp 프로필, ${code('privileged')} 설정을 이 버전에 필요한 것과 비교하세요.`,
  'file-mode-title': () => say`파일 모드 바꾸기`,
  'file-mode-advice': ({ container }) =>
    say`${code(container)} 컨테이너의 로그가 요구하는 모드로 바꾸세요. 예를 들어 초기화 컨테이너에서 바꿀 수 있습니다. 파드에 ${code('fsGroup')} 설정이 있으면 kubelet이 마운트할 때마다 볼륨의 파일을 이 그룹에 개방합니다. ${code('fsGroupChangePolicy: OnRootMismatch')}를 설정하면 폴더의 그룹이 맞을 때는 파일을 바꾸지 않습니다.`,
  'shared-memory-title': () => say`파드의 공유 메모리 늘리기`,
  'shared-memory-advice': ({ container }) =>
    say`${code(container)} 컨테이너의 ${code('/dev/shm')} 경로에 ${code('medium: Memory')}인 ${code('emptyDir')} 볼륨을 마운트하세요. 볼륨이 없으면 컨테이너 런타임은 기본으로 64 MiB를 제공합니다. 볼륨에 담긴 내용은 메모리 제한에 포함됩니다.`,
  'not-permitted-title': () => say`파일 접근 권한 부여하기`,
  'not-permitted-advice': () =>
    say`파일의 소유자와 권한을 프로그램이 실행되는 사용자와 비교하세요. 볼륨이라면 ${code('fsGroup')} 설정이 파일의 그룹을 정합니다.`,
  'unreachable-title': () => say`주소 확인하기`,
  'unreachable-advice': ({ container }) =>
    say`${code(container)} 컨테이너가 사용하는 호스트와 포트, 그리고 그 서버가 실행 중인지 확인하세요. 이전 리비전의 설정과도 비교하세요.`,
  'setting-title': () => say`설정 바로잡기`,
  'setting-advice': ({ container }) =>
    say`${code(container)} 컨테이너의 인자, 환경 변수, 설정 파일을 이 버전이 받는 것과 비교하세요.`,
  'missing-file-title': () => say`빠진 파일 제공하기`,
  'missing-file-advice': ({ container }) =>
    say`로그에 나온 파일이 ${code(container)} 이미지에 있는지, 또는 그 경로에 볼륨이 마운트되어 있는지 확인하세요.`,
};

const ko: typeof en = {
  ...advisedKo,
  'on-claim': ({ claim, size, path }) =>
    size === undefined
      ? say`${code(path)} 경로는 클레임 ${code(claim)} 볼륨입니다.`
      : say`${code(path)} 경로는 ${code(size)} 용량을 요청한 클레임 ${code(claim)} 볼륨입니다.`,
  'claim-full-advice': ({ claim, size }) =>
    sentences(
      size === undefined
        ? say`볼륨의 데이터를 지우거나 클레임 ${code(claim)} 용량을 늘리세요.`
        : say`볼륨의 데이터를 지우거나 클레임 ${code(claim)} 용량을 ${code(size)}보다 크게 늘리세요.`,
      say`StorageClass가 확장을 허용해야 합니다. 새 파드도 같은 볼륨을 사용합니다.`,
    ),
  'variable-of-service': ({ service, variable }) =>
    say`Kubernetes가 Service ${code(service)} 때문에 ${code(variable)} 변수를 설정하고, 프로그램은 이 변수를 자신의 설정으로 읽습니다.`,
  'own-variable': ({ service, variable }) =>
    sentences(
      say`Kubernetes는 이 파드를 선택하는 Service ${code(service)} 때문에 ${code(variable)} 변수에 URL을 설정합니다.`,
      say`프로그램이 이 변수를 포트로 읽는다면 ${code('enableServiceLinks: false')}를 설정하세요.`,
    ),
  'kept-in-pod': ({ volume, path }) =>
    say`이 경로는 ${code(path)} 위치의 ${code('emptyDir')} 볼륨 ${code(volume)} 안에 있습니다. 볼륨의 파일은 컨테이너를 재시작해도 남고 파드와 함께 삭제됩니다.`,
  'kept-in-pod-title': () => say`파드 삭제하기`,
  'kept-in-pod-advice': ({ path }) =>
    say`새 파드에서는 ${code(path)} 경로가 비어 있습니다. 다시 발생하지 않도록 프로그램이 시작하기 전에 파일을 지우게 하거나 볼륨을 더 깊은 경로에 마운트하세요.`,
  'port-of-node': ({ node }) =>
    say`파드가 ${code(node)} 노드의 네트워크를 사용하므로 이 노드의 다른 프로세스가 포트를 사용 중일 수 있습니다.`,
  'port-of-pod': ({ container }) =>
    say`한 파드의 컨테이너는 포트를 공유합니다. 다른 컨테이너나 ${code(container)} 안의 다른 프로세스가 포트를 사용하고 있습니다.`,
  'mounted-read-only': ({ volume, path }) =>
    say`이 경로는 ${code(path)} 위치에 읽기 전용으로 마운트된 볼륨 ${code(volume)} 안에 있습니다.`,
  'mounted-from-object': ({ volume, path, source }) =>
    say`이 경로는 ${code(path)} 위치의 볼륨 ${code(volume)} 안에 있습니다. 이 볼륨은 ${code(source)}에서 만들어지며 Kubernetes가 읽기 전용으로 마운트합니다.`,
  'copy-first-title': () => say`프로그램이 사본을 수정하게 하기`,
  'copy-first-advice': ({ path }) =>
    say`${code(path)} 위치에 ${code('emptyDir')} 볼륨을 마운트하고, 초기화 컨테이너가 파일을 그 안에 복사하게 하세요.`,
  'mode-of-object': ({ volume, source }) =>
    say`kubelet이 ${code(source)} 내용으로 볼륨 ${code(volume)}의 파일을 만듭니다. 모드는 ${code('defaultMode')} 값(설정이 없으면 0644)이고 소유자는 root입니다.`,
  'mode-of-object-title': () => say`파드 템플릿에서 파일 모드 바꾸기`,
  'mode-of-object-advice': ({ container }) =>
    say`볼륨의 ${code('defaultMode')} 값을 로그가 요구하는 모드로 설정하세요. ${code(container)} 컨테이너가 root가 아닌 사용자로 실행되면, 초기화 컨테이너가 파일을 ${code('emptyDir')} 볼륨에 복사하고 소유자와 모드를 맞추게 하세요.`,
  'built-in-kind': ({ version }) =>
    say`${code(version)}${particle(version, '은', '는')} Kubernetes 자체의 API 버전이라 CustomResourceDefinition으로 추가할 수 없습니다. 이 클러스터는 이 버전을 제공하지 않습니다.`,
  'built-in-kind-title': () => say`이 Kubernetes에 맞는 프로그램 버전 사용하기`,
  'built-in-kind-advice': ({ container }) =>
    say`이 클러스터가 제공하는 API 버전을 사용하는 ${code(container)} 버전을 실행하세요. Kubernetes는 오래된 API 버전을 제거하고 새 버전을 추가합니다.`,
  'file-of-volume': ({ volume, path }) =>
    say`이 경로는 ${code(path)} 위치에 마운트된 볼륨 ${code(volume)} 안에 있습니다.`,
  'file-of-image': ({ container, path }) =>
    say`${code(container)} 컨테이너에는 ${code(path)} 경로에 마운트된 볼륨이 없으므로, 이 경로는 이미지에 있습니다.`,
  'image-file-title': () => say`이미지의 사용자로 프로그램 실행하기`,
  'image-file-advice': ({ container }) =>
    say`${code(container)} 컨테이너의 ${code('runAsUser')} 값을 이미지가 이 경로를 준비해 둔 사용자와 비교하거나, 이 경로에 ${code('emptyDir')} 볼륨을 마운트하세요. ${code('fsGroup')} 설정은 볼륨의 파일에만 적용됩니다.`,
  'volume-without-group': ({ volume, source }) =>
    say`kubelet이 이 ${code(source)} 볼륨의 파일 그룹을 바꾸지 않으므로 ${code('fsGroup')} 설정은 볼륨 ${code(volume)}에 효과가 없습니다.`,
  'owner-of-folder-title': () => say`폴더의 소유자 바꾸기`,
  'owner-of-folder-advice': ({ container, path }) =>
    say`${code(path)} 경로의 실제 폴더를 ${code(container)} 컨테이너가 실행되는 사용자의 소유로 바꾸세요. 폴더가 있는 노드나 서버에서 바꾸거나, root로 실행되는 초기화 컨테이너를 사용하세요.`,
  'owner-by-driver-title': () => say`드라이버가 파일의 소유자를 설정하게 하기`,
  'owner-by-driver-advice': ({ container, driver }) =>
    say`이 파드의 파일은 ${code(driver)} 드라이버가 씁니다. 드라이버에 소유자나 권한 속성이 있으면 ${code('volumeAttributes')}에 설정하거나, ${code(container)} 컨테이너를 그 파일을 읽을 수 있는 사용자로 실행하세요.`,
  'secrets-read': ({ container, secrets }) =>
    say`${names('ko', secrets)} Secret에서 ${code(container)} 컨테이너의 환경 변수를 가져옵니다.`,
  'mounted-elsewhere': ({ claim, pods }) =>
    say`다른 워크로드의 파드도 클레임 ${code(claim)}${particle(claim, '을', '를')} 마운트합니다: ${names('ko', pods)}.`,
  'own-service': ({ service }) =>
    sentences(
      say`Service ${code(service)}${particle(service, '은', '는')} 이 워크로드 자신의 파드를 선택합니다.`,
      say`파드가 준비되어야 준비된 엔드포인트가 생기는데, 파드는 그 Service를 기다립니다.`,
    ),
  'heap-above-limit': ({ flag, from, container, limit }) =>
    say`${code(from)}의 ${code(flag)} 설정은 ${code(container)} 컨테이너의 메모리 제한 ${code(limit)} 이상의 힙을 요구합니다.`,
  'memory-refused-title': () => say`프로그램이 예약하는 메모리 줄이기`,
  'memory-refused-advice': ({ container }) =>
    say`${code(container)} 컨테이너의 프로그램이 요청한 메모리를 얻지 못했습니다. 힙 크기처럼 예약하는 메모리를 줄이거나 컨테이너의 메모리 제한을 높이세요.`,
  'network-agent-title': ({ daemonSet, node }) => say`${code(node)} 노드의 ${code(daemonSet)} 확인하기`,
  'network-agent-advice': ({ node }) =>
    say`이 노드의 해당 파드가 네트워크 규칙을 만든다면, 준비될 때까지 ${code(node)} 노드의 파드는 Service와 이름에 접근하지 못할 수 있습니다. 다른 일을 하는 파드라면 주소와 그 서버를 확인하세요.`,
  'ready-elsewhere': ({ node, others }) =>
    say`${code(node)} 노드에는 이 워크로드의 준비된 파드가 없습니다. 같은 리비전의 파드가 준비된 노드: ${names('ko', others)}.`,
  'one-node-advice': ({ container, node }) =>
    say`${code(container)} 컨테이너가 연결하는 서버가 실행 중인지 확인하세요. 실행 중이라면 ${code(node)} 노드에서 서버까지의 경로를 확인하세요. 방화벽, 주소 허용 목록, 라우팅에 이 노드가 빠져 있을 수 있습니다.`,
  'name-server-silent': ({ container, server }) =>
    server === undefined
      ? say`${code(container)} 컨테이너가 이름 서버의 응답을 받지 못해, 연결하려는 서버에는 접근하지도 못했습니다.`
      : say`${code(container)} 컨테이너가 이름 서버 ${code(server)}의 응답을 받지 못해, 연결하려는 서버에는 접근하지도 못했습니다.`,
  'name-server-title': () => say`이름 서버 확인하기`,
  'name-server-advice': () =>
    say`클러스터 DNS 파드가 준비되어 응답하는지, NetworkPolicy가 이 워크로드의 UDP 및 TCP 53번 포트 접근을 허용하는지 확인하세요.`,
  'one-node-names-title': ({ node }) => say`${code(node)} 노드에서 이름 서버까지의 경로 확인하기`,
  'one-node-names-advice': ({ node }) =>
    say`${code(node)} 노드에서 파드를 이름 서버로 연결하는 ${code('kube-proxy')} 또는 네트워크 에이전트, 노드의 이름 캐시, UDP 및 TCP 53번 포트의 방화벽을 확인하세요.`,
  'went-read-only': ({ claim, path }) =>
    say`파드 템플릿은 클레임 ${code(claim)}${particle(claim, '을', '를')} ${code(path)} 위치에 쓸 수 있게 마운트합니다.`,
  'went-read-only-title': () => say`볼륨의 파일 시스템 확인하기`,
  'went-read-only-advice': ({ node }) =>
    say`디스크 오류가 나면 커널이 파일 시스템을 읽기 전용으로 바꿉니다. ${code(node)} 노드의 커널 로그와 스토리지 제공업체에서 오류를 확인하세요. 디스크가 정상이 되면 파드를 삭제하세요. 그러면 kubelet이 볼륨을 다시 마운트합니다.`,
  'or-root-read-only': () =>
    say`볼륨에 없는 경로라면 컨테이너의 ${code('readOnlyRootFilesystem')} 설정을 확인하세요.`,
  'lacks-containers': ({ pod, containers }) =>
    say`이 리비전의 준비된 파드에는 모두 ${names('ko', containers)} 컨테이너가 있지만 ${code(pod)} 파드에는 없습니다. 파드 템플릿이 같으므로 파드가 생성될 때 추가되는 컨테이너입니다.`,
  'lacks-containers-advice': ({ container }) =>
    say`${code(container)} 컨테이너의 프로그램이 같은 파드에 연결하지만, 그곳에서 연결을 받는 컨테이너가 없습니다. 컨테이너를 추가하는 웹훅이 응답하면 새 파드에는 추가됩니다.`,
  'runs-elsewhere': ({ node, others }) =>
    say`${code(node)}${particle(node, '과', '와')} 아키텍처가 같은 노드에서는 같은 이미지가 실행 중입니다: ${names('ko', others)}.`,
  'image-copy-title': ({ node }) => say`${code(node)} 노드에서 이미지 다시 받기`,
  'image-copy-advice': () =>
    say`노드에 있는 이미지 사본이 손상되었을 수 있습니다. 노드에서 사본을 지우고(${code('crictl rmi')}) 파드를 삭제하면 kubelet이 이미지를 다시 받습니다.`,
  'node-facts': ({ node, architecture, kernel }) =>
    say`${code(node)} 노드: 아키텍처 ${code(architecture)}, 커널 ${code(kernel)}.`,
};

/** Sentences about why a program ended, by the kind of its deciding log line. */
export const endingsText = { en, ko };

export const ending = statementsOf<typeof en>('endings');
