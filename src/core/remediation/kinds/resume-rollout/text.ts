import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, duration, names } from '../../../language/words.js';

const en = {
  title: () => say`Resume the rollout`,
  continues: ({ workload, revision }: { readonly workload: string; readonly revision: string }) =>
    say`${code(workload)} goes on to revision ${code(revision)}, whatever the template says by then.`,
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
    say`The controller replaces ${counted(pods, 'old pod', 'old pods')}, with at most ${surge} extra and ${unavailable} missing at a time (each stops within ${duration('en', graceSeconds)}).`,
  'no-old-pods': () => say`No pod is stopped: there is none of an older revision.`,
  undo: () => say`Undo pauses it again, where it then stands; pods that were replaced stay replaced.`,
  'withheld-broken': ({ pods }: { readonly pods: readonly string[] }) =>
    say`Its new ${word(pods.length === 1 ? 'pod' : 'pods')} ${names('en', pods)} ${word(pods.length === 1 ? 'is' : 'are')} not ready: going on would bring more like that. It may have been paused for it.`,
  'withheld-stuck': ({ pods }: { readonly pods: readonly string[] }) =>
    pods.length === 0
      ? say`The rollout would not come to its end under its present strategy.`
      : say`The rollout would then wait for itself: ${names('en', pods)} would find no place under the present strategy.`,
  'withheld-unknown': () => say`How it would end cannot be worked out from what was read.`,
};

const ko: SameSentences<typeof en> = {
  title: () => say`롤아웃 재개`,
  continues: ({ workload, revision }) =>
    say`${code(workload)} 롤아웃이 그때의 템플릿대로 리비전 ${code(revision)}까지 이어집니다.`,
  'replaces-pods': ({ pods, surge, unavailable, graceSeconds }) =>
    say`컨트롤러가 이전 파드 ${pods}개를 교체합니다. 한 번에 추가 ${surge}개, 부족 ${unavailable}개까지입니다(파드마다 최대 ${duration('ko', graceSeconds)} 안에 종료).`,
  'no-old-pods': () => say`내려가는 파드는 없습니다. 이전 리비전의 파드가 없습니다.`,
  undo: () => say`되돌리기를 누르면 그 시점에서 다시 일시 중지됩니다. 이미 교체된 파드는 그대로입니다.`,
  'withheld-broken': ({ pods }) =>
    say`새 파드 ${names('ko', pods)}가 준비되지 않았습니다. 계속하면 그런 파드가 더 생깁니다. 그래서 중지했을 수도 있습니다.`,
  'withheld-stuck': ({ pods }) =>
    pods.length === 0
      ? say`현재 전략으로는 롤아웃이 끝나지 않습니다.`
      : say`재개하면 롤아웃이 자기 자신을 기다립니다. 현재 전략에서는 ${names('ko', pods)} 파드가 들어갈 자리가 없습니다.`,
  'withheld-unknown': () => say`읽은 것만으로는 어떻게 끝날지 계산할 수 없습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('resume-rollout');
