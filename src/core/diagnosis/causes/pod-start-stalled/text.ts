import type { SameSentences } from '../../../language/catalogue.js';
import { code, moment, say } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, elapsedAtMost, names } from '../../../language/words.js';
import { type FailingPods, failingPods } from '../../crashes/failing-pods.js';

interface Nodes {
  readonly nodes: readonly string[];
}

const en = {
  'shared-failure': () => say`no container starts, and no event shows why`,
  summary: ({ workload, nodes }: Nodes & { readonly workload: string }) =>
    say`${code(workload)}: no container starts on ${names('en', nodes)}, and no event shows why`,
  standing: ({ longest, ...pods }: FailingPods & { readonly longest: number }) =>
    say`${failingPods('en', pods)}: no running container on the assigned node for ${elapsedAtMost('en', longest)}.`,
  since: ({ pod, since }: { readonly pod: string; readonly since: string }) =>
    say`${code(pod)} got its node ${moment(since)}, and its containers still wait.`,
  init: ({ done, of }: { readonly done: number; readonly of: number }) =>
    say`${done} of ${counted(of, 'init container', 'init containers')} finished.`,
  'no-events': () =>
    say`No event about these pods remains. The API server keeps events for one hour by default.`,
  volumes: ({ volumes }: { readonly volumes: readonly string[] }) =>
    say`The node must prepare these volumes before it starts a container: ${names('en', volumes)}.`,
  neighbours: ({ pods }: { readonly pods: readonly string[] }) =>
    say`Pods of other workloads on this node are in the same state: ${names('en', pods)}.`,
  'ev-bound': () => say`has a node, and no container runs`,
  'because-never-started': () => say`no container has run`,
  'restart-withheld': () => say`The reason is not known, so a new pod may wait in the same way.`,
  'advice-title': ({ nodes }: Nodes) => say`Read the kubelet log of ${names('en', nodes)}`,
  advice: () =>
    say`The log of the kubelet usually shows why no container starts. A new pod on this node makes new events.`,
};

const ko: SameSentences<typeof en> = {
  'shared-failure': () => say`컨테이너가 시작되지 않으며 이유를 보여 주는 이벤트가 없음`,
  summary: ({ workload, nodes }) =>
    say`${code(workload)}: ${names('ko', nodes)} 노드에서 컨테이너가 시작되지 않으며, 이유를 보여 주는 이벤트가 없습니다`,
  standing: ({ longest, ...pods }) =>
    say`${failingPods('ko', pods)}가 노드에 배정되었지만 ${elapsedAtMost('ko', longest)} 동안 실행 중인 컨테이너가 없습니다.`,
  since: ({ pod, since }) =>
    say`${code(pod)} 파드는 ${moment(since)}에 노드에 배정되었고, 컨테이너는 아직 대기 중입니다.`,
  init: ({ done, of }) => say`초기화 컨테이너 ${of}개 중 ${done}개가 끝났습니다.`,
  'no-events': () =>
    say`이 파드에 대한 이벤트가 남아 있지 않습니다. API 서버는 기본적으로 이벤트를 1시간 동안 보관합니다.`,
  volumes: ({ volumes }) =>
    say`컨테이너를 시작하기 전에 노드에서 준비해야 하는 볼륨: ${names('ko', volumes)}.`,
  neighbours: ({ pods }) => say`이 노드에서 다른 워크로드의 파드도 같은 상태입니다: ${names('ko', pods)}.`,
  'ev-bound': () => say`노드에 배정되었으나 실행 중인 컨테이너가 없음`,
  'because-never-started': () => say`실행된 컨테이너가 없음`,
  'restart-withheld': () => say`이유를 알 수 없으므로 새 파드도 똑같이 기다릴 수 있습니다.`,
  'advice-title': ({ nodes }) => say`${names('ko', nodes)} 노드의 kubelet 로그 확인하기`,
  advice: () =>
    say`노드의 kubelet 로그를 확인하세요. 이 노드에 새 파드를 만들면 이벤트가 다시 생기며, 보통 거기에 이유가 나타납니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('pod-start-stalled');
