import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { names } from '../../../language/words.js';

const en = {
  summary: ({ workload, volume }: { readonly workload: string; readonly volume: string }) =>
    say`${code(workload)} waits for itself to let go of ${code(volume)}`,
  waits: ({
    pod,
    node,
    volume,
    claim,
    modes,
  }: {
    readonly pod: string;
    readonly node: string;
    readonly volume: string;
    readonly claim: string;
    readonly modes: readonly string[];
  }) =>
    claim === ''
      ? say`The new pod ${code(pod)} has its node, ${code(node)}, and cannot start there without the volume ${code(volume)}.`
      : say`The new pod ${code(pod)} has its node, ${code(node)}, and cannot start there without the volume ${code(volume)} (claim ${code(claim)}, ${names('en', modes)}).`,
  held: ({
    volume,
    node,
    pods,
  }: {
    readonly volume: string;
    readonly node: string;
    readonly pods: readonly string[];
  }) =>
    say`${code(volume)} is on ${code(node)}, where ${names('en', pods)} ${word(pods.length === 1 ? 'uses' : 'use')} it: ${word(pods.length === 1 ? 'the old pod' : 'old pods')} of this same workload.`,
  'one-node': () =>
    say`Such a volume can be on one node at a time, and the scheduler does not look at where it is.`,
  counterfactual: ({
    pod,
    node,
    without,
  }: {
    readonly pod: string;
    readonly node: string;
    readonly without: readonly string[];
  }) =>
    say`Once ${names('en', without)} ${word(without.length === 1 ? 'is' : 'are')} gone, the volume moves to ${code(node)} and ${code(pod)} starts.`,
  'also-used': ({ pods, node }: { readonly pods: readonly string[]; readonly node: string }) =>
    say`Other pods on ${code(node)} use it too: ${names('en', pods)}. It stays there as long as they do.`,
  'event-gone': () =>
    say`Kubernetes reports this once, and that event has expired; the objects still show it.`,
  'ev-waiting': ({ pod }: { readonly pod: string }) => say`no container of ${code(pod)} was started`,
  'ev-attached': ({ volume, node }: { readonly volume: string; readonly node: string }) =>
    say`${code(volume)} is attached to ${code(node)}`,
  'ev-modes': ({ claim }: { readonly claim: string }) => say`${code(claim)} may be used on one node only`,
  'ev-holder': ({ pod, volume }: { readonly pod: string; readonly volume: string }) =>
    say`${code(pod)} uses ${code(volume)} there`,
  'ev-event': () => say`the volume cannot be had on the new node`,
  'attachment-unseen': ({ volume }: { readonly volume: string }) =>
    say`No VolumeAttachment of ${code(volume)} was seen; that it is still attached to the old node is concluded from the pods.`,
  'because-attach-first': ({ volume }: { readonly volume: string }) =>
    say`${code(volume)} is not attached yet; mounting comes after that`,
  'because-bound': ({ claim, volume }: { readonly claim: string; readonly volume: string }) =>
    say`the claim ${code(claim)} is bound to ${code(volume)}`,
  'because-never-started': ({ pod }: { readonly pod: string }) => say`no container of ${code(pod)} ever ran`,
  'because-node-ready': ({ node }: { readonly node: string }) => say`${code(node)} is in service`,
  'patch-withheld': ({ node }: { readonly node: string }) =>
    say`Stopping the old pods does not free the volume, or the engines cannot see it end well: look at who else uses it on ${code(node)}.`,
  'delete-withheld': () =>
    say`A new pod goes where the scheduler likes, perhaps to the right node, perhaps not; the old pod would be replaced by another old one at once.`,
  'next-attempt': ({ volume }: { readonly volume: string }) =>
    say`The attach/detach controller keeps trying, and is refused as long as ${code(volume)} is in use elsewhere.`,
  'advice-lasting': ({ workload }: { readonly workload: string }) =>
    say`With a volume for one node, the old pod of ${code(workload)} must always go first. Put that into the manifest; otherwise the next update hangs again whenever the scheduler picks another node.`,
  'advice-shared-title': () => say`Or give it storage that several nodes can use`,
  'advice-shared': () =>
    say`With a ReadWriteMany volume old and new pod can run side by side, if the program allows it. A StatefulSet takes the old pod first as well, and gives each replica its own volume.`,
  'advice-attachment-title': () => say`Do not delete the VolumeAttachment`,
  'advice-attachment': ({ node }: { readonly node: string }) =>
    say`The old pod on ${code(node)} is still writing: detaching under it may destroy data.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, volume }) =>
    say`${code(workload)} 롤아웃이 ${code(volume)} 볼륨을 쥔 자기 자신을 기다리고 있습니다`,
  waits: ({ pod, node, volume, claim, modes }) =>
    claim === ''
      ? say`새 파드 ${code(pod)}는 ${code(node)}에 배치되었지만 볼륨 ${code(volume)} 없이는 시작할 수 없습니다.`
      : say`새 파드 ${code(pod)}는 ${code(node)}에 배치되었지만 볼륨 ${code(volume)}(클레임 ${code(claim)}, ${names('ko', modes)}) 없이는 시작할 수 없습니다.`,
  held: ({ volume, node, pods }) =>
    say`볼륨 ${code(volume)}은 ${code(node)}에 있고, 그곳에서 같은 워크로드의 이전 파드 ${names('ko', pods)}가 쓰고 있습니다.`,
  'one-node': () =>
    say`이런 볼륨은 한 번에 한 노드에만 연결되며, 스케줄러는 볼륨이 어디에 있는지 보지 않습니다.`,
  counterfactual: ({ pod, node, without }) =>
    say`${names('ko', without)} 파드가 없어지면 볼륨이 ${code(node)}(으)로 옮겨가고 ${code(pod)}가 시작됩니다.`,
  'also-used': ({ pods, node }) =>
    say`${code(node)}의 다른 파드도 이 볼륨을 씁니다: ${names('ko', pods)}. 이 파드들이 있는 동안 볼륨은 그대로입니다.`,
  'event-gone': () =>
    say`Kubernetes는 이 사실을 한 번만 알리고 그 이벤트는 만료되었지만, 객체에는 그대로 남아 있습니다.`,
  'ev-waiting': ({ pod }) => say`${code(pod)} 컨테이너가 하나도 시작되지 않음`,
  'ev-attached': ({ volume, node }) => say`${code(volume)} 볼륨이 ${code(node)}에 연결됨`,
  'ev-modes': ({ claim }) => say`${code(claim)} 클레임은 한 노드에서만 쓸 수 있음`,
  'ev-holder': ({ pod, volume }) => say`${code(pod)} 파드가 그곳에서 ${code(volume)} 사용`,
  'ev-event': () => say`새 노드에서는 볼륨을 쓸 수 없음`,
  'attachment-unseen': ({ volume }) =>
    say`${code(volume)}의 VolumeAttachment를 보지 못했습니다. 아직 이전 노드에 연결되어 있다는 것은 파드에서 추론했습니다.`,
  'because-attach-first': ({ volume }) => say`${code(volume)} 볼륨이 아직 연결되지 않음. 마운트는 그다음`,
  'because-bound': ({ claim, volume }) => say`클레임 ${code(claim)}은 ${code(volume)}에 바인딩됨`,
  'because-never-started': ({ pod }) => say`${code(pod)} 컨테이너가 실행된 적 없음`,
  'because-node-ready': ({ node }) => say`${code(node)} 노드는 정상`,
  'patch-withheld': ({ node }) =>
    say`이전 파드를 내려도 볼륨이 풀리지 않거나 끝까지 진행되는 것을 확인할 수 없습니다. ${code(node)}에서 또 누가 쓰는지 확인하세요.`,
  'delete-withheld': () =>
    say`새 파드는 스케줄러가 고르는 아무 노드로나 가고, 이전 파드는 곧바로 다른 이전 파드로 대체됩니다.`,
  'next-attempt': ({ volume }) =>
    say`attach/detach 컨트롤러가 계속 시도하지만 ${code(volume)} 볼륨이 다른 곳에서 쓰이는 동안은 거부됩니다.`,
  'advice-lasting': ({ workload }) =>
    say`한 노드용 볼륨을 쓰는 ${code(workload)}는 언제나 이전 파드가 먼저 내려가야 합니다. 매니페스트에도 넣으세요. 그러지 않으면 스케줄러가 다른 노드를 고를 때마다 다시 멈춥니다.`,
  'advice-shared-title': () => say`또는 여러 노드가 쓸 수 있는 스토리지로 바꾸기`,
  'advice-shared': () =>
    say`ReadWriteMany 볼륨이면 프로그램이 허용하는 한 두 파드가 함께 실행됩니다. StatefulSet도 이전 파드를 먼저 내리며 복제본마다 자기 볼륨을 줍니다.`,
  'advice-attachment-title': () => say`VolumeAttachment를 지우지 마세요`,
  'advice-attachment': ({ node }) =>
    say`${code(node)}의 이전 파드가 아직 쓰고 있습니다. 그 상태로 분리하면 데이터가 손상될 수 있습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('volume-attach-deadlock');
