import { code, quote, say } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { counted, duration, names } from '../../../engine/language/words.js';

type OldPods = { readonly workload: string; readonly old: number; readonly pods: number };

const en = {
  'shared-failure': () => say`a change waits for a person`,
  'old-pods': ({ workload, old, pods }: OldPods) =>
    say`${code(workload)}: ${old} of ${counted(pods, 'pod', 'pods')} still ${old === 1 ? say`runs` : say`run`} an earlier revision`,
  'former-workers': ({ workload, wanted, present }: { workload: string; wanted: number; present: number }) =>
    say`${code(workload)}: the spec requests ${counted(wanted, 'worker', 'workers')}, and the RayCluster has ${present}`,
  'former-image': ({ workload }: { workload: string }) =>
    say`${code(workload)}: the RayCluster still runs the image of the earlier spec`,
  'no-traffic': ({ workload, revision }: { workload: string; revision: string }) =>
    say`${code(workload)}: the latest revision ${code(revision)} receives no traffic`,
  'invalid-spec': ({ workload }: { workload: string }) =>
    say`The update of ${code(workload)} is not made: Argo Rollouts rejects the spec`,
  'invalid-said': ({ message }: { message: string }) =>
    say`Argo Rollouts makes no change while the spec is invalid: ${quote(message)}`,
  'correct-title': () => say`Correct the field that the message names`,
  correct: () =>
    say`An AnalysisTemplate, Service or Ingress that the Rollout names has to exist in its namespace. The controller continues on its own once the spec is valid.`,
  waiting: ({ forSeconds }: { forSeconds: number }) =>
    say`The new revision is ${duration('en', forSeconds)} old.`,
  'on-delete': () =>
    say`With ${code('OnDelete')}, the controller replaces a pod only after someone deletes it.`,
  partition: ({ partition }: { partition: number }) =>
    say`With ${code(`partition: ${partition}`)}, the controller leaves ordinals below ${partition} at the earlier revision.`,
  'others-updated': () => say`All others run the new revision and are ready.`,
  numbers: () =>
    say`KubeRay compares the spec without the numbers of workers. The changed number takes effect only with the next other change of ${code('spec.rayClusterConfig')}.`,
  traffic: ({ revisions }: { revisions: readonly string[] }) =>
    say`${code('spec.traffic')} names ${names('en', revisions)}, and no target follows the latest revision.`,
  'ev-setting': () => say`keeps the change back`,
  'ev-revision': () => say`the new revision`,
  'ev-pod': () => say`a pod of an earlier revision`,
  'ev-workers': () => say`workers of the RayCluster`,
  'delete-title': () => say`Delete the pods one at a time`,
  delete: () => say`Wait until each new pod is ready before you delete the next one.`,
  'lower-title': () => say`If the new revision works, lower the partition`,
  'try-title': () => say`Lower the partition, by one pod at first`,
  lower: () => say`Change the manifest too. Otherwise the next apply sets the partition again.`,
  'other-change-title': () => say`Change another field together with the number`,
  'second-title': () => say`If the change should take effect, allow a second RayCluster`,
  second: () =>
    say`KubeRay then makes a second RayCluster, and deletes the first one when the second one serves. Both need room at the same time.`,
  'follow-title': () => say`If the latest revision should serve, let the traffic follow it`,
  follow: () => say`The traffic may have been set for a roll back. Find out before you change it.`,
};

const ko: typeof en = {
  'shared-failure': () => say`변경 사항이 사람의 조치를 기다림`,
  'old-pods': ({ workload, old, pods }) =>
    say`${code(workload)}: 파드 ${pods}개 중 ${old}개가 아직 이전 리비전으로 실행 중입니다`,
  'former-workers': ({ workload, wanted, present }) =>
    say`${code(workload)}: spec의 워커는 ${wanted}개인데 RayCluster에는 ${present}개가 있습니다`,
  'former-image': ({ workload }) =>
    say`${code(workload)}: RayCluster가 아직 이전 spec의 이미지로 실행 중입니다`,
  'no-traffic': ({ workload, revision }) =>
    say`${code(workload)}: 최신 리비전 ${code(revision)}에 트래픽이 전달되지 않습니다`,
  'invalid-spec': ({ workload }) =>
    say`${code(workload)} 업데이트가 진행되지 않습니다. Argo Rollouts가 spec을 거부합니다`,
  'invalid-said': ({ message }) =>
    say`spec이 올바르지 않으면 Argo Rollouts는 아무것도 바꾸지 않습니다: ${quote(message)}`,
  'correct-title': () => say`메시지에 나온 필드 고치기`,
  correct: () =>
    say`Rollout에 지정된 AnalysisTemplate, Service, Ingress가 같은 네임스페이스에 있어야 합니다. spec이 올바르게 되면 컨트롤러가 자동으로 계속합니다.`,
  waiting: ({ forSeconds }) => say`새 리비전이 생성된 지 ${duration('ko', forSeconds)} 지났습니다.`,
  'on-delete': () => say`${code('OnDelete')} 전략에서는 누군가 파드를 삭제해야 컨트롤러가 파드를 교체합니다.`,
  partition: ({ partition }) =>
    say`${code(`partition: ${partition}`)} 설정에 따라 컨트롤러는 순번이 ${partition}보다 낮은 것을 이전 리비전으로 둡니다.`,
  'others-updated': () => say`나머지는 모두 새 리비전으로 준비되었습니다.`,
  numbers: () =>
    say`KubeRay는 워커 수를 빼고 spec을 비교합니다. 바꾼 워커 수는 ${code('spec.rayClusterConfig')}의 다른 필드를 바꿀 때 함께 적용됩니다.`,
  traffic: ({ revisions }) =>
    say`${code('spec.traffic')}에 ${names('ko', revisions)}만 지정되어 있고, 최신 리비전을 따르는 대상이 없습니다.`,
  'ev-setting': () => say`변경 사항을 보류하는 설정`,
  'ev-revision': () => say`새 리비전`,
  'ev-pod': () => say`이전 리비전의 파드`,
  'ev-workers': () => say`RayCluster의 워커 수`,
  'delete-title': () => say`파드를 하나씩 삭제하기`,
  delete: () => say`새 파드가 준비된 것을 확인한 뒤 다음 파드를 삭제하세요.`,
  'lower-title': () => say`새 리비전에 문제가 없으면 partition 낮추기`,
  'try-title': () => say`partition을 낮추되 처음에는 파드 하나만 바꾸기`,
  lower: () => say`매니페스트도 함께 바꾸세요. 그러지 않으면 다음에 적용할 때 partition이 되돌아갑니다.`,
  'other-change-title': () => say`워커 수와 함께 다른 필드도 바꾸기`,
  'second-title': () => say`변경을 적용하려면 두 번째 RayCluster 허용하기`,
  second: () =>
    say`그러면 KubeRay가 두 번째 RayCluster를 만들고, 두 번째가 서비스를 시작하면 첫 번째를 삭제합니다. 그동안 둘 다 들어갈 자리가 필요합니다.`,
  'follow-title': () => say`최신 리비전으로 서비스하려면 트래픽이 따라가게 하기`,
  follow: () => say`롤백하려고 트래픽을 지정했을 수 있습니다. 바꾸기 전에 확인하세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('update-held-back');
