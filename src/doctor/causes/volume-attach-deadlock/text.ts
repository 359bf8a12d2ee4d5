import { code, say, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { names, particle } from '../../../engine/language/words.js';
import { type Certainty, deadlocked } from '../../findings/deadlock/text.js';

const en = {
  'shared-failure': () => say`the volume is attached to another node`,
  summary: ({ volume, ...rest }: Certainty & { readonly workload: string; readonly volume: string }) =>
    say`${deadlocked('en', rest)}: its new pod needs volume ${code(volume)}, in use by its old pod on another node`,
  waits: (values: { pod: string; node: string; volume: string; claim: string; modes: readonly string[] }) =>
    values.claim === ''
      ? say`The new pod ${code(values.pod)} is scheduled to ${code(values.node)} and cannot start there without the volume ${code(values.volume)}.`
      : say`The new pod ${code(values.pod)} is scheduled to ${code(values.node)} and cannot start there without the volume ${code(values.volume)} (claim ${code(values.claim)}, ${names('en', values.modes)}).`,
  held: ({ volume, node, pods }: { volume: string; node: string; pods: readonly string[] }) =>
    say`${code(volume)} is attached to ${code(node)}, where ${names('en', pods)} ${word(pods.length === 1 ? 'uses' : 'use')} it: ${word(pods.length === 1 ? 'the old pod' : 'old pods')} of the same workload.`,
  'one-node': () =>
    say`This volume can be attached to one node at a time, and the scheduler ignores where it is attached.`,
  counterfactual: ({ pod, node, without }: { pod: string; node: string; without: readonly string[] }) =>
    say`Once ${names('en', without)} ${word(without.length === 1 ? 'is' : 'are')} gone, the volume moves to ${code(node)} and ${code(pod)} starts.`,
  'also-used': ({ pods, node }: { pods: readonly string[]; node: string }) =>
    say`Other pods on ${code(node)} also use the volume: ${names('en', pods)}. The volume stays there until they stop too.`,
  'event-gone': () =>
    say`Kubernetes reports this only once, and the event has expired. The objects still show it.`,
  'ev-waiting': ({ pod }: { pod: string }) => say`no container of ${code(pod)} was started`,
  'ev-attached': ({ volume, node }: { volume: string; node: string }) =>
    say`${code(volume)} is attached to ${code(node)}`,
  'ev-modes': ({ claim }: { claim: string }) => say`${code(claim)} can be used on one node only`,
  'ev-holder': ({ pod, volume }: { pod: string; volume: string }) =>
    say`${code(pod)} uses ${code(volume)} there`,
  'ev-event': () => say`the volume is not available on the new node`,
  'attachment-unseen': ({ volume }: { volume: string }) =>
    say`No VolumeAttachment of ${code(volume)} was found. The pods indicate that the volume is still attached to the old node.`,
  'because-attach-first': ({ volume }: { volume: string }) =>
    say`${code(volume)} is not attached yet, and mounting follows only after that`,
  'because-bound': ({ claim, volume }: { claim: string; volume: string }) =>
    say`the claim ${code(claim)} is bound to ${code(volume)}`,
  'because-never-started': ({ pod }: { pod: string }) => say`no container of ${code(pod)} was ever started`,
  'because-node-ready': ({ node }: { node: string }) => say`${code(node)} is in service`,
  /** Between the stop of the old pod and the start of the new one. */
  'then-moves': ({ volume, node, to }: { volume: string; node: string; to: string }) =>
    say`The volume ${code(volume)} is then detached from ${code(node)} and attached to ${code(to)}. The estimate does not include the detachment.`,
  'patch-withheld': ({ node }: { node: string }) =>
    say`The simulation does not show that the volume becomes free and the rollout completes when old pods stop first. Check which other pods use the volume on ${code(node)}.`,
  'delete-withheld': () =>
    say`The scheduler may place a replacement of the new pod on any node. The controller replaces a deleted old pod with another old pod at once.`,
  'next-attempt': ({ volume }: { volume: string }) =>
    say`The attach/detach controller keeps trying. The attachment fails as long as ${code(volume)} is in use on the other node.`,
  'advice-lasting': ({ workload }: { workload: string }) =>
    say`With a volume that only one node can use, the old pod of ${code(workload)} must always stop first. Set this in the manifest. Otherwise the next update deadlocks again when the scheduler chooses another node.`,
  'advice-shared-title': () => say`Or use storage that several nodes can use`,
  'advice-shared': () =>
    say`With a ReadWriteMany volume, the old and the new pod can run side by side, if the program allows it. A StatefulSet also stops the old pod first, and gives each replica its own volume.`,
  'advice-attachment-title': () => say`Do not delete the VolumeAttachment`,
  'advice-attachment': ({ node }: { node: string }) =>
    say`The old pod on ${code(node)} is still writing. Detaching the volume now may destroy data.`,
};

const ko: typeof en = {
  'shared-failure': () => say`볼륨이 다른 노드에 연결되어 있음`,
  summary: ({ volume, ...rest }) =>
    say`${deadlocked('ko', rest)}: 새 파드에 필요한 볼륨(${code(volume)})을 다른 노드의 이전 파드가 사용 중입니다`,
  waits: ({ pod, node, volume, claim, modes }) =>
    claim === ''
      ? say`새 파드(${code(pod)})가 ${code(node)} 노드에 배치되었지만 볼륨 ${code(volume)} 없이는 시작할 수 없습니다.`
      : say`새 파드(${code(pod)})가 ${code(node)} 노드에 배치되었지만 볼륨 ${code(volume)}(클레임 ${code(claim)}, ${names('ko', modes)}) 없이는 시작할 수 없습니다.`,
  held: ({ volume, node, pods }) =>
    say`이 볼륨(${code(volume)})은 ${code(node)} 노드에 연결되어 있고, 같은 워크로드의 이전 파드(${names('ko', pods)})가 사용 중입니다.`,
  'one-node': () =>
    say`이 볼륨은 한 번에 한 노드에만 연결할 수 있으며, 스케줄러는 볼륨이 연결된 위치를 고려하지 않습니다.`,
  counterfactual: ({ pod, node, without }) =>
    say`${names('ko', without)} 파드가 사라지면 볼륨이 ${code(node)} 노드로 옮겨지고 ${code(pod)} 파드가 시작됩니다.`,
  'also-used': ({ pods, node }) =>
    say`${code(node)} 노드의 다른 파드도 이 볼륨을 사용합니다: ${names('ko', pods)}. 이 파드들도 종료되어야 볼륨이 옮겨집니다.`,
  'event-gone': () =>
    say`Kubernetes는 이 상황을 이벤트로 한 번만 보고하며 그 이벤트는 만료되었습니다. 오브젝트에서는 여전히 확인됩니다.`,
  'ev-waiting': ({ pod }) => say`${code(pod)} 파드의 컨테이너가 하나도 시작되지 않음`,
  'ev-attached': ({ volume, node }) => say`${code(volume)} 볼륨이 ${code(node)} 노드에 연결됨`,
  'ev-modes': ({ claim }) => say`${code(claim)} 클레임은 한 노드에서만 사용할 수 있음`,
  'ev-holder': ({ pod, volume }) => say`${code(pod)} 파드가 그곳에서 ${code(volume)} 사용`,
  'ev-event': () => say`새 노드에서 볼륨을 사용할 수 없음`,
  'attachment-unseen': ({ volume }) =>
    say`${code(volume)} 볼륨의 VolumeAttachment를 찾지 못했습니다. 아직 이전 노드에 연결되어 있다는 것은 파드에서 추론한 내용입니다.`,
  'because-attach-first': ({ volume }) =>
    say`${code(volume)} 볼륨이 아직 연결되지 않았고, 마운트는 연결된 뒤에 진행됨`,
  'because-bound': ({ claim, volume }) => say`${code(claim)} 클레임은 ${code(volume)} 볼륨에 바인딩됨`,
  'because-never-started': ({ pod }) => say`${code(pod)} 파드의 컨테이너가 시작된 적 없음`,
  'because-node-ready': ({ node }) => say`${code(node)} 노드는 정상`,
  'then-moves': ({ volume, node, to }) =>
    say`그다음 볼륨 ${code(volume)}${particle(volume, '이', '가')} ${code(node)} 노드에서 분리되어 ${code(to)} 노드에 연결됩니다. 예상 시간에는 분리 시간이 포함되지 않습니다.`,
  'patch-withheld': ({ node }) =>
    say`시뮬레이션에서 이전 파드를 먼저 내려도 볼륨이 풀리고 롤아웃이 완료되는지 확인되지 않습니다. ${code(node)} 노드에서 볼륨을 사용하는 다른 파드를 확인하세요.`,
  'delete-withheld': () =>
    say`새 파드를 삭제해도 스케줄러가 다시 아무 노드에나 배치할 수 있습니다. 이전 파드를 삭제하면 곧바로 다른 이전 파드로 대체됩니다.`,
  'next-attempt': ({ volume }) =>
    say`attach/detach 컨트롤러가 계속 시도하지만, ${code(volume)} 볼륨이 다른 노드에서 사용되는 동안은 연결에 실패합니다.`,
  'advice-lasting': ({ workload }) =>
    say`한 노드에서만 쓸 수 있는 볼륨이 있으면 ${code(workload)} 이전 파드를 항상 먼저 내려야 합니다. 매니페스트에 설정하세요. 그러지 않으면 스케줄러가 다른 노드를 고를 때 다시 교착 상태가 됩니다.`,
  'advice-shared-title': () => say`또는 여러 노드에서 쓸 수 있는 스토리지로 바꾸기`,
  'advice-shared': () =>
    say`ReadWriteMany 볼륨을 쓰면 프로그램이 허용하는 한 이전 파드와 새 파드를 함께 실행할 수 있습니다. StatefulSet도 이전 파드를 먼저 내리며 복제본마다 별도의 볼륨을 제공합니다.`,
  'advice-attachment-title': () => say`VolumeAttachment를 삭제하지 않기`,
  'advice-attachment': ({ node }) =>
    say`${code(node)} 노드의 이전 파드가 아직 쓰기 작업을 하고 있습니다. 이 상태에서 볼륨을 분리하면 데이터가 손상될 수 있습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('volume-attach-deadlock');
