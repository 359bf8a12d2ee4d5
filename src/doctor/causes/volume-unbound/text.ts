import type { Language } from '../../../engine/language/language.js';
import { code, moment, type Prose, quote, say, sentences, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { counted, elapsed, joined, names } from '../../../engine/language/words.js';
import type { Lack } from './near-volumes.js';

const lackWords: { readonly [Each in Language]: { readonly [Key in Lack]: string } } = {
  en: {
    bound: 'is bound to another claim',
    released: 'is Released: it is still reserved for a deleted claim',
    class: 'has another storage class',
    size: 'is too small',
    'access-mode': 'lacks an access mode',
    'volume-mode': 'has another volume mode',
    selector: "does not match the claim's selector",
    deleting: 'is being deleted',
  },
  ko: {
    bound: '다른 클레임에 바인딩됨',
    released: 'Released 상태(삭제된 클레임에 예약되어 있음)',
    class: '스토리지 클래스가 다름',
    size: '크기가 부족함',
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
  'shared-failure': () => say`a volume claim is not bound`,
  'summary-missing': ({ workload, claim }: { workload: string; claim: string }) =>
    say`${code(workload)} cannot start: the claim ${code(claim)} does not exist`,
  'summary-unbound': ({ workload, claim }: { workload: string; claim: string }) =>
    say`${code(workload)} cannot start: the claim ${code(claim)} has no volume`,
  'summary-lost': ({ workload, claim }: { workload: string; claim: string }) =>
    say`${code(workload)} cannot start: the volume of the claim ${code(claim)} is gone`,
  'summary-said': ({ workload }: { workload: string }) =>
    say`${code(workload)} cannot start: a pod has no usable volume`,
  standing: ({ ready, wanted }: { ready: number; wanted: number }) =>
    ready >= wanted
      ? say`The pending pod waits for a volume.`
      : say`${counted(wanted - ready, 'pod waits', 'pods wait')} for a volume.`,
  waits: ({ pod, waiting }: { pod: string; waiting: number }) =>
    waiting === 1
      ? say`${code(pod)} is pending. The scheduler checks the claims of a pod before any node.`
      : say`${waiting} pods are pending, including ${code(pod)}. The scheduler checks the claims of a pod before any node.`,
  'waits-for-claim': ({ pod, waiting }: { pod: string; waiting: number }) =>
    waiting === 1 ? say`${code(pod)} is pending.` : say`${waiting} pods are pending, including ${code(pod)}.`,
  missing: ({ claim, namespace }: { claim: string; namespace: string }) =>
    say`The pod uses the claim ${code(claim)}, which does not exist in namespace ${code(namespace)}.`,
  'missing-ephemeral': ({ claim }: { claim: string }) =>
    say`The claim ${code(claim)} of the pod's ephemeral volume has not been created.`,
  'not-owned': ({ claim, pod, owner }: { claim: string; pod: string; owner: string | undefined }) =>
    sentences(
      say`The claim of an ephemeral volume is named after its pod and its volume. A claim ${code(claim)} exists and was not made for ${code(pod)}, so Kubernetes does not use it.`,
      owner === undefined ? [] : say`It belongs to ${code(owner)}.`,
    ),
  deleting: ({ claim, since }: { claim: string; since: string }) =>
    say`The claim ${code(claim)} has been terminating since ${moment(since)}, so no new pod can use it.`,
  lost: ({ claim, volume }: { claim: string; volume: string }) =>
    say`The claim ${code(claim)} was bound to ${code(volume)}, which no longer exists.`,
  named: ({ claim, volume }: { claim: string; volume: string }) =>
    say`The claim ${code(claim)} requires the volume ${code(volume)} by name.`,
  'named-missing': ({ claim, volume }: { claim: string; volume: string }) =>
    say`The claim ${code(claim)} requires the volume ${code(volume)} by name, which does not exist.`,
  'class-missing': (values: { claim: string; className: string; known: readonly string[] }) =>
    values.known.length === 0
      ? say`The claim ${code(values.claim)} requests the storage class ${code(values.className)}, which does not exist.`
      : say`The claim ${code(values.claim)} requests the storage class ${code(values.className)}, which does not exist. Available: ${names('en', values.known)}.`,
  'no-class': ({ claim }: { claim: string }) =>
    say`The claim ${code(claim)} names no storage class and got no default class. No existing volume matches it.`,
  'no-volume': ({ claim, className, size }: { claim: string; className: string; size: string }) =>
    className === ''
      ? say`The claim ${code(claim)} (${code(size)}) accepts only manually created volumes, and none of them matches.`
      : say`No provisioner creates volumes of the class ${code(className)}, and no existing volume matches the claim ${code(claim)} (${code(size)}).`,
  'no-volume-on-nodes': ({ claim, className }: { claim: string; className: string }) =>
    say`Volumes of the class ${code(className)} match the claim ${code(claim)}, but none is on a node that can run the pod.`,
  near: ({ volume, lacks }: { volume: string; lacks: readonly Lack[] }) =>
    say`${code(volume)} ${lacking('en', lacks)}.`,
  'provisioning-failed': (values: { claim: string; provisioner: string; message: string }) =>
    values.provisioner === ''
      ? say`Provisioning a volume for ${code(values.claim)} failed: ${quote(values.message)}`
      : say`${code(values.provisioner)} cannot provision a volume for ${code(values.claim)}: ${quote(values.message)}`,
  silent: ({ claim, provisioner, seconds }: { claim: string; provisioner: string; seconds: number }) =>
    say`The claim ${code(claim)} has been waiting ${elapsed('en', seconds)} for ${code(provisioner)}, which has not responded. The provisioner may not be running.`,
  unfinished: ({ claim, provisioner, seconds }: { claim: string; provisioner: string; seconds: number }) =>
    say`${code(provisioner)} began to create the volume of ${code(claim)}. For ${elapsed('en', seconds)} the claim has waited for it, without an error.`,
  chosen: ({ node }: { node: string }) =>
    say`The scheduler chose ${code(node)}, and binds the pod to it only when the claim has its volume.`,
  said: ({ text: sentence }: { text: string }) => say`The scheduler reports: ${quote(sentence)}`,
  also: ({ claims }: { claims: readonly string[] }) => say`The same applies to ${names('en', claims)}.`,
  'ev-unschedulable': ({ pod }: { pod: string }) => say`the scheduler refuses ${code(pod)}`,
  'ev-claim': ({ claim }: { claim: string }) => say`${code(claim)} is not bound to a usable volume`,
  'ev-event': ({ claim }: { claim: string }) => say`event about ${code(claim)}`,
  unconfirmed: () =>
    say`This follows from the objects. Neither the scheduler nor the volume controller has reported it yet.`,
  'claims-unread': ({ because }: { because: string }) =>
    say`Claims could not be read (${code(because)}), so the claim and the reason are unknown.`,
  'because-not-waiting': ({ claim }: { claim: string }) =>
    say`${code(claim)} is not waiting for its first consumer, and its volume is not being provisioned`,
  'because-before-nodes': () => say`the scheduler checks claims before it checks nodes`,
  'because-node-chosen': ({ node }: { node: string }) =>
    say`the scheduler has chosen ${code(node)} for the pod`,
  'because-no-node-yet': ({ pod }: { pod: string }) =>
    say`${code(pod)} has no node, so no volume is attached for it`,
  'restart-withheld': ({ claim }: { claim: string }) => say`New pods use ${code(claim)} too.`,
  'delete-withheld': ({ claim }: { claim: string }) => say`The replacement needs ${code(claim)} too.`,
  'patch-withheld': () => say`No old pod blocks the volume.`,
  'next-attempt': () => say`The scheduler retries when a claim, volume or storage class changes.`,
  'next-attempt-chosen': () =>
    say`The scheduler binds the pod when the volume exists. After ten minutes by default it chooses a node again.`,
  'quota-used-up': ({ quotas }: { quotas: readonly string[] }) =>
    say`The quota of the namespace allows no further claim: ${names('en', quotas)}.`,
  'advice-quota-title': () => say`Make room in the quota`,
  'advice-quota': ({ quotas }: { quotas: readonly string[] }) =>
    say`Delete claims that are no longer needed, or raise ${names('en', quotas)}. The controller then creates the claim.`,
  'advice-ephemeral-title': () => say`Find out why the claim is not created`,
  'advice-ephemeral': ({ claim }: { claim: string }) =>
    say`kube-controller-manager creates ${code(claim)} for the pod. Read the events of the pod for a refusal. A claim created by hand is not used.`,
  'advice-create-title': () => say`Create the claim`,
  'advice-create': ({ claim }: { claim: string }) =>
    say`If ${code(claim)} is a typo, correct the name in the pod template instead.`,
  'advice-class-title': () => say`Use a storage class that exists`,
  'advice-class': ({ claim }: { claim: string }) =>
    say`The class of a claim cannot be changed. Delete ${code(claim)}, which holds no data yet, and create it again, or create the class.`,
  'advice-default-title': () => say`Set a class, or define a default class`,
  'advice-default': () => say`Once a default class exists, Kubernetes assigns it to claims without a class.`,
  'advice-released-title': ({ volume }: { volume: string }) => say`Release ${code(volume)}`,
  'advice-released': ({ volume }: { volume: string }) =>
    say`Check the data on ${code(volume)} first. The next claim that binds the volume can read it.`,
  'advice-volume-title': () => say`Provide a volume`,
  'advice-volume': ({ claim }: { claim: string }) =>
    say`${code(claim)} needs a PersistentVolume of its class, of at least its size, with its access modes, that is not bound to another claim.`,
  'advice-provisioner-title': () => say`Check the provisioner`,
  'advice-provisioner': ({ provisioner }: { provisioner: string }) =>
    say`Check the pods and logs of ${code(provisioner)}, and quota and permissions at the storage provider.`,
  'advice-lost-title': () => say`Restore the volume`,
  'advice-lost': ({ claim, volume }: { claim: string; volume: string }) =>
    say`If the disk behind ${code(volume)} still exists, create its PersistentVolume again. Otherwise delete ${code(claim)} and restore a backup into a new claim.`,
  'advice-owner-title': () => say`Rename the volume in the pod template`,
  'advice-owner': ({ claim }: { claim: string }) =>
    say`The claim then gets a name of its own. Or delete ${code(claim)}, if its data are no longer needed.`,
  'advice-deleting-title': () => say`Wait until the old claim is gone`,
  'advice-deleting': ({ claim }: { claim: string }) =>
    say`Kubernetes removes ${code(claim)} when the last pod that uses it is gone. Then create the claim again. Its data may be deleted with it.`,
};

const ko: typeof en = {
  'shared-failure': () => say`볼륨 클레임이 바인딩되지 않음`,
  'summary-missing': ({ workload, claim }) =>
    say`${code(workload)} 파드를 시작할 수 없습니다: 클레임(${code(claim)})이 존재하지 않습니다`,
  'summary-unbound': ({ workload, claim }) =>
    say`${code(workload)} 파드를 시작할 수 없습니다: 클레임(${code(claim)})에 볼륨이 없습니다`,
  'summary-lost': ({ workload, claim }) =>
    say`${code(workload)} 파드를 시작할 수 없습니다: 클레임(${code(claim)})의 볼륨이 사라졌습니다`,
  'summary-said': ({ workload }) =>
    say`${code(workload)} 파드를 시작할 수 없습니다: 사용할 수 있는 볼륨이 없습니다`,
  standing: ({ ready, wanted }) =>
    ready >= wanted
      ? say`Pending 상태인 파드가 볼륨을 기다립니다.`
      : say`파드 ${wanted - ready}개가 볼륨을 기다립니다.`,
  waits: ({ pod, waiting }) =>
    waiting === 1
      ? say`${code(pod)} 파드가 Pending 상태입니다. 스케줄러는 노드보다 클레임을 먼저 확인합니다.`
      : say`${code(pod)} 등 파드 ${waiting}개가 Pending 상태입니다. 스케줄러는 노드보다 클레임을 먼저 확인합니다.`,
  'waits-for-claim': ({ pod, waiting }) =>
    waiting === 1
      ? say`${code(pod)} 파드가 Pending 상태입니다.`
      : say`${code(pod)} 등 파드 ${waiting}개가 Pending 상태입니다.`,
  missing: ({ claim, namespace }) =>
    say`파드에 지정된 클레임(${code(claim)})이 ${code(namespace)} 네임스페이스에 없습니다.`,
  'missing-ephemeral': ({ claim }) =>
    say`파드의 임시 볼륨에 쓸 클레임(${code(claim)})이 아직 생성되지 않았습니다.`,
  'not-owned': ({ claim, pod, owner }) =>
    sentences(
      say`임시 볼륨의 클레임 이름은 파드와 볼륨 이름으로 정해집니다. ${code(claim)} 클레임이 이미 있지만 ${code(pod)} 파드용이 아니어서 Kubernetes가 사용하지 않습니다.`,
      owner === undefined ? [] : say`클레임의 소유자: ${code(owner)}.`,
    ),
  deleting: ({ claim, since }) =>
    say`클레임(${code(claim)})은 ${moment(since)}부터 삭제 중이므로 새 파드가 사용할 수 없습니다.`,
  lost: ({ claim, volume }) =>
    say`클레임(${code(claim)})이 바인딩된 볼륨(${code(volume)})이 더 이상 존재하지 않습니다.`,
  named: ({ claim, volume }) => say`클레임(${code(claim)})은 볼륨을 이름(${code(volume)})으로 지정합니다.`,
  'named-missing': ({ claim, volume }) =>
    say`클레임(${code(claim)})이 이름으로 지정한 볼륨(${code(volume)})이 존재하지 않습니다.`,
  'class-missing': ({ claim, className, known }) =>
    known.length === 0
      ? say`클레임(${code(claim)})이 요청하는 스토리지 클래스(${code(className)})가 존재하지 않습니다.`
      : say`클레임(${code(claim)})이 요청하는 스토리지 클래스(${code(className)})가 존재하지 않습니다. 사용할 수 있는 클래스: ${names('ko', known)}.`,
  'no-class': ({ claim }) =>
    say`클레임(${code(claim)})에 스토리지 클래스가 없고 기본 클래스도 적용되지 않았습니다. 맞는 기존 볼륨도 없습니다.`,
  'no-volume': ({ claim, className, size }) =>
    className === ''
      ? say`클레임(${code(claim)}, ${code(size)})은 수동으로 만든 볼륨만 사용하는데, 맞는 볼륨이 없습니다.`
      : say`클래스 ${code(className)} 볼륨을 만드는 프로비저너가 없고, 클레임(${code(claim)}, ${code(size)})에 맞는 기존 볼륨도 없습니다.`,
  'no-volume-on-nodes': ({ claim, className }) =>
    say`클레임(${code(claim)})에 맞는 클래스 ${code(className)} 볼륨은 있지만, 파드를 실행할 수 있는 노드에는 없습니다.`,
  near: ({ volume, lacks }) => say`${code(volume)}: ${lacking('ko', lacks)}.`,
  'provisioning-failed': ({ claim, provisioner, message }) =>
    provisioner === ''
      ? say`${code(claim)} 볼륨 프로비저닝 실패: ${quote(message)}`
      : say`${code(provisioner)} 프로비저너가 ${code(claim)} 볼륨을 만들지 못합니다: ${quote(message)}`,
  silent: ({ claim, provisioner, seconds }) =>
    say`클레임(${code(claim)})이 ${elapsed('ko', seconds)}째 ${code(provisioner)} 프로비저너를 기다리지만 응답이 없습니다. 프로비저너가 실행 중이 아닐 수 있습니다.`,
  unfinished: ({ claim, provisioner, seconds }) =>
    say`${code(provisioner)} 프로비저너가 클레임(${code(claim)})의 볼륨을 만들기 시작했지만, 클레임은 오류 보고 없이 ${elapsed('ko', seconds)}째 기다립니다.`,
  chosen: ({ node }) =>
    say`스케줄러가 ${code(node)} 노드를 골랐으며, 클레임에 볼륨이 생겨야 파드를 바인딩합니다.`,
  said: ({ text: sentence }) => say`스케줄러 메시지: ${quote(sentence)}`,
  also: ({ claims }) => say`같은 상태인 클레임: ${names('ko', claims)}.`,
  'ev-unschedulable': ({ pod }) => say`스케줄러가 ${code(pod)} 파드를 거부함`,
  'ev-claim': ({ claim }) => say`${code(claim)} 클레임에 사용할 수 있는 볼륨이 바인딩되지 않음`,
  'ev-event': ({ claim }) => say`${code(claim)} 클레임에 대한 이벤트`,
  unconfirmed: () =>
    say`오브젝트에서 추론한 내용입니다. 스케줄러와 볼륨 컨트롤러는 아직 보고하지 않았습니다.`,
  'claims-unread': ({ because }) =>
    say`클레임을 읽지 못해(${code(because)}) 어떤 클레임이 왜 문제인지 알 수 없습니다.`,
  'because-not-waiting': ({ claim }) =>
    say`${code(claim)} 클레임은 첫 사용자를 기다리는 중이 아니며, 볼륨이 프로비저닝되는 중도 아님`,
  'because-before-nodes': () => say`스케줄러가 노드보다 클레임을 먼저 확인함`,
  'because-node-chosen': ({ node }) => say`스케줄러가 파드를 배치할 ${code(node)} 노드를 골랐음`,
  'because-no-node-yet': ({ pod }) => say`${code(pod)} 파드에 노드가 없어 연결된 볼륨도 없음`,
  'restart-withheld': ({ claim }) => say`새 파드도 ${code(claim)} 클레임을 사용합니다.`,
  'delete-withheld': ({ claim }) => say`대체 파드에도 ${code(claim)} 클레임이 필요합니다.`,
  'patch-withheld': () => say`볼륨을 막고 있는 이전 파드가 없습니다.`,
  'next-attempt': () => say`클레임, 볼륨, 스토리지 클래스가 바뀌면 스케줄러가 다시 시도합니다.`,
  'next-attempt-chosen': () =>
    say`볼륨이 생기면 스케줄러가 파드를 바인딩합니다. 기본값으로 10분이 지나면 노드를 다시 고릅니다.`,
  'quota-used-up': ({ quotas }) =>
    say`네임스페이스 쿼터가 더 이상 클레임을 허용하지 않습니다: ${names('ko', quotas)}.`,
  'advice-quota-title': () => say`쿼터 여유 확보하기`,
  'advice-quota': ({ quotas }) =>
    say`필요 없는 클레임을 삭제하거나 쿼터 ${names('ko', quotas)} 한도를 높이세요. 그러면 컨트롤러가 클레임을 생성합니다.`,
  'advice-ephemeral-title': () => say`클레임이 생성되지 않는 이유 확인하기`,
  'advice-ephemeral': ({ claim }) =>
    say`kube-controller-manager가 파드를 위해 ${code(claim)} 클레임을 생성합니다. 거부를 알리는 파드 이벤트가 있는지 확인하세요. 직접 만든 클레임은 사용되지 않습니다.`,
  'advice-create-title': () => say`클레임 생성하기`,
  'advice-create': ({ claim }) => say`${code(claim)} 이름이 오타라면 파드 템플릿에서 고치세요.`,
  'advice-class-title': () => say`존재하는 스토리지 클래스 사용하기`,
  'advice-class': ({ claim }) =>
    say`클레임의 클래스는 변경할 수 없습니다. 아직 데이터가 없는 ${code(claim)} 클레임을 삭제하고 다시 만들거나, 해당 클래스를 만드세요.`,
  'advice-default-title': () => say`클래스를 지정하거나 기본 클래스 설정하기`,
  'advice-default': () => say`기본 클래스가 생기면 클래스가 없는 클레임에도 적용됩니다.`,
  'advice-released-title': ({ volume }) => say`${code(volume)} 볼륨 해제하기`,
  'advice-released': ({ volume }) =>
    say`먼저 ${code(volume)} 볼륨의 데이터를 확인하세요. 다음에 바인딩되는 클레임이 그 데이터를 읽을 수 있습니다.`,
  'advice-volume-title': () => say`볼륨 준비하기`,
  'advice-volume': ({ claim }) =>
    say`${code(claim)} 클레임에는 같은 클래스, 요청 이상의 크기, 같은 접근 모드를 갖추고 다른 클레임에 바인딩되지 않은 PersistentVolume이 필요합니다.`,
  'advice-provisioner-title': () => say`프로비저너 확인하기`,
  'advice-provisioner': ({ provisioner }) =>
    say`${code(provisioner)} 프로비저너의 파드와 로그, 스토리지 제공업체의 한도와 권한을 확인하세요.`,
  'advice-lost-title': () => say`볼륨 복구하기`,
  'advice-lost': ({ claim, volume }) =>
    say`${code(volume)} 볼륨의 디스크가 남아 있다면 PersistentVolume을 다시 만드세요. 없다면 ${code(claim)} 클레임을 삭제하고 백업을 새 클레임에 복구하세요.`,
  'advice-owner-title': () => say`파드 템플릿의 볼륨 이름 바꾸기`,
  'advice-owner': ({ claim }) =>
    say`그러면 클레임 이름이 겹치지 않습니다. 또는 데이터가 필요 없다면 ${code(claim)} 클레임을 삭제하세요.`,
  'advice-deleting-title': () => say`이전 클레임이 삭제될 때까지 기다리기`,
  'advice-deleting': ({ claim }) =>
    say`${code(claim)} 클레임은 이를 사용하는 마지막 파드가 사라지면 삭제됩니다. 그다음 다시 만드세요. 데이터도 함께 삭제될 수 있습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('volume-unbound');

export function claimSnippet(namespace: string, name: string): string {
  return `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: ${name}
  namespace: ${namespace}
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 10Gi
`;
}

export const defaultSnippet = `# on one StorageClass
metadata:
  annotations:
    storageclass.kubernetes.io/is-default-class: "true"
`;
