import type { SameSentences } from '../../../../engine/language/catalogue.js';
import { code, say } from '../../../../engine/language/prose.js';
import { statementsOf } from '../../../../engine/language/statement.js';

const en = {
  /** What the kind is called where no remediation of it is at hand. */
  name: () => say`promote the update`,
  title: () => say`Promote the update`,
  'skips-nothing': () => say`Only this pause ends. Later pauses and analyses stay.`,
  'no-undo': () =>
    say`A promotion cannot be undone. Until the new revision gets all traffic, an abort goes back to the stable one.`,
  'no-update': ({ workload }: { readonly workload: string }) =>
    say`${code(workload)} has no update to promote: all of its pods have the current template.`,
  aborted: ({ workload }: { readonly workload: string }) =>
    say`The update of ${code(workload)} was aborted. Retry it first.`,
};

const ko: SameSentences<typeof en> = {
  name: () => say`업데이트 승격(promote)`,
  title: () => say`업데이트 승격(promote)`,
  'skips-nothing': () => say`이번 일시 중지만 끝납니다. 이후의 일시 중지와 분석은 그대로입니다.`,
  'no-undo': () =>
    say`되돌릴 수 없습니다. 새 리비전이 승격되기 전까지는 중단(abort)하면 안정 리비전으로 돌아갑니다.`,
  'no-update': ({ workload }) =>
    say`${code(workload)}에는 승격할 업데이트가 없습니다. 모든 파드가 현재 템플릿을 사용합니다.`,
  aborted: ({ workload }) =>
    say`${code(workload)} 업데이트가 중단(abort)되었습니다. 먼저 다시 시도(retry)하세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('promote-rollout');
