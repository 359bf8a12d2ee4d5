import type { SameSentences } from '../../../../engine/language/catalogue.js';
import { code, say, word } from '../../../../engine/language/prose.js';
import { statementsOf } from '../../../../engine/language/statement.js';
import { counted, duration, names } from '../../../../engine/language/words.js';

const en = {
  /** What the kind is called where no remediation of it is at hand. */
  name: () => say`resume the rollout`,
  title: () => say`Resume the rollout`,
  continues: ({ workload, revision }: { readonly workload: string; readonly revision: string }) =>
    say`${code(workload)} continues to revision ${code(revision)}, with the template as it is at that time.`,
  'replaces-pods': ({
    pods,
    surge,
    unavailable,
    graceSeconds,
  }: {
    readonly pods: number;
    readonly surge: number;
    readonly unavailable: number;
    readonly graceSeconds: number;
  }) =>
    say`The controller replaces ${counted(pods, 'old pod', 'old pods')}, with at most ${surge} extra and ${unavailable} unavailable at a time. Each pod stops within ${duration('en', graceSeconds)}.`,
  'no-old-pods': () => say`No pod stops, because no pod of an older revision is left.`,
  undo: () => say`Undo pauses the rollout again at that point. Pods that were replaced stay replaced.`,
  'withheld-broken': ({ pods }: { readonly pods: readonly string[] }) =>
    say`Its new ${word(pods.length === 1 ? 'pod' : 'pods')} ${names('en', pods)} ${word(pods.length === 1 ? 'is' : 'are')} not ready, and continuing would create more of them. This may be why someone paused it.`,
  'withheld-stuck': ({ pods }: { readonly pods: readonly string[] }) =>
    pods.length === 0
      ? say`The rollout would not complete with its current strategy.`
      : say`The rollout would then deadlock: ${names('en', pods)} would stay pending with the current strategy.`,
  'withheld-unknown': () => say`The objects that were read do not show how the rollout would end.`,
};

const ko: SameSentences<typeof en> = {
  name: () => say`롤아웃 재개`,
  title: () => say`롤아웃 재개`,
  continues: ({ workload, revision }) =>
    say`${code(workload)} 롤아웃이 그 시점의 템플릿으로 리비전 ${code(revision)}까지 이어집니다.`,
  'replaces-pods': ({ pods, surge, unavailable, graceSeconds }) =>
    say`컨트롤러가 이전 파드 ${pods}개를 교체합니다. 한 번에 추가 ${surge}개, 사용 불가 ${unavailable}개까지 허용되며, 파드는 각각 최대 ${duration('ko', graceSeconds)} 안에 종료됩니다.`,
  'no-old-pods': () => say`이전 리비전의 파드가 없어 내려가는 파드가 없습니다.`,
  undo: () =>
    say`되돌리기를 누르면 그 시점에서 롤아웃이 다시 일시 중지됩니다. 이미 교체된 파드는 그대로입니다.`,
  'withheld-broken': ({ pods }) =>
    say`새 파드 ${names('ko', pods)} 상태가 준비되지 않음이므로, 계속하면 같은 파드가 더 생깁니다. 이 때문에 일시 중지했을 수도 있습니다.`,
  'withheld-stuck': ({ pods }) =>
    pods.length === 0
      ? say`현재 전략으로는 롤아웃이 완료되지 않습니다.`
      : say`재개하면 롤아웃이 교착 상태가 됩니다. 현재 전략에서는 ${names('ko', pods)} 파드가 Pending 상태로 남습니다.`,
  'withheld-unknown': () => say`읽은 오브젝트만으로는 롤아웃이 어떻게 끝날지 알 수 없습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('resume-rollout');
