import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, names } from '../../../language/words.js';
import { type Certainty, deadlocked } from '../../deadlock/headline.js';

const en = {
  'shared-failure': () => say`a PodGroup holds back new pods`,
  summary: ({
    minMember,
    members,
    ...rest
  }: Certainty & {
    readonly workload: string;
    readonly minMember: number;
    readonly members: number;
  }) =>
    say`${deadlocked('en', rest)}: its new pods start only as a group of ${minMember}, and the rollout creates only ${members}`,
  group: ({
    group,
    minMember,
    members,
    scheduled,
  }: {
    readonly group: string;
    readonly minMember: number;
    readonly members: number;
    readonly scheduled: number;
  }) =>
    say`The PodGroup ${code(group)} needs at least ${counted(minMember, 'pod', 'pods')} (minMember). ${counted(members, 'pod exists', 'pods exist')}, of which ${scheduled} ${word(scheduled === 1 ? 'has' : 'have')} a node.`,
  conclusion: ({ missing, pods }: { readonly missing: number; readonly pods: readonly string[] }) =>
    say`The group lacks ${counted(missing, 'pod', 'pods')}. The controller creates more new pods only after it stops an old one, and it keeps ${names('en', pods, 3)} until new pods are ready.`,
  'not-simulated': ({ scheduler }: { readonly scheduler: string }) =>
    say`The scheduler ${code(scheduler)} is not simulated. It may also refuse the group for other reasons.`,
  'group-unread': () =>
    say`The PodGroup could not be read. Its minimum comes from the message of the scheduler.`,
  'because-group': ({ group }: { readonly group: string }) =>
    say`the scheduler tries no node before the PodGroup ${code(group)} is complete`,
  'ev-group': ({ members }: { readonly members: number }) =>
    say`the group needs more than the ${counted(members, 'pod', 'pods')} that exist`,
  'ev-refused': ({ scheduler }: { readonly scheduler: string }) =>
    say`${code(scheduler)} does not start the pod`,
  'next-attempt': ({ group }: { readonly group: string }) =>
    say`The scheduler evaluates the PodGroup ${code(group)} again in its next cycle, and nothing changes until more pods exist.`,
  'restart-withheld': () =>
    say`The pods of one more revision are a group of their own and wait in the same way.`,
  'scale-down-withheld': () =>
    say`One old pod less lets the controller create one more pod, which may not complete the group.`,
  'advice-surge-title': () => say`Let the rollout create a whole group`,
  'advice-surge': ({ minMember }: { readonly minMember: number }) =>
    say`With ${code('maxSurge')} of at least ${minMember}, the new group is complete beside the old pods, where nodes have room for it.`,
};

const ko: SameSentences<typeof en> = {
  'shared-failure': () => say`PodGroup 때문에 새 파드가 시작되지 않음`,
  summary: ({ minMember, members, ...rest }) =>
    say`${deadlocked('ko', rest)}: 새 파드는 ${minMember}개 그룹으로만 시작되는데 롤아웃은 ${members}개만 생성합니다`,
  group: ({ group, minMember, members, scheduled }) =>
    say`PodGroup ${code(group)}에는 파드가 최소 ${minMember}개(minMember) 필요합니다. 지금은 ${members}개가 있고 그중 ${scheduled}개가 노드에 배치되었습니다.`,
  conclusion: ({ missing, pods }) =>
    say`그룹에 파드 ${missing}개가 부족합니다. 컨트롤러는 이전 파드를 내린 뒤에야 새 파드를 더 생성하는데, 새 파드가 준비될 때까지 ${names('ko', pods, 3)} 파드를 유지합니다.`,
  'not-simulated': ({ scheduler }) =>
    say`${code(scheduler)} 스케줄러는 시뮬레이션에 포함되지 않습니다. 다른 이유로도 그룹을 거부할 수 있습니다.`,
  'group-unread': () =>
    say`PodGroup 오브젝트를 읽지 못했습니다. 최소 파드 수는 스케줄러 메시지에서 가져왔습니다.`,
  'because-group': ({ group }) =>
    say`PodGroup ${code(group)} 파드가 모두 생성되기 전에는 스케줄러가 어느 노드에도 시도하지 않음`,
  'ev-group': ({ members }) => say`현재 파드 ${members}개보다 더 많은 파드가 그룹에 필요`,
  'ev-refused': ({ scheduler }) => say`${code(scheduler)} 스케줄러가 파드를 시작하지 않음`,
  'next-attempt': ({ group }) =>
    say`스케줄러가 다음 주기에 PodGroup ${code(group)} 그룹을 다시 평가하지만, 파드가 더 생성되기 전에는 달라지지 않습니다.`,
  'restart-withheld': () => say`리비전을 하나 더 만들어도 그 파드 역시 별도의 그룹으로 똑같이 대기합니다.`,
  'scale-down-withheld': () =>
    say`이전 파드를 하나 줄이면 파드가 하나 더 생성될 뿐, 그룹이 완성되지 않을 수 있습니다.`,
  'advice-surge-title': () => say`롤아웃이 그룹 전체를 생성하게 하기`,
  'advice-surge': ({ minMember }) =>
    say`${code('maxSurge')} 값이 ${minMember} 이상이면 노드에 여유가 있을 때 이전 파드와 나란히 새 그룹이 완성됩니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('gang-deadlock');
