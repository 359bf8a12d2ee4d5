import type { QuotaBlock } from '../../../engine/creation/quota-block.js';
import { chargedFor, dearestFirst } from '../../../engine/creation/quota-block.js';
import { code, say, word } from '../../../engine/language/prose.js';
import { names } from '../../../engine/language/words.js';
import { departingNeighbours } from '../../../engine/neighbours/moving-neighbours.js';
import {
  namesThatAdmit,
  neighboursThatFree,
  neighboursThatFreeQuota,
  neighboursThatReplace,
} from '../../../engine/neighbours/neighbours-that-free.js';
import type { OwnedPods } from '../../../engine/neighbours/owned-pods.js';
import { groupNeighbours, inPlaceNeighbours } from '../../../engine/neighbours/replaced-neighbours.js';
import {
  shrinkingNeighbours,
  shrinkingNeighboursOf,
} from '../../../engine/neighbours/shrinking-neighbours.js';
import {
  stalledNeighbours,
  stalledNeighboursOf,
  unreadNeighbours,
  unreadNeighboursOf,
} from '../../../engine/neighbours/stalled-neighbours.js';
import { hasNode, isActive, type Pod } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import type { Examination } from '../rule.js';
import { defineEscape, type Escape, type PlaceOf } from './contract.js';

/** Rollouts of others in progress, whose old pods stop without anybody's help. */
const neighboursMove = defineEscape({
  id: 'neighbours-move',
  decides: true,
  opens: {
    node: ({ waiting, alsoWaiting }, world) =>
      [waiting[0], ...alsoWaiting].some((pod) => neighboursThatFree(world, pod).length > 0)
        ? 'open'
        : undefined,
    quota: ({ block }, { snapshot }) =>
      neighboursThatFreeQuota(snapshot, block).length > 0 ? 'open' : undefined,
  },
});

type Neighbours = { readonly neighbours: readonly string[] };

/** All but the autoscalers have a rollout that stops old pods. */
const ofRollouts = {
  stopsPods: true,
  statusLine: 'standing-but-for-neighbours',
  names: (found: Neighbours) => found.neighbours,
} as const;

/** Neighbours by the workload, for the pod that waits for a node and for the one that a quota refuses. */
function forNodeAndQuota(
  ofNode: (world: Examination, pod: Pod) => readonly string[],
  ofQuota: (snapshot: Snapshot, block: QuotaBlock) => readonly Leaver[],
) {
  return {
    node: ({ waiting }: PlaceOf<'node'>, world: Examination) => ({ neighbours: ofNode(world, waiting[0]) }),
    quota: ({ block }: PlaceOf<'quota'>, { snapshot }: Examination) => ({
      neighbours: namesThatAdmit(snapshot, block, ofQuota(snapshot, block)),
    }),
  };
}

type Leaver = Parameters<typeof namesThatAdmit>[2][number];
const allPods = ({ owner, pods }: OwnedPods): Leaver => ({ owner, leaving: pods });

const neighboursUnread = defineEscape<Neighbours>({
  id: 'neighbours-unread',
  ...ofRollouts,
  opens: forNodeAndQuota(unreadNeighboursOf, (snapshot) => unreadNeighbours(snapshot, 'all').map(allPods)),
  says: {
    en: ({ neighbours }) =>
      say`${names('en', neighbours, 3)} could not be read in full. A rollout there may still stop old pods, and the new pod may start then.`,
    ko: ({ neighbours }) =>
      say`${names('ko', neighbours, 3)} 워크로드를 모두 읽지는 못했습니다. 그 롤아웃이 이전 파드를 내리면 새 파드가 시작될 수 있습니다.`,
  },
});

const neighboursStalled = defineEscape<Neighbours>({
  id: 'neighbours-stalled',
  ...ofRollouts,
  opens: forNodeAndQuota(stalledNeighboursOf, (snapshot) => stalledNeighbours(snapshot).map(allPods)),
  says: {
    en: ({ neighbours }) =>
      say`The rollout of ${names('en', neighbours, 3)} is stuck at a new pod that is not ready. If that pod becomes ready, old pods there stop, and the new pod may start then.`,
    ko: ({ neighbours }) =>
      say`${names('ko', neighbours, 3)} 롤아웃은 새 파드가 준비되지 않아 멈춰 있습니다. 그 파드가 준비되면 그쪽의 이전 파드가 내려가고, 이 새 파드가 시작될 수 있습니다.`,
  },
});

const neighboursMayShrink = defineEscape<Neighbours>({
  id: 'neighbours-may-shrink',
  isAtAnyTime: true,
  ...ofRollouts,
  statusLine: 'standing-but-for-autoscaler',
  opens: {
    ...forNodeAndQuota(shrinkingNeighboursOf, (snapshot, block) =>
      shrinkingNeighbours(snapshot).map(({ owner, pods, removable }) => {
        const now = nowOf(snapshot);
        const dearest = dearestFirst(block, chargedFor(block, pods, now), now);
        return { owner, leaving: dearest.slice(0, removable) };
      }),
    ),
    cycle: ({ shrinking }) => ({ neighbours: shrinking }),
  },
  says: {
    en: ({ neighbours }) =>
      say`A HorizontalPodAutoscaler may reduce the replicas of ${names('en', neighbours, 3)}. Pods there stop then, and a new pod may take their place.`,
    ko: ({ neighbours }) =>
      say`HorizontalPodAutoscaler 설정에 따라 ${names('ko', neighbours, 3)} 워크로드의 복제본이 줄어들 수 있습니다. 그때 그쪽 파드가 내려가면 새 파드가 그 자리를 쓸 수 있습니다.`,
  },
  unread: {
    key: 'neighbours-autoscalers-unread',
    // They matter only where pods there have a node.
    of: (_, { snapshot: { index, unseen, workload } }) =>
      unseen.find(
        ({ what, namespace, because }) =>
          what === 'HorizontalPodAutoscaler' &&
          because !== 'not-served' &&
          namespace !== workload.metadata.namespace &&
          (namespace === '' ||
            index.objects.Pod.some(
              (pod) => pod.metadata.namespace === namespace && isActive(pod) && hasNode(pod),
            )),
      ),
    says: {
      en: ({ namespace, because }) =>
        namespace === ''
          ? say`HorizontalPodAutoscalers of other namespaces could not be read (${code(because)}). One that reduces replicas there may free a place.`
          : say`HorizontalPodAutoscalers of the namespace ${code(namespace)} could not be read (${code(because)}). One that reduces replicas there may free a place.`,
      ko: ({ namespace, because }) =>
        namespace === ''
          ? say`다른 네임스페이스의 HorizontalPodAutoscaler를 읽지 못했습니다(${code(because)}). 그곳의 복제본이 줄어들면 새 파드가 그 자리를 쓸 수 있습니다.`
          : say`${code(namespace)} 네임스페이스의 HorizontalPodAutoscaler를 읽지 못했습니다(${code(because)}). 그곳의 복제본이 줄어들면 새 파드가 그 자리를 쓸 수 있습니다.`,
    },
  },
});

/** For a place on a node, these are among those that move. */
const neighboursDepart = defineEscape<Neighbours>({
  id: 'neighbours-depart',
  ...ofRollouts,
  opens: {
    quota: ({ block }, { snapshot }) => ({
      neighbours: namesThatAdmit(snapshot, block, departingNeighbours(snapshot)),
    }),
  },
  says: {
    en: ({ neighbours }) =>
      say`${names('en', neighbours, 3)} ${word(neighbours.length === 1 ? 'stops' : 'stop')} pods without replacing them. When these pods are gone, a new pod may take their place.`,
    ko: ({ neighbours }) =>
      say`${names('ko', neighbours, 3)} 워크로드는 파드를 다시 만들지 않고 내리는 중입니다. 그 파드가 사라지면 새 파드가 그 자리를 쓸 수 있습니다.`,
  },
});

const neighboursReplace = defineEscape<Neighbours>({
  id: 'neighbours-replace',
  ...ofRollouts,
  opens: forNodeAndQuota(neighboursThatReplace, (snapshot) => [
    ...inPlaceNeighbours(snapshot),
    ...groupNeighbours(snapshot),
  ]),
  says: {
    en: ({ neighbours }) =>
      say`The rollout of ${names('en', neighbours, 3)} stops its pods one after the other. The new pod may take such a place before the replacement does.`,
    ko: ({ neighbours }) =>
      say`${names('ko', neighbours, 3)} 롤아웃은 파드를 하나씩 내리고 다시 만듭니다. 그 사이에 이 새 파드가 그 자리를 먼저 쓸 수 있습니다.`,
  },
});

export const neighbourEscapes: readonly Escape[] = [
  neighboursMove,
  neighboursUnread,
  neighboursStalled,
  neighboursMayShrink,
  neighboursDepart,
  neighboursReplace,
];
