import * as z from 'zod';
import type { SameSentences } from '../../engine/language/catalogue.js';
import { code, say } from '../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../engine/language/statement.js';
import { counted, duration, isAtLeastOneSecond, names } from '../../engine/language/words.js';
import type { KnativeService } from '../../engine/objects/knative-service.js';
import { groupLabels, type LeaderWorkerSet } from '../../engine/objects/leader-worker-set.js';
import { byPodName, isActive, type Pod, podNames, refOf } from '../../engine/objects/pod.js';
import { keepsRayCluster, type RayService } from '../../engine/objects/ray-service.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { hasObservedSpec, type StatefulSet } from '../../engine/objects/workload.js';
import { controllerRevisionHashLabel } from '../../engine/workloads/controller-revisions.js';
import { podsOfNewRevision, presentRevisionMadeAt, revisionOf } from '../../engine/workloads/revisions.js';
import { rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { rolloutStatus } from '../../engine/workloads/rollout-status.js';
import { type FactsOf, fact } from '../findings/facts.js';
import type { Advice, Evidence } from '../findings/finding.js';
import { ownersOf } from '../findings/owners.js';
import type { Rule } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';

interface OldPods {
  readonly workload: string;
  readonly old: number;
  readonly pods: number;
}

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
  waiting: ({ forSeconds }: { forSeconds: number }) =>
    say`The new revision is ${duration('en', forSeconds)} old.`,
  'on-delete': () =>
    say`With ${code('OnDelete')}, the controller replaces a pod only after someone deletes it.`,
  partition: ({ partition }: { partition: number }) =>
    say`With ${code(`partition: ${partition}`)}, the controller leaves ordinals below ${partition} at the earlier revision.`,
  'others-updated': () => say`All others run the new revision and are ready.`,
  numbers: () =>
    say`KubeRay compares the spec without the numbers of workers. The changed number takes effect only with the next other change of ${code('spec.rayClusterConfig')}.`,
  'cluster-kept': () =>
    say`With ${code('spec.upgradeStrategy.type: None')}, KubeRay makes no new RayCluster for a changed spec.`,
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

const ko: SameSentences<typeof en> = {
  'shared-failure': () => say`변경 사항이 사람의 조치를 기다림`,
  'old-pods': ({ workload, old, pods }) =>
    say`${code(workload)}: 파드 ${pods}개 중 ${old}개가 아직 이전 리비전으로 실행 중입니다`,
  'former-workers': ({ workload, wanted, present }) =>
    say`${code(workload)}: spec의 워커는 ${wanted}개인데 RayCluster에는 ${present}개가 있습니다`,
  'former-image': ({ workload }) =>
    say`${code(workload)}: RayCluster가 아직 이전 spec의 이미지로 실행 중입니다`,
  'no-traffic': ({ workload, revision }) =>
    say`${code(workload)}: 최신 리비전 ${code(revision)}에 트래픽이 전달되지 않습니다`,
  waiting: ({ forSeconds }) => say`새 리비전이 생성된 지 ${duration('ko', forSeconds)} 지났습니다.`,
  'on-delete': () => say`${code('OnDelete')} 전략에서는 누군가 파드를 삭제해야 컨트롤러가 파드를 교체합니다.`,
  partition: ({ partition }) =>
    say`${code(`partition: ${partition}`)} 설정에 따라 컨트롤러는 순번이 ${partition}보다 낮은 것을 이전 리비전으로 둡니다.`,
  'others-updated': () => say`나머지는 모두 새 리비전으로 준비되었습니다.`,
  numbers: () =>
    say`KubeRay는 워커 수를 빼고 spec을 비교합니다. 바꾼 워커 수는 ${code('spec.rayClusterConfig')}의 다른 필드를 바꿀 때 함께 적용됩니다.`,
  'cluster-kept': () =>
    say`${code('spec.upgradeStrategy.type: None')} 설정에서는 spec이 바뀌어도 KubeRay가 새 RayCluster를 만들지 않습니다.`,
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

const text = { en, ko };

const state = statementsOf<typeof en>('update-held-back');

const pods = fact.count('Pods of the workload');
const oldPods = fact.names('Pods of an earlier revision');

const UpdateHeldBackFacts = z.strictObject({
  heldBack: z
    .discriminatedUnion('by', [
      z.strictObject({ by: z.literal('on-delete'), pods, oldPods }),
      z.strictObject({
        by: z.literal('partition'),
        partition: fact.count('Pods or groups with lower ordinals keep the earlier revision'),
        pods,
        oldPods,
      }),
      z.strictObject({
        by: z.literal('worker-numbers'),
        wanted: fact.count('Workers that the spec requests'),
        present: fact.count('Workers of the RayCluster that serves'),
      }),
      z.strictObject({ by: z.literal('upgrade-type'), oldPods }),
      z.strictObject({
        by: z.literal('traffic'),
        latest: fact.text('The latest revision that is ready'),
        revisions: fact.names('Revisions that spec.traffic names'),
      }),
    ])
    .describe('What keeps the change back, and what goes on as before'),
  revisionSeconds: fact.seconds('Age of the new revision').optional(),
});

type HeldBack = FactsOf<typeof UpdateHeldBackFacts>['heldBack'];
type By<Kind extends HeldBack['by']> = Extract<HeldBack, { by: Kind }>;

interface Held {
  readonly heldBack: HeldBack;
  readonly summary: Statement;
  readonly because: readonly Statement[];
  /** The setting that keeps the change back, and its value. */
  readonly setting: readonly [field: string, value: string];
  readonly evidence: readonly Evidence[];
  readonly advice: Advice;
}

/**
 * Everything is well, and a change of the workload has not taken effect: its own settings keep it back until
 * somebody acts. It may be meant, so it is a note. A paused rollout is a cause of its own.
 */
export const updateHeldBack: Rule<typeof UpdateHeldBackFacts> = {
  id: 'update-held-back',
  facts: UpdateHeldBackFacts,
  text,
  origin: 'rollout',
  appliesTo: ['StatefulSet', 'DaemonSet', 'LeaderWorkerSet', 'RayService', 'KnativeService'],
  needs: ['Pod'],
  supersedes: [],
  detect({ snapshot }) {
    const { kind, metadata, status } = snapshot.workload;
    if (metadata.deletionTimestamp !== undefined || !hasObservedSpec({ metadata, status })) return undefined;
    const held = heldIn(snapshot);
    if (held === undefined) return undefined;
    const { heldBack, summary, because, setting, evidence, advice } = held;
    const madeAt = presentRevisionMadeAt(rolloutStateOf(snapshot));
    const revisionSeconds = madeAt === undefined ? undefined : Math.max(0, (nowOf(snapshot) - madeAt) / 1000);
    const object = { kind, namespace: metadata.namespace, name: metadata.name };
    const [field, value] = setting;
    return {
      confidence: 'proven',
      severity: 'info',
      isAnswer: true,
      facts: { heldBack, ...(revisionSeconds === undefined ? {} : { revisionSeconds }) },
      summary,
      ...(isAtLeastOneSecond(revisionSeconds)
        ? { standing: state('waiting', { forSeconds: revisionSeconds }) }
        : {}),
      reasoning: because,
      evidence: [{ object, field, value, says: state('ev-setting') }, ...evidence],
      owners: ownersOf(snapshot),
      advice: [advice],
    };
  },
};

function heldIn(snapshot: Snapshot): Held | undefined {
  const { workload } = snapshot;
  switch (workload.kind) {
    case 'DaemonSet':
      return workload.spec.updateStrategy.type === 'OnDelete' ? byOnDelete(snapshot) : undefined;
    case 'StatefulSet': {
      const { type, rollingUpdate } = workload.spec.updateStrategy;
      if (type === 'OnDelete') return byOnDelete(snapshot);
      return byPartition(snapshot, workload, {
        partition: rollingUpdate?.partition ?? 0,
        path: ['spec', 'updateStrategy', 'rollingUpdate', 'partition'],
      });
    }
    case 'LeaderWorkerSet':
      return byPartition(snapshot, workload, {
        partition: workload.spec.rolloutStrategy.rollingUpdateConfiguration.partition,
        path: ['spec', 'rolloutStrategy', 'rollingUpdateConfiguration', 'partition'],
      });
    case 'RayService':
      return workload.revisions.next === undefined ? byRayCluster(snapshot, workload) : undefined;
    case 'KnativeService':
      return byTraffic(snapshot, workload);
    default:
      return undefined;
  }
}

/** Nothing where no pod shows which revision is the new one. */
function oldPodsOf(snapshot: Snapshot): { readonly old: readonly Pod[]; readonly all: readonly Pod[] } {
  const rollout = rolloutStateOf(snapshot);
  const all = rollout.pods.filter(isActive);
  if (revisionOf(snapshot) === '') return { old: [], all };
  const updated = new Set(podsOfNewRevision(rollout));
  return { old: all.filter((pod) => !updated.has(pod)), all };
}

function byOnDelete(snapshot: Snapshot): Held | undefined {
  const { old, all } = oldPodsOf(snapshot);
  const last = [...old].sort(byPodName).at(-1);
  if (last === undefined) return undefined;
  const heldBack: By<'on-delete'> = { by: 'on-delete', pods: all.length, oldPods: podNames(old) };
  const { namespace, name } = last.metadata;
  return {
    heldBack,
    summary: summaryOfPods(snapshot, heldBack),
    because: [state('on-delete')],
    setting: ['spec.updateStrategy.type', 'OnDelete'],
    evidence: revisionsIn(snapshot, old),
    advice: {
      title: state('delete-title'),
      text: state('delete'),
      snippet: `kubectl -n ${namespace} delete pod ${name}\n`,
    },
  };
}

/** Only once everything above the partition is updated and ready: before, the controller is at work. */
function byPartition(
  snapshot: Snapshot,
  workload: StatefulSet | LeaderWorkerSet,
  { partition, path }: { readonly partition: number; readonly path: readonly string[] },
): Held | undefined {
  if (partition === 0 || rolloutStatus(workload).kind !== 'complete') return undefined;
  const { old, all } = oldPodsOf(snapshot);
  if (old.length === 0) return undefined;
  const heldBack: By<'partition'> = {
    by: 'partition',
    partition,
    pods: all.length,
    oldPods: podNames(old),
  };
  const { namespace, name } = workload.metadata;
  const isTried = old.length < all.length;
  const lower = isTried ? 0 : Math.max(0, workload.spec.replicas - 1);
  const patch = path.reduceRight<unknown>((value, key) => ({ [key]: value }), lower);
  return {
    heldBack,
    summary: summaryOfPods(snapshot, heldBack),
    because: [state('partition', { partition }), ...(isTried ? [state('others-updated')] : [])],
    setting: [path.join('.'), String(partition)],
    evidence: revisionsIn(snapshot, old),
    advice: {
      title: state(isTried ? 'lower-title' : 'try-title'),
      text: state('lower'),
      snippet: `kubectl -n ${namespace} patch ${workload.kind.toLowerCase()} ${name} --type=merge -p '${JSON.stringify(patch)}'\n`,
    },
  };
}

const summaryOfPods = (snapshot: Snapshot, held: By<'on-delete' | 'partition'>): Statement =>
  state('old-pods', { workload: workloadName(snapshot), old: held.oldPods.length, pods: held.pods });

function revisionsIn({ workload }: Snapshot, old: readonly Pod[]): readonly Evidence[] {
  const { kind, metadata } = workload;
  const label = kind === 'LeaderWorkerSet' ? groupLabels.revision : controllerRevisionHashLabel;
  const updated: Evidence = {
    object: { kind, namespace: metadata.namespace, name: metadata.name },
    field: 'status.updateRevision',
    value: kind === 'StatefulSet' ? workload.status.updateRevision : '',
    says: state('ev-revision'),
  };
  return [
    ...(updated.value === '' ? [] : [updated]),
    ...old.slice(0, 3).map((pod) => ({
      object: refOf(pod),
      field: `metadata.labels[${label}]`,
      value: pod.metadata.labels[label] ?? '',
      says: state('ev-pod'),
    })),
  ];
}

function byRayCluster(snapshot: Snapshot, service: RayService): Held | undefined {
  const { namespace, name } = service.metadata;
  const workload = workloadName(snapshot);
  const { old } = formerImagesIn(snapshot, service);
  if (keepsRayCluster(service) && old.length > 0) {
    return {
      heldBack: { by: 'upgrade-type', oldPods: podNames(old) },
      summary: state('former-image', { workload }),
      because: [state('cluster-kept')],
      setting: ['spec.upgradeStrategy.type', 'None'],
      evidence: old.slice(0, 3).map((pod) => ({
        object: refOf(pod),
        field: 'spec.containers[0].image',
        value: pod.spec.containers[0]?.image ?? '',
        says: state('ev-pod'),
      })),
      advice: {
        title: state('second-title'),
        text: state('second'),
        snippet: `# RayService ${namespace}/${name}\nspec:\n  upgradeStrategy:\n    type: NewCluster\n`,
      },
    };
  }
  const cluster = service.status.activeServiceStatus.rayClusterStatus;
  const wanted = service.parts.slice(1).reduce((sum, { count }) => sum + count, 0);
  const isScaledByRay = service.spec.rayClusterConfig.enableInTreeAutoscaling;
  if (cluster?.state !== 'ready' || cluster.desiredWorkerReplicas === wanted || isScaledByRay)
    return undefined;
  const present = cluster.desiredWorkerReplicas;
  return {
    heldBack: { by: 'worker-numbers', wanted, present },
    summary: state('former-workers', { workload, wanted, present }),
    because: [state('numbers')],
    setting: ['spec.rayClusterConfig.workerGroupSpecs', String(wanted)],
    evidence: [
      {
        object: { kind: 'RayService', namespace, name },
        field: 'status.activeServiceStatus.rayClusterStatus.desiredWorkerReplicas',
        value: String(present),
        says: state('ev-workers'),
      },
    ],
    advice: { title: state('other-change-title'), text: state('second') },
  };
}

/** Pods of the RayCluster that serves, with another image than the spec names for the same container. */
function formerImagesIn(snapshot: Snapshot, { parts }: RayService): { readonly old: readonly Pod[] } {
  const images = new Set(
    parts.flatMap(({ template }) => template.spec.containers.map(({ name, image }) => `${name} ${image}`)),
  );
  const named = new Set(parts.flatMap(({ template }) => template.spec.containers.map(({ name }) => name)));
  const isOther = ({ spec }: Pod): boolean =>
    spec.containers.some(({ name, image }) => named.has(name) && !images.has(`${name} ${image}`));
  return { old: rolloutStateOf(snapshot).pods.filter((pod) => isActive(pod) && isOther(pod)) };
}

/** A target without percent, or with 0, only has an address of its own. */
function byTraffic(snapshot: Snapshot, { metadata, spec, status }: KnativeService): Held | undefined {
  const latest = status.latestReadyRevisionName;
  const targets = spec.traffic.filter(({ percent }) => (percent ?? 0) > 0);
  const follows = targets.some(({ latestRevision, revisionName }) => latestRevision ?? revisionName === '');
  const revisions = targets.map(({ revisionName }) => revisionName);
  const isServed = targets.length === 0 || follows || revisions.includes(latest);
  if (isServed || latest === '' || latest !== status.latestCreatedRevisionName) return undefined;
  const { namespace, name } = metadata;
  return {
    heldBack: { by: 'traffic', latest, revisions },
    summary: state('no-traffic', { workload: workloadName(snapshot), revision: latest }),
    because: [state('traffic', { revisions })],
    setting: ['spec.traffic', revisions.join(', ')],
    evidence: [
      {
        object: { kind: 'KnativeService', namespace, name },
        field: 'status.latestReadyRevisionName',
        value: latest,
        says: state('ev-revision'),
      },
    ],
    advice: {
      title: state('follow-title'),
      text: state('follow'),
      snippet: `# Service ${namespace}/${name} (serving.knative.dev/v1)\nspec:\n  traffic:\n    - latestRevision: true\n      percent: 100\n`,
    },
  };
}
