import { code, say, word } from '../../../engine/language/prose.js';
import { names, particle } from '../../../engine/language/words.js';
import { evictablePods } from '../../../engine/neighbours/evicted-pods.js';
import {
  leastReplicas,
  scaledObjectOf,
  scalerThatMayShrink,
} from '../../../engine/objects/horizontal-autoscaler.js';
import { podKey, podNames } from '../../../engine/objects/pod.js';
import type { HorizontalPodAutoscaler } from '../../../engine/objects/policy.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { hasPodPerNode } from '../../../engine/objects/workload.js';
import { ownerObjectsOf, remediationOf } from '../../../engine/owners/owner-objects.js';
import type { Examination } from '../rule.js';
import { defineEscape, type Escape, type Place } from './contract.js';

/** Nothing scales a DaemonSet, and no node is ordered for its pods. */
export function isOfDaemonSet({ workload }: Snapshot): boolean {
  return hasPodPerNode(workload);
}

/** It ends the whole rollout or stops its old pods, whatever the new ones wait for. */
function forEveryPlace<Facts>(ask: (place: Place, world: Examination) => Facts) {
  return { node: ask, quota: ask, queue: ask, volume: ask, lock: ask, gang: ask };
}

type Release = {
  readonly release: string;
  readonly timeout: string;
  readonly does: 'rollback' | 'uninstall';
};

/** Flux takes an upgrade back that is not complete in time, and with it the new pods. */
const releaseIsRemediated = defineEscape<Release>({
  id: 'release-is-remediated',
  names: ({ release }) => [release],
  opens: { ...forEveryPlace(remediationIn), cycle: remediationIn },
  says: {
    en: ({ release, timeout, does }) =>
      say`Flux upgrades HelmRelease ${code(release)} now. If the upgrade is not complete after ${code(timeout)}, Flux ${word(does === 'rollback' ? 'rolls it back' : 'uninstalls the release')}.`,
    ko: ({ release, timeout, does }) =>
      say`Flux가 지금 HelmRelease ${code(release)}${particle(release, '을', '를')} 업그레이드하고 있습니다. ${code(timeout)} 안에 끝나지 않으면 ${word(does === 'rollback' ? '이전 릴리스로 롤백합니다' : '릴리스를 제거합니다')}.`,
  },
});

function remediationIn(_: Place, { snapshot }: Examination): Release | undefined {
  const { helmRelease } = ownerObjectsOf(snapshot);
  if (helmRelease?.type !== 'found') return undefined;
  const { namespace, name } = helmRelease.object.metadata;
  const remediation = remediationOf(helmRelease.object);
  return remediation && { release: `${namespace}/${name}`, ...remediation };
}

/**
 * During a rollout, the controller of a workload whose replicas are reduced stops old pods (kubernetes
 * `deployment/sync.go: scale`).
 */
const autoscalerMayShrink = defineEscape<{ readonly autoscaler: string; readonly minimum: number }>({
  id: 'autoscaler-may-shrink',
  isAtAnyTime: true,
  statusLine: 'standing-but-for-autoscaler',
  names: ({ autoscaler }) => [autoscaler],
  opens: forEveryPlace((_, { snapshot }) => {
    const autoscaler = scalerThatMayShrink(snapshot.index, snapshot.workload);
    if (autoscaler === undefined || kedaOf(autoscaler) !== undefined) return undefined;
    return { autoscaler: autoscaler.metadata.name, minimum: leastReplicas(autoscaler) };
  }),
  says: {
    en: ({ autoscaler, minimum }) =>
      say`HorizontalPodAutoscaler ${code(autoscaler)} may reduce the replicas to ${minimum}. Old pods stop then, and a new pod may take their place.`,
    ko: ({ autoscaler, minimum }) =>
      say`HorizontalPodAutoscaler ${code(autoscaler)} 설정에 따라 복제본이 ${minimum}개까지 줄어들 수 있습니다. 그때 이전 파드가 내려가면 새 파드가 그 자리를 쓸 수 있습니다.`,
  },
  unread: {
    key: 'autoscalers-unread',
    // KEDA may stop the last pod, so a workload with one replica is no exception.
    of: (_, { snapshot }) =>
      isOfDaemonSet(snapshot)
        ? undefined
        : snapshot.unseen.find(
            ({ what, namespace, because }) =>
              what === 'HorizontalPodAutoscaler' &&
              because !== 'not-served' &&
              ['', snapshot.workload.metadata.namespace].includes(namespace),
          ),
    says: {
      en: ({ because }) =>
        say`HorizontalPodAutoscalers could not be read (${code(because)}). One that reduces the replicas would stop old pods.`,
      ko: ({ because }) =>
        say`HorizontalPodAutoscaler를 읽지 못했습니다(${code(because)}). 복제본을 줄이는 오토스케일러가 있으면 이전 파드가 내려갑니다.`,
    },
  },
});

/** KEDA stops the last pod as well, past its HorizontalPodAutoscaler. */
const scaledObjectMayShrink = defineEscape<{ readonly scaledObject: string }>({
  id: 'scaled-object-may-shrink',
  isAtAnyTime: true,
  statusLine: 'standing-but-for-autoscaler',
  names: ({ scaledObject }) => [scaledObject],
  opens: forEveryPlace((_, { snapshot }) => {
    const autoscaler = scalerThatMayShrink(snapshot.index, snapshot.workload);
    const scaledObject = autoscaler && kedaOf(autoscaler);
    return scaledObject === undefined ? undefined : { scaledObject };
  }),
  says: {
    en: ({ scaledObject }) =>
      say`KEDA may reduce the replicas to 0, unless ScaledObject ${code(scaledObject)} sets a minimum. Old pods stop then.`,
    ko: ({ scaledObject }) =>
      say`ScaledObject ${code(scaledObject)}에 최솟값이 없으면 KEDA가 복제본을 0개까지 줄일 수 있습니다. 그때 이전 파드가 내려갑니다.`,
  },
});

function kedaOf(autoscaler: HorizontalPodAutoscaler): string | undefined {
  return leastReplicas(autoscaler) === 0 ? scaledObjectOf(autoscaler) : undefined;
}

type Pods = { readonly pods: readonly string[] };
const podsOf = ({ pods }: Pods) => pods;

/** Those with a container that restarted, and so may restart again. */
function restarted({ holders }: Place): Pods {
  const pods = podNames(
    holders.filter(({ status }) => status.containerStatuses.some(({ restartCount }) => restartCount > 0)),
  );
  return { pods };
}

/**
 * With maxSurge the controller stops an old pod of a node once it is not ready (kubernetes
 * `daemon_controller.go: podsShouldBeOnNode`), as a pod whose containers restart is for a moment.
 */
const daemonPodsRestart = defineEscape<Pods>({
  id: 'daemon-pods-restart',
  names: podsOf,
  opens: { node: ofDaemonSet, quota: ofDaemonSet },
  says: {
    en: ({ pods }) =>
      say`${names('en', pods, 3)} restarted before. The DaemonSet controller stops an old pod that is not ready, and a new pod may take its place.`,
    ko: ({ pods }) =>
      say`${names('ko', pods, 3)} 파드는 재시작된 적이 있습니다. 이전 파드가 준비되지 않은 순간 데몬셋 컨트롤러가 그 파드를 내리고, 새 파드가 그 자리를 쓸 수 있습니다.`,
  },
});

function ofDaemonSet(place: Place, { snapshot }: Examination) {
  return isOfDaemonSet(snapshot) ? restarted(place) : undefined;
}

/** While its program starts again, the holder does not renew its Lease, and the new pod may be first. */
const holderRestarts = defineEscape<Pods>({
  id: 'holder-restarts',
  names: podsOf,
  opens: { lock: (place) => (place.isLease ? restarted(place) : undefined) },
  says: {
    en: ({ pods }) =>
      say`${names('en', pods)} restarted before. At its next restart, the new pod may get the lease first.`,
    ko: ({ pods }) =>
      say`${names('ko', pods)} 파드는 재시작된 적이 있습니다. 다시 재시작되면 새 파드가 먼저 리스를 가져갈 수 있습니다.`,
  },
});

type Move = { readonly pod: string; readonly node: string };

/** The pod that is created in place of the evicted new one may be placed where the volume is. */
const waitingMayMove = defineEscape<Move>({
  id: 'waiting-may-move',
  names: ({ pod }) => [pod],
  opens: {
    volume: ({ waiting, node }, { snapshot }) =>
      evictablePods(snapshot.index).some((pod) => podKey(pod) === podKey(waiting))
        ? { pod: waiting.metadata.name, node }
        : undefined,
  },
  says: {
    en: ({ pod, node }) =>
      say`A taint or a program may evict the new pod ${code(pod)}. The pod created in its place may find a node where the volume is: ${code(node)}.`,
    ko: ({ pod, node }) =>
      say`taint나 프로그램이 새 파드 ${code(pod)}${particle(pod, '을', '를')} 축출할 수 있습니다. 대신 생성된 파드는 볼륨이 있는 ${code(node)} 노드에 배치될 수도 있습니다.`,
  },
});

export const ownWorkloadEscapes: readonly Escape[] = [
  releaseIsRemediated,
  autoscalerMayShrink,
  scaledObjectMayShrink,
  daemonPodsRestart,
  holderRestarts,
  waitingMayMove,
];
