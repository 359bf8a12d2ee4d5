import { code, say, strong, word } from '../../engine/language/prose.js';
import { statementsOf } from '../../engine/language/statement.js';
import { duration, names } from '../../engine/language/words.js';
import type { RevisionedService } from '../../engine/objects/workload.js';
import type { RequestedChange } from '../fixes/requested-change.js';

type Words = Readonly<Record<RequestedChange['kind'], string>>;

/** The change as the subject of a sentence. */
const subjects: { readonly en: Words; readonly ko: Words } = {
  en: {
    'restart-rollout': 'A restart',
    'undo-rollout': 'A rollback',
    'resume-rollout': 'Resuming',
    'exclude-nodes': 'The exclusion',
    'abort-rollout': 'An abort',
    'promote-rollout': 'A promotion',
    'retry-rollout': 'A retry',
  },
  ko: {
    'restart-rollout': '재시작',
    'undo-rollout': '롤백',
    'resume-rollout': '재개',
    'exclude-nodes': '노드를 제외',
    'abort-rollout': '중단(abort)',
    'promote-rollout': '승격(promote)',
    'retry-rollout': '다시 시도(retry)',
  },
};
type Kind = { readonly change: RequestedChange['kind'] };
/** `undefined` where no length was observed. */
type Outage = { readonly seconds: number | undefined };

/**
 * A kind whose controller makes a new revision of every changed template, and where its pods are declared.
 */
type Service = { readonly kind: RevisionedService['kind']; readonly workload: string };
const templates: Readonly<Record<Service['kind'], string>> = {
  KnativeService: 'spec.template',
  RayService: 'spec.rayClusterConfig',
  DynamoGraphDeployment: 'spec.components',
};

/** Sentences about changes that a person asked for. */
const en = {
  'would-deadlock': ({ change }: Kind) => say`${strong(`${subjects.en[change]} would deadlock now.`)}`,
  /** Why: old pods keep what the new ones wait for. */
  'capacity-in-use': () => say`The old pods use the capacity that the new pods need.`,
  'would-stop': ({ change }: Kind) => say`${strong(`${subjects.en[change]} would not complete now.`)}`,
  'end-unknown': ({ change }: Kind) =>
    say`${strong(`${subjects.en[change]} might not complete.`)} How the rollout would end could not be determined.`,
  /** Pods of several nodes have the generation of the owner as a label. */
  'replaces-head-and-workers': ({
    change,
    owner,
    workload,
  }: Kind & { readonly owner: string; readonly workload: string }) =>
    say`${strong(`${subjects.en[change]} would replace head and workers.`)} Each change of ${code(owner)} replaces both, and only ${code(workload)} was simulated.`,
  /** Waiting pods of other workloads could take what the change frees, as `namespace/name`. */
  'place-contested': ({ change, pods }: Kind & { readonly pods: readonly string[] }) =>
    say`${strong(`${subjects.en[change]} might not complete.`)} ${names('en', pods)} could use the freed capacity first.`,
  /** With one choice of nodes it completes, with another it does not. */
  'depends-on-node': ({ change }: Kind) =>
    say`${strong(`${subjects.en[change]} might deadlock.`)} The result depends on which of several nodes the scheduler chooses.`,
  outage: ({ change }: Kind & Outage) =>
    say`${strong(`${subjects.en[change]} would interrupt the service.`)}`,
  'no-pod-ready': ({ seconds }: Outage) =>
    say`No pod would be ready ${
      seconds === undefined ? word('for a time of unknown length') : say`for about ${duration('en', seconds)}`
    }.`,
  'service-has-no-restart': ({ kind, workload }: Service) =>
    say`No field of the ${code(kind)} ${code(workload)} restarts its pods. A new annotation of the pods in ${code(templates[kind])} makes a new revision beside the one that serves, and the cluster needs room for both. Add it in the manifest, or delete single pods: the controller replaces them.`,
  'service-has-no-exclusion': ({ kind, workload }: Service) =>
    say`Rollout Doctor does not change the affinity of the ${code(kind)} ${code(workload)}. Set it in ${code(templates[kind])} of the manifest, which makes a new revision beside the one that serves. You can also cordon the nodes.`,
  'service-has-no-rollback': ({ kind, workload }: Service) =>
    kind === 'KnativeService'
      ? say`Rollout Doctor does not roll back the ${code(kind)} ${code(workload)}. Send its traffic to an earlier Revision in ${code('spec.traffic')}, or apply the former manifest.`
      : say`The ${code(kind)} ${code(workload)} keeps no earlier template. Apply the former manifest, or revert the change in Git.`,
  'service-has-no-pause': ({ kind, workload }: Service) =>
    say`No field of the ${code(kind)} ${code(workload)} pauses or resumes a rollout.`,
  'resume-needs-deployment': ({ workload }: { workload: string }) =>
    say`${code(workload)} cannot be paused. Only Deployments and Rollouts of Argo Rollouts can be paused and resumed.`,
  'needs-argo-rollout': ({ kind, workload }: { kind: string; workload: string }) =>
    say`${code(workload)} is a ${code(kind)}. Only updates of Argo Rollouts can be promoted, retried or aborted.`,
  /** Pods of the template that the change starts again. */
  'alike-fail': ({ pods }: { pods: readonly string[] }) =>
    say`${strong('New pods may fail too.')} ${names('en', pods)} ${word(pods.length === 1 ? 'has' : 'have')} the same image and settings, and ${word(pods.length === 1 ? 'does' : 'do')} not become ready.`,
  'because-analysis': () => say`An analysis of the update may abort it at any time.`,
  'resume-not-paused': ({ workload }: { workload: string }) =>
    say`${code(workload)} is not paused, so there is nothing to resume.`,
};

const ko: typeof en = {
  'would-deadlock': ({ change }) => say`${strong(`지금 ${subjects.ko[change]}하면 교착 상태가 됩니다.`)}`,
  'capacity-in-use': () => say`새 파드에 필요한 용량을 이전 파드가 사용 중입니다.`,
  'would-stop': ({ change }) => say`${strong(`지금 ${subjects.ko[change]}하면 롤아웃이 중간에 멈춥니다.`)}`,
  'end-unknown': ({ change }) =>
    say`${strong(`${subjects.ko[change]}해도 완료되지 않을 수 있습니다.`)} 롤아웃이 어떻게 끝날지 확인할 수 없었습니다.`,
  'replaces-head-and-workers': ({ change, owner, workload }) =>
    say`${strong(`${subjects.ko[change]}하면 헤드와 워커가 모두 교체됩니다.`)} ${code(owner)} 오브젝트는 바뀔 때마다 둘 다 교체하며, ${code(workload)} 워크로드만 시뮬레이션했습니다.`,
  'place-contested': ({ change, pods }) =>
    say`${strong(`${subjects.ko[change]}해도 완료되지 않을 수 있습니다.`)} 비게 될 용량을 ${names('ko', pods)} 파드가 먼저 사용할 수 있습니다.`,
  'depends-on-node': ({ change }) =>
    say`${strong(`${subjects.ko[change]}하면 교착 상태가 될 수 있습니다.`)} 스케줄러가 여러 노드 중 어느 노드를 고르는지에 따라 결과가 달라집니다.`,
  outage: ({ change }) => say`${strong(`${subjects.ko[change]}하면 서비스가 중단됩니다.`)}`,
  'no-pod-ready': ({ seconds }) =>
    say`${
      seconds === undefined ? word('얼마 동안인지는 알 수 없지만') : say`약 ${duration('ko', seconds)} 동안`
    } 준비된 파드가 없습니다.`,
  'service-has-no-restart': ({ kind, workload }) =>
    say`${code(kind)} ${code(workload)}에는 파드를 재시작하는 필드가 없습니다. ${code(templates[kind])}에서 파드의 어노테이션을 추가하면 서비스 중인 리비전 옆에 새 리비전이 만들어지며, 클러스터에 두 리비전의 자리가 모두 있어야 합니다. 매니페스트에서 추가하거나 파드를 하나씩 삭제하세요. 컨트롤러가 파드를 다시 만듭니다.`,
  'service-has-no-exclusion': ({ kind, workload }) =>
    say`Rollout Doctor는 ${code(kind)} ${code(workload)}의 어피니티를 변경하지 않습니다. 매니페스트의 ${code(templates[kind])}에서 설정하면 서비스 중인 리비전 옆에 새 리비전이 만들어집니다. 노드를 cordon할 수도 있습니다.`,
  'service-has-no-rollback': ({ kind, workload }) =>
    kind === 'KnativeService'
      ? say`Rollout Doctor는 ${code(kind)} ${code(workload)} 롤백을 지원하지 않습니다. ${code('spec.traffic')}에서 이전 Revision으로 트래픽을 보내거나 이전 매니페스트를 적용하세요.`
      : say`${code(kind)} ${code(workload)}에는 이전 템플릿이 남아 있지 않습니다. 이전 매니페스트를 적용하거나 Git에서 변경을 되돌리세요.`,
  'service-has-no-pause': ({ kind, workload }) =>
    say`${code(kind)} ${code(workload)}에는 롤아웃을 일시 중지하거나 재개하는 필드가 없습니다.`,
  'resume-needs-deployment': ({ workload }) =>
    say`${code(workload)} 워크로드는 일시 중지할 수 없습니다. Deployment와 Argo Rollouts의 Rollout만 일시 중지하고 재개할 수 있습니다.`,
  'needs-argo-rollout': ({ kind, workload }) =>
    say`${code(workload)} 워크로드는 ${code(kind)}입니다. 승격(promote), 다시 시도(retry), 중단(abort)은 Argo Rollouts의 업데이트에만 할 수 있습니다.`,
  'alike-fail': ({ pods }) =>
    say`${strong('새 파드도 실패할 수 있습니다.')} 이미지와 설정이 같은 ${names('ko', pods)} 파드가 준비되지 않고 있습니다.`,
  'because-analysis': () => say`업데이트의 분석이 언제든 업데이트를 중단(abort)할 수 있습니다.`,
  'resume-not-paused': ({ workload }) =>
    say`${code(workload)} 롤아웃은 일시 중지 상태가 아니므로 재개할 것이 없습니다.`,
};

export const requestedText = { en, ko };
export const requestedCatalogueId = 'requested';
export const state = statementsOf<typeof en>(requestedCatalogueId);
