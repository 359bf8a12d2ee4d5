import type { SameSentences } from '../../../language/catalogue.js';
import type { Language } from '../../../language/language.js';
import { code, moment, type Prose, quote, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { duration, joined, names } from '../../../language/words.js';
import type { Lack } from './near-volumes.js';

const lackWords: { readonly [Each in Language]: { readonly [Key in Lack]: string } } = {
  en: {
    bound: 'belongs to another claim',
    released: 'is Released: it still belongs to a claim that was deleted',
    class: 'is of another storage class',
    size: 'is too small',
    'access-mode': 'lacks an access mode',
    'volume-mode': 'has another volume mode',
    selector: "does not match the claim's selector",
    deleting: 'is being deleted',
  },
  ko: {
    bound: '다른 클레임의 것',
    released: 'Released 상태(삭제된 클레임의 것으로 남아 있음)',
    class: '스토리지 클래스가 다름',
    size: '너무 작음',
    'access-mode': '접근 모드가 부족함',
    'volume-mode': '볼륨 모드가 다름',
    selector: '클레임의 셀렉터와 맞지 않음',
    deleting: '삭제 중',
  },
};

function lacking(language: Language, lacks: readonly Lack[]): Prose {
  return joined(
    language,
    lacks.map((lack) => word(lackWords[language][lack])),
  );
}

const en = {
  'summary-missing': ({ workload, claim }: { readonly workload: string; readonly claim: string }) =>
    say`${code(workload)} waits for the claim ${code(claim)}, which does not exist`,
  'summary-unbound': ({ workload, claim }: { readonly workload: string; readonly claim: string }) =>
    say`${code(workload)} waits for a volume that ${code(claim)} does not get`,
  'summary-lost': ({ workload, claim }: { readonly workload: string; readonly claim: string }) =>
    say`${code(workload)} waits for ${code(claim)}, whose volume is gone`,
  'summary-said': ({ workload }: { readonly workload: string }) => say`${code(workload)} waits for a volume`,
  standing: ({ ready, wanted }: { readonly ready: number; readonly wanted: number }) =>
    ready === 0
      ? say`No pod of ${wanted} is ready.`
      : say`${ready} of ${wanted} pods are ready; the rest waits for its volume.`,
  waits: ({ pod, waiting }: { readonly pod: string; readonly waiting: number }) =>
    waiting === 1
      ? say`${code(pod)} cannot be placed: the scheduler looks at a pod's claims before it looks at nodes.`
      : say`${waiting} pods cannot be placed, ${code(pod)} among them: the scheduler looks at a pod's claims before it looks at nodes.`,
  missing: ({ claim, namespace }: { readonly claim: string; readonly namespace: string }) =>
    say`It names the claim ${code(claim)}, and there is none of that name in ${code(namespace)}.`,
  'missing-ephemeral': ({ claim }: { readonly claim: string }) =>
    say`The claim ${code(claim)} of its ephemeral volume has not been created.`,
  deleting: ({ claim, since }: { readonly claim: string; readonly since: string }) =>
    say`The claim ${code(claim)} has been marked for deletion since ${moment(since)}: no new pod may use it.`,
  lost: ({ claim, volume }: { readonly claim: string; readonly volume: string }) =>
    say`The claim ${code(claim)} was bound to ${code(volume)}, and that volume no longer exists.`,
  named: ({ claim, volume }: { readonly claim: string; readonly volume: string }) =>
    say`The claim ${code(claim)} asks for the volume ${code(volume)} by name.`,
  'named-missing': ({ claim, volume }: { readonly claim: string; readonly volume: string }) =>
    say`The claim ${code(claim)} asks for the volume ${code(volume)} by name, and there is none of that name.`,
  'class-missing': ({
    claim,
    className,
    known,
  }: {
    readonly claim: string;
    readonly className: string;
    readonly known: readonly string[];
  }) =>
    known.length === 0
      ? say`The claim ${code(claim)} asks for the storage class ${code(className)}, which does not exist.`
      : say`The claim ${code(claim)} asks for the storage class ${code(className)}, which does not exist. There are: ${names('en', known)}.`,
  'no-class': ({ claim }: { readonly claim: string }) =>
    say`The claim ${code(claim)} names no storage class, the cluster gave it no default one, and no existing volume suits it.`,
  'no-volume': ({
    claim,
    className,
    size,
  }: {
    readonly claim: string;
    readonly className: string;
    readonly size: string;
  }) =>
    className === ''
      ? say`The claim ${code(claim)} (${code(size)}) takes only volumes that somebody made by hand, and none of them suits it.`
      : say`Nothing provisions volumes of the class ${code(className)}, and no existing one suits the claim ${code(claim)} (${code(size)}).`,
  'no-volume-on-nodes': ({ claim, className }: { readonly claim: string; readonly className: string }) =>
    say`There are volumes of the class ${code(className)} that suit the claim ${code(claim)}, but not on a node that may take the pod.`,
  near: ({ volume, lacks }: { readonly volume: string; readonly lacks: readonly Lack[] }) =>
    say`${code(volume)} ${lacking('en', lacks)}.`,
  'provisioning-failed': ({
    claim,
    provisioner,
    message,
  }: {
    readonly claim: string;
    readonly provisioner: string;
    readonly message: string;
  }) =>
    provisioner === ''
      ? say`Making a volume for ${code(claim)} failed: ${quote(message)}`
      : say`${code(provisioner)} cannot make a volume for ${code(claim)}: ${quote(message)}`,
  silent: ({
    claim,
    provisioner,
    seconds,
  }: {
    readonly claim: string;
    readonly provisioner: string;
    readonly seconds: number;
  }) =>
    say`The claim ${code(claim)} has waited ${duration('en', seconds)} for ${code(provisioner)}, which says nothing: it may not be running.`,
  said: ({ text: sentence }: { readonly text: string }) => say`The scheduler says ${quote(sentence)}`,
  also: ({ claims }: { readonly claims: readonly string[] }) =>
    say`The same goes for ${names('en', claims)}.`,
  'ev-unschedulable': ({ pod }: { readonly pod: string }) => say`the scheduler refuses ${code(pod)}`,
  'ev-claim': ({ claim }: { readonly claim: string }) => say`${code(claim)} is not bound to a usable volume`,
  'ev-event': ({ claim }: { readonly claim: string }) => say`said about ${code(claim)}`,
  unconfirmed: () =>
    say`Neither the scheduler nor the volume controller has said so yet; it is concluded from the objects.`,
  'claims-unread': ({ because }: { readonly because: string }) =>
    say`Claims could not be read (${code(because)}), so which one and why is not known.`,
  'because-not-waiting': ({ claim }: { readonly claim: string }) =>
    say`${code(claim)} does not merely wait for its first consumer, nor is its volume being made`,
  'because-before-nodes': () => say`claims are looked at before any node is`,
  'because-no-node-yet': ({ pod }: { readonly pod: string }) =>
    say`${code(pod)} has no node, so nothing is attached for it`,
  'restart-withheld': ({ claim }: { readonly claim: string }) => say`New pods name ${code(claim)} too.`,
  'delete-withheld': ({ claim }: { readonly claim: string }) =>
    say`Its successor waits for ${code(claim)} in the same way.`,
  'patch-withheld': () => say`No old pod is in the way of the volume.`,
  'next-attempt': () => say`The scheduler tries again as soon as a claim, volume or storage class changes.`,
  'advice-create-title': () => say`Create the claim`,
  'advice-create': ({ claim }: { readonly claim: string }) =>
    say`Or correct the name in the pod template, if ${code(claim)} is a slip of the pen.`,
  'advice-class-title': () => say`Give the claim a class that exists`,
  'advice-class': ({ claim }: { readonly claim: string }) =>
    say`A claim's class cannot be changed: delete ${code(claim)}, which holds no data yet, and create it again; or create the class.`,
  'advice-default-title': () => say`Name a class, or make one the default`,
  'advice-default': () => say`Claims that wait without a class get the default one as soon as there is one.`,
  'advice-released-title': ({ volume }: { readonly volume: string }) => say`Give ${code(volume)} free`,
  'advice-released': ({ volume }: { readonly volume: string }) =>
    say`Look at the data on ${code(volume)} first: the next claim that binds it sees them.`,
  'advice-volume-title': () => say`Provide a volume`,
  'advice-volume': ({ claim }: { readonly claim: string }) =>
    say`${code(claim)} takes a PersistentVolume of its class, at least its size, with its access modes, that no other claim has.`,
  'advice-provisioner-title': () => say`Look at the provisioner`,
  'advice-provisioner': ({ provisioner }: { readonly provisioner: string }) =>
    say`Look at the pods and the log of ${code(provisioner)}, and at quota and permissions with the storage provider.`,
  'advice-lost-title': () => say`Restore the volume`,
  'advice-lost': ({ claim, volume }: { readonly claim: string; readonly volume: string }) =>
    say`If the disk behind ${code(volume)} still exists, create the PersistentVolume for it again; else delete ${code(claim)}, and restore from a backup into a new one.`,
  'advice-deleting-title': () => say`Wait for the old claim to go`,
  'advice-deleting': ({ claim }: { readonly claim: string }) =>
    say`${code(claim)} goes when the last pod that uses it is gone; then create it again. Its data may go with it.`,
};

const ko: SameSentences<typeof en> = {
  'summary-missing': ({ workload, claim }) =>
    say`${code(workload)} 파드가 존재하지 않는 클레임 ${code(claim)}을 기다리고 있습니다`,
  'summary-unbound': ({ workload, claim }) =>
    say`${code(workload)} 파드가 기다리는 ${code(claim)} 클레임에 볼륨이 없습니다`,
  'summary-lost': ({ workload, claim }) =>
    say`${code(workload)} 파드가 기다리는 ${code(claim)} 클레임의 볼륨이 사라졌습니다`,
  'summary-said': ({ workload }) => say`${code(workload)} 파드가 볼륨을 기다리고 있습니다`,
  standing: ({ ready, wanted }) =>
    ready === 0
      ? say`파드 ${wanted}개 중 준비된 것이 없습니다.`
      : say`파드 ${wanted}개 중 ${ready}개가 준비되었고, 나머지는 볼륨을 기다립니다.`,
  waits: ({ pod, waiting }) =>
    waiting === 1
      ? say`${code(pod)} 파드를 배치할 수 없습니다. 스케줄러는 노드보다 클레임을 먼저 봅니다.`
      : say`${code(pod)} 등 파드 ${waiting}개를 배치할 수 없습니다. 스케줄러는 노드보다 클레임을 먼저 봅니다.`,
  missing: ({ claim, namespace }) =>
    say`파드가 클레임 ${code(claim)}을 지정했지만 ${code(namespace)}에 그런 이름의 클레임이 없습니다.`,
  'missing-ephemeral': ({ claim }) => say`임시 볼륨의 클레임 ${code(claim)}이 아직 만들어지지 않았습니다.`,
  deleting: ({ claim, since }) =>
    say`클레임 ${code(claim)}은 ${moment(since)}부터 삭제 중이라 새 파드가 쓸 수 없습니다.`,
  lost: ({ claim, volume }) => say`클레임 ${code(claim)}이 바인딩된 볼륨 ${code(volume)}이 더 이상 없습니다.`,
  named: ({ claim, volume }) => say`클레임 ${code(claim)}은 볼륨 ${code(volume)}을 이름으로 지정했습니다.`,
  'named-missing': ({ claim, volume }) =>
    say`클레임 ${code(claim)}이 이름으로 지정한 볼륨 ${code(volume)}이 없습니다.`,
  'class-missing': ({ claim, className, known }) =>
    known.length === 0
      ? say`클레임 ${code(claim)}이 요청하는 스토리지 클래스 ${code(className)}가 없습니다.`
      : say`클레임 ${code(claim)}이 요청하는 스토리지 클래스 ${code(className)}가 없습니다. 있는 클래스: ${names('ko', known)}.`,
  'no-class': ({ claim }) =>
    say`클레임 ${code(claim)}에 스토리지 클래스가 없고, 기본 클래스도 주어지지 않았으며, 맞는 기존 볼륨도 없습니다.`,
  'no-volume': ({ claim, className, size }) =>
    className === ''
      ? say`클레임 ${code(claim)}(${code(size)})은 직접 만든 볼륨만 받는데, 맞는 것이 없습니다.`
      : say`클래스 ${code(className)} 볼륨은 자동으로 만들어지지 않고, 클레임 ${code(claim)}(${code(size)})에 맞는 기존 볼륨이 없습니다.`,
  'no-volume-on-nodes': ({ claim, className }) =>
    say`클레임 ${code(claim)}에 맞는 클래스 ${code(className)} 볼륨은 있지만, 파드가 갈 수 있는 노드에는 없습니다.`,
  near: ({ volume, lacks }) => say`${code(volume)}: ${lacking('ko', lacks)}.`,
  'provisioning-failed': ({ claim, provisioner, message }) =>
    provisioner === ''
      ? say`${code(claim)} 볼륨 생성 실패: ${quote(message)}`
      : say`${code(provisioner)} 프로비저너가 ${code(claim)} 볼륨을 만들지 못합니다: ${quote(message)}`,
  silent: ({ claim, provisioner, seconds }) =>
    say`클레임 ${code(claim)}이 ${duration('ko', seconds)}째 ${code(provisioner)} 프로비저너를 기다리는데 아무 응답이 없습니다. 실행 중이 아닐 수 있습니다.`,
  said: ({ text: sentence }) => say`스케줄러의 말: ${quote(sentence)}`,
  also: ({ claims }) => say`같은 상태인 클레임: ${names('ko', claims)}.`,
  'ev-unschedulable': ({ pod }) => say`스케줄러가 ${code(pod)} 거부`,
  'ev-claim': ({ claim }) => say`${code(claim)}에 쓸 수 있는 볼륨이 바인딩되지 않음`,
  'ev-event': ({ claim }) => say`${code(claim)}에 대한 이벤트`,
  unconfirmed: () => say`스케줄러도 볼륨 컨트롤러도 아직 그렇게 말하지 않았으며, 객체에서 추론한 것입니다.`,
  'claims-unread': ({ because }) =>
    say`클레임을 읽지 못해(${code(because)}) 어떤 클레임이 왜 그런지는 알 수 없습니다.`,
  'because-not-waiting': ({ claim }) => say`${code(claim)}은 첫 사용자를 기다리거나 볼륨을 만드는 중이 아님`,
  'because-before-nodes': () => say`노드보다 클레임을 먼저 봄`,
  'because-no-node-yet': ({ pod }) => say`${code(pod)}에 노드가 없어 연결된 볼륨도 없음`,
  'restart-withheld': ({ claim }) => say`새 파드도 ${code(claim)}을 지정합니다.`,
  'delete-withheld': ({ claim }) => say`다음 파드도 똑같이 ${code(claim)}을 기다립니다.`,
  'patch-withheld': () => say`이전 파드가 볼륨을 막고 있는 것이 아닙니다.`,
  'next-attempt': () =>
    say`클레임, 볼륨, 스토리지 클래스 중 하나가 바뀌면 스케줄러가 곧바로 다시 시도합니다.`,
  'advice-create-title': () => say`클레임 만들기`,
  'advice-create': ({ claim }) => say`${code(claim)}이 오타라면 파드 템플릿의 이름을 고치세요.`,
  'advice-class-title': () => say`존재하는 클래스 지정하기`,
  'advice-class': ({ claim }) =>
    say`클레임의 클래스는 바꿀 수 없습니다. 아직 데이터가 없는 ${code(claim)}을 지우고 다시 만들거나, 그 클래스를 만드세요.`,
  'advice-default-title': () => say`클래스를 지정하거나 기본 클래스 정하기`,
  'advice-default': () => say`기본 클래스가 생기면 클래스 없이 기다리던 클레임에도 적용됩니다.`,
  'advice-released-title': ({ volume }) => say`${code(volume)} 풀어 주기`,
  'advice-released': ({ volume }) =>
    say`먼저 ${code(volume)}의 데이터를 확인하세요. 다음에 바인딩되는 클레임이 그 데이터를 보게 됩니다.`,
  'advice-volume-title': () => say`볼륨 마련하기`,
  'advice-volume': ({ claim }) =>
    say`${code(claim)}에는 같은 클래스, 요청 이상의 크기, 같은 접근 모드를 갖고 다른 클레임이 쓰지 않는 PersistentVolume이 필요합니다.`,
  'advice-provisioner-title': () => say`프로비저너 확인하기`,
  'advice-provisioner': ({ provisioner }) =>
    say`${code(provisioner)} 파드와 로그, 스토리지 업체의 한도와 권한을 확인하세요.`,
  'advice-lost-title': () => say`볼륨 복구하기`,
  'advice-lost': ({ claim, volume }) =>
    say`${code(volume)} 뒤의 디스크가 남아 있다면 PersistentVolume을 다시 만들고, 없다면 ${code(claim)}을 지운 뒤 백업에서 새 클레임으로 복구하세요.`,
  'advice-deleting-title': () => say`이전 클레임이 사라지기를 기다리기`,
  'advice-deleting': ({ claim }) =>
    say`${code(claim)}은 쓰고 있는 마지막 파드가 없어지면 삭제됩니다. 그다음 다시 만드세요. 데이터도 함께 사라질 수 있습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('volume-unbound');
