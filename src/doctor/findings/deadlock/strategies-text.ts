import { code, say, sentences } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { duration, names, particle } from '../../../engine/language/words.js';
import { autoscalerSeconds, en, type GroupBounds } from './strategies-text-en.js';

const wholeGroups = ({ maxSurge, maxUnavailable, replicas }: GroupBounds) =>
  say`롤링 업데이트(maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)})는 그룹 단위로 계산하며, 그룹은 ${replicas}개입니다.`;

const ko: typeof en = {
  'strategy-canary': ({ maxSurge, maxUnavailable, replicas, unavailable }) =>
    sentences(
      say`카나리 설정(maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)})에서는 파드 ${replicas}개 중 ${unavailable}개까지만 빠질 수 있습니다.`,
      say`컨트롤러는 새 파드가 사용 가능해지기 전에는 이전 파드를 내리지 않습니다.`,
    ),
  'strategy-routed': ({ replicas }) =>
    say`트래픽 라우터를 쓰면 새 리비전이 승격될 때까지 안정 버전 파드 ${replicas}개가 모두 유지됩니다. maxSurge와 maxUnavailable 값은 쓰이지 않습니다.`,
  'strategy-routed-dynamic': ({ weight }) =>
    say`${code('dynamicStableScale')} 설정에서는 트래픽이 옮겨진 뒤에만 안정 버전 파드를 내립니다. 카나리 파드가 사용 가능해져야 가중치 ${weight}만큼 트래픽을 받습니다.`,
  'strategy-blue-green': ({ replicas }) =>
    say`블루-그린 업데이트는 프리뷰 파드가 사용 가능해질 때까지 활성 파드 ${replicas}개를 모두 유지합니다.`,
  'patch-withheld-unused': () => say`이 배포 방식은 카나리의 maxSurge와 maxUnavailable 값을 쓰지 않습니다.`,
  'patch-withheld-canary': ({ weight, replicas }) =>
    say`maxSurge가 0이면 컨트롤러가 대기 중인 카나리를 없앨 수 있습니다. 레플리카 ${replicas}개에서 가중치 ${weight}는 파드 0개일 수 있습니다. 그러면 이 단계에서는 이전 파드가 교체되지 않습니다.`,
  'scale-down-withheld-rollout': () => say`Rollout 컨트롤러가 ReplicaSet의 크기를 곧바로 되돌립니다.`,
  'strategy-groups': (bounds) =>
    sentences(wholeGroups(bounds), say`컨트롤러는 새 그룹이 준비되기 전에는 이전 그룹을 내리지 않습니다.`),
  'strategy-groups-in-order': (bounds) =>
    sentences(
      wholeGroups(bounds),
      say`리더의 StatefulSet은 번호가 가장 높은 리더부터 하나씩 교체하고, 번호가 더 높은 새 리더가 사용 가능해질 때까지 기다립니다.`,
    ),
  'ev-groups': ({ surge, unavailable }) =>
    say`추가할 수 있는 그룹은 ${surge}개, 빠질 수 있는 그룹은 ${unavailable}개입니다`,
  'strategy-knative': ({ next, former }) =>
    sentences(
      say`Knative는 서비스 중인 리비전(${names('ko', former)})을 그대로 두고 리비전 ${code(next)}의 파드를 시작합니다.`,
      say`새 리비전이 준비되어야 트래픽을 옮기고 이전 파드를 내립니다.`,
    ),
  'strategy-ray': ({ next, former }) =>
    sentences(
      say`KubeRay는 서비스 중인 RayCluster(${names('ko', former)})를 그대로 두고 RayCluster ${code(next)}${particle(next, '을', '를')} 시작합니다.`,
      say`새 RayCluster의 Serve 애플리케이션이 실행되어야 전환하고 이전 RayCluster를 삭제합니다.`,
    ),
  'strategy-dynamo': ({ next, former, component, surge, unavailable }) =>
    sentences(
      say`Dynamo 오퍼레이터는 서비스 중인 세대(${names('ko', former)})를 그대로 두고 ${code(next)} 세대의 워커를 시작합니다.`,
      unavailable === 0
        ? say`${code(component)} 컴포넌트의 워커는 레플리카 수보다 ${surge}개까지 더 많을 수 있지만 하나도 모자라면 안 됩니다. 따라서 새 워커가 준비되기 전에는 이전 워커를 더 내리지 않습니다.`
        : say`${code(component)} 컴포넌트의 워커는 레플리카 수보다 ${surge}개까지 더 많을 수 있고 ${unavailable}개까지 모자랄 수 있습니다. 따라서 새 워커가 준비되기 전에는 이전 워커를 더 내리지 않습니다.`,
    ),
  'ev-revisions': ({ next, former }) => say`${code(next)} 준비되지 않음, ${names('ko', former)} 서비스 중`,
  'knative-gives-up': ({ seconds, isDefault, leftSeconds }) =>
    sentences(
      isDefault
        ? say`Knative는 새 리비전의 진행 기한(기본값 ${duration('ko', seconds - autoscalerSeconds)})이 지나고 ${autoscalerSeconds}초 뒤에 파드를 0개로 줄입니다.`
        : say`Knative는 새 리비전의 진행 기한(${duration('ko', seconds - autoscalerSeconds)})이 지나고 ${autoscalerSeconds}초 뒤에 파드를 0개로 줄입니다.`,
      leftSeconds === undefined || leftSeconds < 1
        ? say`그 전에 자리가 나면 새 파드가 시작됩니다.`
        : say`앞으로 ${duration('ko', leftSeconds)} 안에 자리가 나면 새 파드가 시작됩니다.`,
      say`그 뒤에는 이전 리비전이 계속 서비스하고 업데이트는 반영되지 않습니다.`,
    ),
  'knative-goes-on': ({ ready }) =>
    say`새 리비전의 ${names('ko', ready, 3)} 파드가 준비되었으므로 Knative가 새 리비전을 끝내 0개로 줄이지 않을 수 있습니다. 그러면 나머지 파드는 계속 대기하고, 준비된 파드는 트래픽 없이 자리를 차지합니다.`,
  'knative-others-wait': ({ revisions }) =>
    sentences(
      say`이후의 변경으로 대체된 ${names('ko', revisions)} 리비전의 파드도 대기 중입니다.`,
      say`자리가 났을 때 그중 하나가 먼저 차지하면 Knative가 트래픽을 그 리비전으로 옮깁니다.`,
    ),
  'revision-may-shrink': ({ revision, pods, least }) =>
    say`요청이 줄면 Knative 오토스케일러가 리비전 ${code(revision)}의 파드를 ${pods}개에서 ${least}개로 줄일 수 있습니다. 그때 새 파드를 배치할 수 있을지도 모릅니다.`,
  'ray-may-serve': ({ pods }) =>
    pods.length === 0
      ? say`새 RayCluster의 헤드는 준비되었습니다. 생성되지 않은 파드 없이도 Serve 애플리케이션이 시작되면 KubeRay가 전환합니다.`
      : say`새 RayCluster의 헤드는 준비되었습니다. ${names('ko', pods, 3)} 파드 없이도 Serve 애플리케이션이 시작되면 KubeRay가 전환합니다.`,
  'ray-may-shrink': ({ clusters }) =>
    say`Ray 오토스케일러가 RayCluster ${names('ko', clusters)}의 유휴 워커를 없앨 수 있습니다. 그때 새 파드를 배치할 수 있을지도 모릅니다.`,
  'ray-incremental': () =>
    say`${code('NewClusterWithIncrementalUpgrade')} 방식에서는 KubeRay가 트래픽을 단계별로 옮기고, 단계마다 Ray 오토스케일러가 이전 RayCluster를 줄일 수 있습니다. 이 진단은 이 단계를 시뮬레이션하지 않습니다.`,
  'patch-withheld-knative': () =>
    say`Knative에는 이전 리비전을 먼저 내리는 필드가 없습니다. 파드가 두 Deployment에 나뉘어 있어 Deployment의 전략을 바꿔도 소용없습니다.`,
  'ray-taken-back': ({ cluster }) =>
    say`현재 스펙은 이전 RayCluster가 실행 중인 내용과 같습니다. RayCluster ${code(cluster)}${particle(cluster, '은', '는')} 되돌린 스펙을 위해 준비되었습니다. 그 파드가 시작되면 KubeRay는 그래도 그쪽으로 전환합니다.`,
  'advice-taken-back-title': () => say`되돌린 버전을 위해 자리를 비우지 않기`,
  'advice-taken-back': ({ cluster, workload }) =>
    sentences(
      say`${code(workload)} 서비스는 스펙이 원하는 버전을 실행 중입니다. 자리가 나면 다른 버전인 RayCluster ${code(cluster)}로 전환됩니다.`,
      say`유형이 ${code('NewCluster')}이면 KubeRay가 ${code(cluster)} 대신 현재 스펙의 RayCluster를 준비하며, 그 RayCluster는 대기해도 문제가 없습니다.`,
    ),
  'patch-withheld-inside': ({ deployment }) =>
    say`바꿀 전략은 Deployment ${code(deployment)} 설정에 있습니다. 그 이름으로 진단하면 변경을 검토하고 승인할 수 있습니다.`,
  'advice-inside-title': () => say`리비전의 Deployment에서 이전 파드 먼저 내리기`,
  'advice-inside': ({ deployment, graceSeconds }) =>
    sentences(
      say`재시작이나 Knative 업그레이드 뒤처럼 한 리비전의 파드가 교체되는 중입니다. Deployment ${code(deployment)} 롤아웃은 자체 전략에 따라 진행되며, Knative는 이 전략을 바꾸지 않습니다.`,
      say`이렇게 바꾸면 새 파드가 시작되기 전에 이전 파드가 내려갑니다. 종료에 ${duration('ko', graceSeconds)}까지 걸릴 수 있고, 새 파드가 준비될 때까지 그만큼 파드가 모자랍니다.`,
    ),
  'patch-withheld-ray': () =>
    say`RayService에는 이전 RayCluster를 먼저 삭제하는 필드가 없습니다. ${code('spec.upgradeStrategy.type')} 값은 이후의 변경에만 적용됩니다.`,
  'patch-withheld-dynamo': () =>
    say`업데이트 한도는 컴포넌트 파드 템플릿의 어노테이션이고, 템플릿을 바꾸면 워커의 세대가 하나 더 생깁니다. Rollout Doctor는 이 어노테이션을 바꾸지 않습니다.`,
  'dynamo-may-scale': ({ component }) =>
    say`플래너나 오토스케일러가 스케일링 어댑터로 ${code(component)} 컴포넌트를 줄일 수 있습니다. 그때 새 파드를 배치할 수 있을지도 모릅니다.`,
  'advice-dynamo-title': () => say`이전 워커를 먼저 내리게 하기`,
  'advice-dynamo': ({ component, workload }) =>
    sentences(
      say`${code(workload)} 매니페스트의 ${code(component)} 컴포넌트와 멈춘 다른 컴포넌트에 다음 어노테이션을 설정하세요.`,
      say`그러면 오퍼레이터가 이전 워커를 내린 뒤에 새 워커를 시작합니다. 워커가 하나뿐인 컴포넌트는 새 워커가 준비될 때까지 서비스가 중단됩니다.`,
      say`워커의 Deployment를 직접 바꾸면 오퍼레이터가 되돌립니다.`,
    ),
  'advice-serverless-title': () => say`InferenceService의 배포 모드 확인하기`,
  'advice-serverless': ({ service }) =>
    sentences(
      say`InferenceService ${code(service)}${particle(service, '은', '는')} 서버리스 모드입니다. KServe 웹훅은 이 모드에서 ${code('deploymentStrategy')} 필드를 거부합니다.`,
      say`이 필드는 RawDeployment(Standard) 모드에서만 사용할 수 있습니다. 모드는 어노테이션 ${code('serving.kserve.io/deploymentMode')}로 정하며, 바꾸려면 서비스를 다시 만들어야 합니다.`,
    ),
  'advice-knative-title': () => say`이전 리비전이 쓰는 자리 비우기`,
  'advice-knative': ({ revision, workload }) =>
    sentences(
      say`${code(revision)}의 Deployment를 삭제하면 Knative가 다시 만들고, 그 파드가 새 파드와 자리를 두고 경쟁합니다.`,
      say`오토스케일러가 0개까지 줄일 수 있다면 리비전 ${code(revision)}에 ${code('autoscaling.knative.dev/min-scale: "0"')} 어노테이션을 설정하세요. 요청이 없는 동안 파드가 내려갑니다.`,
      say`그렇지 않으면 리비전 ${code(revision)}${particle(revision, '을', '를')} 삭제하세요. 새 리비전이 준비될 때까지 ${code(workload)} 서비스가 중단됩니다.`,
    ),
  'advice-tag-title': ({ tag }) => say`${code(tag)} 태그 제거하기`,
  'advice-tag': ({ tag, revision }) =>
    say`${code(revision)} 리비전은 트래픽을 받지 않지만 ${code(tag)} 태그 때문에 파드가 유지됩니다. ${code('spec.traffic')}에서 태그를 제거하면 Knative가 파드를 중지하며, 잃는 요청은 없습니다.`,
  'advice-knative-others-title': () => say`필요 없는 리비전 먼저 삭제하기`,
  'advice-knative-others': ({ revisions }) =>
    say`자리를 비우기 전에 ${names('ko', revisions)} 리비전을 삭제하세요. 그러지 않으면 그 파드가 자리를 차지해 버려진 버전이 서비스될 수 있습니다.`,
  'advice-knative-back-title': () => say`또는 트래픽으로 롤백하기`,
  'advice-knative-back': ({ revision }) =>
    say`트래픽을 모두 ${code(revision)} 리비전으로 보내면 이전 버전이 매니페스트가 원하는 상태가 되며, 새로 시작할 파드가 없습니다. 템플릿을 바꾸면 리비전이 하나 더 생기고 그 파드에도 같은 자리가 필요합니다.`,
  'advice-ray-title': () => say`이전 RayCluster를 먼저 내리고 교체하기`,
  'advice-ray': ({ cluster, workload }) =>
    sentences(
      say`${code('spec.upgradeStrategy.type: None')} 설정에서는 이후에 ${code(workload)}${particle(workload, '을', '를')} 변경해도 KubeRay가 두 번째 RayCluster를 시작하지 않습니다.`,
      say`변경은 RayCluster를 삭제해 다시 만들 때 적용되며, 그때까지 ${code(workload)} 서비스가 중단됩니다.`,
      say`지금 멈춘 업데이트에서는 RayCluster ${code(cluster)}${particle(cluster, '을', '를')} 삭제하면 같은 비용으로 자리가 납니다.`,
    ),
  'groups-not-simulated': ({ settings }) =>
    say`이 진단은 ${names('ko', settings)} 설정을 시뮬레이션하지 않습니다. 이 설정에 따라 그룹의 파드에 필요한 노드나 컨트롤러의 동작이 다를 수 있습니다.`,
};

export const strategiesText = { en, ko };

/** Statements about the strategies of kinds beyond `apps/v1`. */
export const strategies = statementsOf<typeof en>('strategies');
