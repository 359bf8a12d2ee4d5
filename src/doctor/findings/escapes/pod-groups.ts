import { code, say, word } from '../../../engine/language/prose.js';
import { names } from '../../../engine/language/words.js';
import { otherUsersOf } from '../../../engine/neighbours/pod-gang.js';
import { scalerThatMayGrow } from '../../../engine/objects/horizontal-autoscaler.js';
import { unreadOf } from '../../../engine/objects/unread.js';
import { defineEscape, type Escape } from './contract.js';

/**
 * Of further replicas, the controller creates some in the new revision (kubernetes `deployment/sync.go:
 * scale`). What an unread autoscaler means is stated by the escape that reduces the replicas.
 */
const autoscalerMayGrow = defineEscape<{ readonly autoscaler: string; readonly maximum: number }>({
  id: 'autoscaler-may-grow',
  isAtAnyTime: true,
  statusLine: 'standing-but-for-autoscaler',
  names: ({ autoscaler }) => [autoscaler],
  opens: {
    gang: (_, { snapshot }) => {
      const autoscaler = scalerThatMayGrow(snapshot.index, snapshot.workload);
      return autoscaler && { autoscaler: autoscaler.metadata.name, maximum: autoscaler.spec.maxReplicas };
    },
  },
  says: {
    en: ({ autoscaler, maximum }) =>
      say`HorizontalPodAutoscaler ${code(autoscaler)} may raise the replicas to ${maximum}. Pods that are created then may complete the group.`,
    ko: ({ autoscaler, maximum }) =>
      say`HorizontalPodAutoscaler ${code(autoscaler)} 설정에 따라 복제본이 ${maximum}개까지 늘어날 수 있습니다. 그때 생성되는 파드로 그룹이 완성될 수 있습니다.`,
  },
});

interface Others {
  readonly [value: string]: string | readonly string[];
  readonly group: string;
  readonly others: readonly string[];
}

/** Pods of every owner count, and the controller of a PodGroup may lower its minimum. */
const othersMayComplete = defineEscape<Others>({
  id: 'others-may-complete-group',
  isAtAnyTime: true,
  statusLine: 'standing-but-for-neighbours',
  names: ({ others }) => others,
  opens: { gang: ({ gang }, { snapshot }) => ({ group: gang.name, others: otherUsersOf(snapshot, gang) }) },
  says: {
    en: ({ group, others }) =>
      say`${names('en', others, 3)} also ${word(others.length === 1 ? 'uses' : 'use')} the PodGroup ${code(group)}. Further pods there, or a lower minimum, may complete the group.`,
    ko: ({ group, others }) =>
      say`${names('ko', others, 3)}도 PodGroup ${code(group)} 그룹을 사용합니다. 그쪽에서 파드가 더 생성되거나 최솟값이 낮아지면 그룹이 완성될 수 있습니다.`,
  },
  unread: {
    key: 'group-users-unread',
    of: (_, { snapshot }) => unreadOf(snapshot, 'Deployment'),
    says: {
      en: ({ because }) =>
        say`Other Deployments could not be read (${code(because)}). Pods of one that uses the same PodGroup may complete it.`,
      ko: ({ because }) =>
        say`다른 디플로이먼트를 읽지 못했습니다(${code(because)}). 같은 PodGroup을 사용하는 디플로이먼트의 파드로 그룹이 완성될 수 있습니다.`,
    },
  },
});

export const podGroupEscapes: readonly Escape[] = [autoscalerMayGrow, othersMayComplete];
