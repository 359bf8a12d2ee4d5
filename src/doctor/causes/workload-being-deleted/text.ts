import { code, moment, quote, say, sentences, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { counted, elapsed, isAtLeastOneSecond, names } from '../../../engine/language/words.js';

type Deleted = { readonly kind: string; readonly name: string };

const en = {
  'shared-failure': () => say`the workload is being deleted`,
  summary: ({ workload }: { workload: string }) => say`${code(workload)} is being deleted`,
  'summary-namespace': ({ workload, namespace }: { workload: string; namespace: string }) =>
    say`Namespace ${code(namespace)} is being deleted, including ${code(workload)}`,
  standing: ({ forSeconds, ready }: { forSeconds: number; ready: number }) =>
    sentences(
      isAtLeastOneSecond(forSeconds)
        ? say`The deletion began ${elapsed('en', forSeconds)} ago.`
        : say`The deletion has just begun.`,
      ready === 0 ? say`No pod is ready.` : say`${counted(ready, 'pod is', 'pods are')} still ready.`,
    ),
  deleted: ({ kind, name, at }: Deleted & { readonly at: string }) =>
    say`${code(kind)} ${code(name)} was deleted ${moment(at)}. The API server keeps the object until its last finalizer is removed.`,
  foreground: ({ kind, name }: Deleted) =>
    say`${code('foregroundDeletion')}: the garbage collector first removes everything that ${code(kind)} ${code(name)} owns.`,
  orphan: () => say`${code('orphan')}: the garbage collector releases the owned objects and keeps them.`,
  finalizer: ({ finalizer, domain }: { finalizer: string; domain: string | undefined }) =>
    domain === undefined
      ? say`${code(finalizer)}: the controller that set this finalizer has not removed it.`
      : say`${code(finalizer)}: the controller of ${code(domain)} has not removed this finalizer.`,
  'pods-left': ({ pods }: { pods: readonly string[] }) =>
    say`${names('en', pods)} still ${word(pods.length === 1 ? 'exists' : 'exist')}.`,
  'namespace-condition': ({ type, message }: { type: string; message: string }) =>
    say`The namespace controller reports ${code(type)}: ${quote(message)}`,
  'no-rollout': ({ kind }: Deleted) =>
    say`The controller does not continue a rollout of a ${code(kind)} that is being deleted.`,
  'no-new-objects': ({ namespace }: { namespace: string }) =>
    say`The API server creates no new objects in ${code(namespace)}, so no pod can be replaced.`,
  'ev-deleted': () => say`the deletion began`,
  'ev-condition': () => say`reason why the namespace is not deleted yet`,
  'because-deleted': ({ kind, name }: Deleted) => say`${code(kind)} ${code(name)} is being deleted`,
  'no-fix': () => say`The workload is being deleted. No change stops a deletion.`,
  'next-finalizers': () => say`Kubernetes removes the object as soon as its last finalizer is removed.`,
  'next-pods': () => say`Kubernetes removes the object as soon as the objects that it owns are gone.`,
  'advice-finalizers-title': () => say`Check the controller of the finalizer`,
  'advice-finalizers': ({ finalizers }: { finalizers: readonly string[] }) =>
    say`Check that the controller of ${names('en', finalizers)} runs, and what it logs about this object. Remove a finalizer by hand only if its controller is gone for good. The resources that it should clean up then remain.`,
  'advice-again-title': () => say`Apply the manifest again if the workload is still needed`,
  'advice-again': () =>
    say`A deletion cannot be cancelled. Wait until the object is gone, then create it again.`,
};

const ko: typeof en = {
  'shared-failure': () => say`워크로드가 삭제되는 중`,
  summary: ({ workload }) => say`${code(workload)} 워크로드가 삭제되는 중입니다`,
  'summary-namespace': ({ workload, namespace }) =>
    say`${code(namespace)} 네임스페이스가 삭제되는 중이며 ${code(workload)} 워크로드도 함께 삭제됩니다`,
  standing: ({ forSeconds, ready }) =>
    sentences(
      isAtLeastOneSecond(forSeconds)
        ? say`삭제가 시작된 지 ${elapsed('ko', forSeconds)} 지났습니다.`
        : say`삭제가 방금 시작되었습니다.`,
      ready === 0 ? say`준비된 파드가 없습니다.` : say`파드 ${ready}개가 아직 준비 상태입니다.`,
    ),
  deleted: ({ kind, name, at }) =>
    say`${code(kind)} ${code(name)} 오브젝트는 ${moment(at)}에 삭제되었습니다. 마지막 파이널라이저가 제거될 때까지 API 서버가 오브젝트를 유지합니다.`,
  foreground: ({ kind, name }) =>
    say`${code('foregroundDeletion')}: 가비지 컬렉터가 ${code(kind)} ${code(name)} 소유의 오브젝트를 먼저 모두 삭제합니다.`,
  orphan: () => say`${code('orphan')}: 가비지 컬렉터가 소유 관계를 해제하고 하위 오브젝트를 남겨 둡니다.`,
  finalizer: ({ finalizer, domain }) =>
    domain === undefined
      ? say`${code(finalizer)}: 이 파이널라이저를 설정한 컨트롤러가 아직 제거하지 않았습니다.`
      : say`${code(finalizer)}: ${code(domain)} 컨트롤러가 이 파이널라이저를 아직 제거하지 않았습니다.`,
  'pods-left': ({ pods }) => say`아직 남은 파드: ${names('ko', pods)}.`,
  'namespace-condition': ({ type, message }) =>
    say`네임스페이스 컨트롤러 보고(${code(type)}): ${quote(message)}`,
  'no-rollout': ({ kind }) =>
    say`삭제되는 중인 ${code(kind)}에 대해서는 컨트롤러가 롤아웃을 더 진행하지 않습니다.`,
  'no-new-objects': ({ namespace }) =>
    say`API 서버는 ${code(namespace)}에 새 오브젝트를 만들지 않으므로 파드를 교체할 수 없습니다.`,
  'ev-deleted': () => say`삭제 시작`,
  'ev-condition': () => say`네임스페이스 삭제를 막는 요인`,
  'because-deleted': ({ kind, name }) => say`${code(kind)} ${code(name)} 오브젝트가 삭제되는 중`,
  'no-fix': () => say`워크로드가 삭제되는 중입니다. 어떤 변경으로도 삭제를 멈출 수 없습니다.`,
  'next-finalizers': () => say`마지막 파이널라이저가 제거되면 바로 오브젝트가 사라집니다.`,
  'next-pods': () => say`소유한 오브젝트가 모두 사라지면 바로 오브젝트가 사라집니다.`,
  'advice-finalizers-title': () => say`파이널라이저의 컨트롤러 확인하기`,
  'advice-finalizers': ({ finalizers }) =>
    say`${names('ko', finalizers)} 컨트롤러가 실행 중인지, 로그에 이 오브젝트가 나오는지 확인하세요. 컨트롤러가 완전히 없어졌을 때만 파이널라이저를 직접 제거하세요. 정리하지 못한 리소스는 그대로 남습니다.`,
  'advice-again-title': () => say`워크로드가 아직 필요하면 매니페스트를 다시 적용하기`,
  'advice-again': () => say`삭제는 취소할 수 없습니다. 오브젝트가 사라질 때까지 기다렸다가 다시 만드세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('workload-being-deleted');
