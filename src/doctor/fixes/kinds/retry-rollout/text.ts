import type { SameSentences } from '../../../../engine/language/catalogue.js';
import { code, say } from '../../../../engine/language/prose.js';
import { statementsOf } from '../../../../engine/language/statement.js';

const en = {
  /** What the kind is called where no remediation of it is at hand. */
  name: () => say`retry the update`,
  title: () => say`Retry the update`,
  'starts-again': () => say`The controller starts the update again, from its first step.`,
  'undo-aborts': () =>
    say`Undo aborts the update again. Once the update is promoted, the retry cannot be undone.`,
  'not-aborted': ({ workload }: { readonly workload: string }) =>
    say`No update of ${code(workload)} was aborted, so there is nothing to retry.`,
  'withheld-analysis': () =>
    say`The analysis of the update failed, and a retry measures the same revision again. Find out what it measured first.`,
};

const ko: SameSentences<typeof en> = {
  name: () => say`업데이트 다시 시도(retry)`,
  title: () => say`업데이트 다시 시도(retry)`,
  'starts-again': () => say`컨트롤러가 업데이트를 첫 단계부터 다시 시작합니다.`,
  'undo-aborts': () => say`되돌리면 업데이트를 다시 중단(abort)합니다. 승격된 뒤에는 되돌릴 수 없습니다.`,
  'not-aborted': ({ workload }) =>
    say`${code(workload)}에는 중단(abort)된 업데이트가 없으므로 다시 시도할 것이 없습니다.`,
  'withheld-analysis': () =>
    say`업데이트의 분석이 실패했고, 다시 시도해도 같은 리비전을 분석합니다. 먼저 분석 결과를 확인하세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('retry-rollout');
