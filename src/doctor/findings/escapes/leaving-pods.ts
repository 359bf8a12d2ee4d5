import { chargedFor, opensByItself } from '../../../engine/creation/quota-block.js';
import { code, say, word } from '../../../engine/language/prose.js';
import { names } from '../../../engine/language/words.js';
import type { EvictingProgram } from '../../../engine/neighbours/evicted-pods.js';
import { evictedPods, evictingPrograms, podsEvictedBy } from '../../../engine/neighbours/evicted-pods.js';
import { podsThatMayFreeQuota, podsThatMayLeave } from '../../../engine/neighbours/leaving-together.js';
import { hasNode, type Pod, podKey, qualifiedPodNames } from '../../../engine/objects/pod.js';
import { nowOf } from '../../../engine/objects/snapshot.js';
import { unreadOf } from '../../../engine/objects/unread.js';
import { wouldBeAdmittedIf } from '../../../engine/workloads/quota-admission.js';
import { isOverdue } from '../../../engine/workloads/simulated-pods.js';
import { isAboutToBePlaced } from '../pod-simulator-of.js';
import type { Examination } from '../rule.js';
import { type Answer, defineEscape, type Escape, type Place } from './contract.js';
import { isAdmittedWithout } from './queue-quota.js';

type Pods = { readonly pods: readonly string[] };
const podsOf = ({ pods }: Pods) => pods;

/** Pods that are being deleted in time, victims of a preemption, and pods of revisions that retire. */
const podsLeave = defineEscape({
  id: 'pods-leave',
  decides: true,
  opens: {
    node: ({ waiting }, world) => openIf(waiting.some((pod) => isAboutToBePlaced(world, pod))),
    quota: ({ block }, { snapshot }) => openIf(opensByItself(snapshot, block)),
    queue: (place, { snapshot }) => {
      const now = nowOf(snapshot);
      const leaving = snapshot.index.terminatingPods.filter((pod) => !isOverdue(pod, now));
      return openIf(leaving.length > 0 && isAdmittedWithout(snapshot, place, leaving));
    },
    volume: () => undefined,
    gang: () => undefined,
  },
  unread: {
    key: 'pods-unread',
    of: ({ kind }, { snapshot }) =>
      kind === 'node' ? unreadOf(snapshot, 'Pod', 'Node') : unreadOf(snapshot, 'Pod'),
    says: {
      en: ({ because }) =>
        say`Some pods or nodes could not be read (${code(because)}). One of them may be about to free the place.`,
      ko: ({ because }) =>
        say`일부 파드나 노드를 읽지 못해(${code(because)}) 곧 자리가 날 가능성을 배제할 수 없습니다.`,
    },
  },
});

const openIf = (isOpen: boolean) => (isOpen ? 'open' : undefined);

/** Pods that run to completion, of a Job or of another owner. */
const jobsMayFinish = defineEscape<Pods>({
  id: 'jobs-may-finish',
  stopsPods: true,
  statusLine: 'standing-but-for-jobs',
  names: podsOf,
  opens: {
    node: (place, world) => podsThatFree(place, world, world.snapshot.index.finitePods.filter(hasNode)),
    quota: (place, world) => podsThatFree(place, world, world.snapshot.index.finitePods),
  },
  says: {
    en: ({ pods }) =>
      say`${names('en', pods, 3)} ${word(pods.length === 1 ? 'runs' : 'run')} to completion. When ${word(pods.length === 1 ? 'it ends' : 'they end')}, the new pod may start.`,
    ko: ({ pods }) =>
      say`${names('ko', pods, 3)} 파드는 작업을 마치면 종료됩니다. 그때 새 파드가 시작될 수 있습니다.`,
  },
});

const evictionsMayFree = defineEscape<Pods>({
  id: 'evictions-may-free',
  stopsPods: true,
  statusLine: 'standing-but-for-evictions',
  names: podsOf,
  opens: forPlacesOfPods((place, world) => podsThatFree(place, world, evictedPods(world.snapshot.index))),
  says: {
    en: ({ pods }) =>
      say`A NoExecute taint evicts ${names('en', pods, 3)} after ${code('tolerationSeconds')}. The new pod may start then.`,
    ko: ({ pods }) =>
      say`${code('tolerationSeconds')} 시간이 지나면 NoExecute taint가 ${names('ko', pods, 3)} 파드를 축출합니다. 그때 새 파드가 시작될 수 있습니다.`,
  },
});

const evictors: Readonly<Record<EvictingProgram, { readonly en: string; readonly ko: string }>> = {
  'vertical-pod-autoscaler': { en: 'A VerticalPodAutoscaler may evict', ko: 'VerticalPodAutoscaler가' },
  descheduler: { en: 'The descheduler may evict', ko: 'descheduler가' },
  'node-removal': {
    en: 'An autoscaler removes the node, which evicts',
    ko: '오토스케일러가 노드를 제거하면서',
  },
  drain: { en: 'A drain of the cordoned node would evict', ko: '노드를 비우는(drain) 작업이' },
};

type Evictor = Pods & { readonly program: EvictingProgram };

const programMayEvict: NonNullable<Parameters<typeof defineEscape<Evictor>>[0]['says']> = {
  en: ({ program, pods }) =>
    say`${word(evictors[program].en)} ${names('en', pods, 3)}. A new pod may take the place before ${word(pods.length === 1 ? 'the evicted pod is' : 'the evicted pods are')} created anew.`,
  ko: ({ program, pods }) =>
    say`${word(evictors[program].ko)} ${names('ko', pods, 3)} 파드를 축출할 수 있습니다. 다시 생성되기 전에 새 파드가 그 자리를 쓸 수도 있습니다.`,
};

const evictorsUnread: NonNullable<Parameters<typeof defineEscape<Evictor>>[0]['unread']> = {
  key: 'evictors-unread',
  of: (_, { snapshot }) => unreadOf(snapshot, 'VerticalPodAutoscaler'),
  says: {
    en: ({ because }) =>
      say`VerticalPodAutoscalers could not be read (${code(because)}). One that evicts a pod may free a place.`,
    ko: ({ because }) =>
      say`VerticalPodAutoscaler를 읽지 못했습니다(${code(because)}). 파드를 축출하는 것이 있으면 새 파드가 그 자리를 쓸 수 있습니다.`,
  },
};

/** A controller creates each evicted pod anew, but the new pod may be first at its place. */
const programsMayEvict = evictingPrograms.map((program) =>
  defineEscape<Evictor>({
    id: `${program}-may-evict`,
    key: 'programs-may-evict',
    stopsPods: true,
    names: podsOf,
    opens: forPlacesOfPods((place, world) => ({
      program,
      ...podsThatFree(place, world, podsEvictedBy(program, world.snapshot.index)),
    })),
    says: programMayEvict,
    ...(program === 'vertical-pod-autoscaler' && { unread: evictorsUnread }),
  }),
);

/** Pods that may leave for different reasons, of which no reason alone is enough. */
const podsMayLeave = defineEscape<Pods>({
  id: 'pods-may-leave',
  stopsPods: true,
  statusLine: 'standing-but-for-leaving',
  names: podsOf,
  opens: {
    node: ({ waiting }, world, before) => together(before, () => podsThatMayLeave(world, waiting[0])),
    quota: ({ block }, { snapshot }, before) => together(before, () => podsThatMayFreeQuota(snapshot, block)),
    cycle: ({ leaving }) => ({ pods: qualifiedPodNames(leaving) }),
  },
  says: {
    en: ({ pods }) =>
      say`${names('en', pods, 3)} may stop without any change to this workload. ${word(pods.length === 1 ? 'When it is gone, a new pod may take its place.' : 'When they are gone, a new pod may take their place.')}`,
    ko: ({ pods }) =>
      say`${names('ko', pods, 3)} 파드는 이 워크로드를 변경하지 않아도 종료될 수 있습니다. ${word(pods.length === 1 ? '종료되면' : '모두 종료되면')} 새 파드가 그 자리를 쓸 수 있습니다.`,
  },
});

/** Asked only where no reason alone is enough, which names the pods better. */
function together(before: readonly Answer[], podsOfAll: () => readonly Pod[]): Pods {
  const isDoubted = before.some(({ kind, by }) => kind === 'may-open' && by.stopsPods);
  return { pods: isDoubted ? [] : qualifiedPodNames(podsOfAll()) };
}

/**
 * An eviction opens every place that a pod holds. A gang lacks pods, and a Deployment counts the replicas
 * that it asked for, so that it creates only the evicted pod again (kubernetes `deployment/rolling.go:
 * reconcileOldReplicaSets`).
 */
function forPlacesOfPods<Facts>(ask: (place: Place, world: Examination) => Facts) {
  return { node: ask, quota: ask, queue: ask, volume: ask, lock: ask };
}

/** Those of the pods that hold the place, where it is free without all of them. */
function podsThatFree(place: Place, { snapshot, placement }: Examination, leaving: readonly Pod[]): Pods {
  const keys = new Set(leaving.map(podKey));
  const isLeaving = (pod: Pod): boolean => keys.has(podKey(pod));
  const freedBy = (pods: readonly Pod[]): Pods => ({ pods: qualifiedPodNames(pods) });
  if (keys.size === 0) return freedBy([]);
  switch (place.kind) {
    case 'node': {
      const [pod] = place.waiting;
      if (placement.evaluate(pod, { without: keys }).outcome !== 'fits') return freedBy([]);
      const reasons = placement.evaluate(pod).nodes.flatMap((verdict) => verdict.reasons);
      const holders = reasons.flatMap((reason) => ('holders' in reason ? reason.holders : []));
      const holding = new Set(holders.map(podKey));
      return freedBy(leaving.filter((each) => holding.has(podKey(each))));
    }
    case 'quota': {
      const { block } = place;
      const now = nowOf(snapshot);
      const charged = chargedFor(block, leaving, now);
      const isFreed = charged.length > 0 && wouldBeAdmittedIf(block.pod, block.quotas, charged, now);
      return freedBy(isFreed ? charged : []);
    }
    default:
      return freedBy(place.holders.filter(isLeaving));
  }
}

export const leavingPodEscapes: readonly Escape[] = [
  podsLeave,
  ...programsMayEvict,
  jobsMayFinish,
  evictionsMayFree,
  podsMayLeave,
];
