import type { SameSentences } from '../../../../engine/language/catalogue.js';
import { code, say, word } from '../../../../engine/language/prose.js';
import { statementsOf } from '../../../../engine/language/statement.js';
import { counted, names } from '../../../../engine/language/words.js';

const en = {
  /** What the kind is called where no remediation of it is at hand. */
  name: () => say`abort the update`,
  title: () => say`Abort the update`,
  'keeps-stable': ({ revision, replicas }: { readonly revision: string; readonly replicas: number }) =>
    say`The controller keeps ${counted(replicas, 'pod', 'pods')} of the stable revision ${code(revision)} and sends all traffic there.`,
  'removes-new': ({ pods }: { readonly pods: readonly string[] }) =>
    say`The controller removes ${names('en', pods)}, ${word(pods.length === 1 ? 'a pod' : 'pods')} of the new revision.`,
  'template-stays': () =>
    say`The template of the Rollout stays. The Rollout is ${code('Degraded')} until someone retries the update or changes the template.`,
  'undo-retries': () => say`Undo retries the update from its first step.`,
  'no-update': ({ workload }: { readonly workload: string }) =>
    say`${code(workload)} has no update to abort: all of its pods have the current template.`,
  'already-aborted': ({ workload }: { readonly workload: string }) =>
    say`The update of ${code(workload)} is aborted already.`,
  'withheld-stuck': () => say`Aborting would not give the stable revision all of its pods.`,
  'withheld-unknown': () => say`The objects that were read do not show how the abort would end.`,
};

const ko: SameSentences<typeof en> = {
  name: () => say`업데이트 중단(abort)`,
  title: () => say`업데이트 중단(abort)`,
  'keeps-stable': ({ revision, replicas }) =>
    say`컨트롤러가 안정 리비전 ${code(revision)} 파드 ${replicas}개를 유지하고 모든 트래픽을 그쪽으로 보냅니다.`,
  'removes-new': ({ pods }) => say`컨트롤러가 새 리비전의 파드를 제거합니다: ${names('ko', pods)}.`,
  'template-stays': () =>
    say`Rollout의 템플릿은 그대로입니다. 누군가 업데이트를 다시 시도(retry)하거나 템플릿을 바꿀 때까지 Rollout은 ${code('Degraded')} 상태입니다.`,
  'undo-retries': () => say`되돌리면 업데이트를 첫 단계부터 다시 시도합니다.`,
  'no-update': ({ workload }) =>
    say`${code(workload)}에는 중단할 업데이트가 없습니다. 모든 파드가 현재 템플릿을 사용합니다.`,
  'already-aborted': ({ workload }) => say`${code(workload)} 업데이트는 이미 중단(abort)되었습니다.`,
  'withheld-stuck': () => say`중단해도 안정 리비전의 파드가 모두 갖춰지지 않습니다.`,
  'withheld-unknown': () => say`읽은 오브젝트만으로는 중단이 어떻게 끝날지 알 수 없습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('abort-rollout');
