import type { SameSentences } from '../../../engine/language/catalogue.js';
import { code, say } from '../../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../../engine/language/statement.js';
import type { Queued } from '../../../engine/queues/queue-state.js';
import { nameOfQueued } from '../../../engine/queues/queued-workload.js';

const en = {
  alike: ({ workload }: { readonly workload: string }) =>
    say`Kueue evaluates one of several equal Workloads. Its answer stands in ${code(workload)}.`,
};

const ko: SameSentences<typeof en> = {
  alike: ({ workload }) =>
    say`Kueue는 같은 Workload가 여럿이면 하나만 평가합니다. 그 결과는 ${code(workload)} 상태에 있습니다.`,
};

export const queueText = { en, ko };

const state = statementsOf<typeof en>('queue');

/** Where Kueue answered for another Workload that is equal to the one of the pod. */
export function alikeStatements({
  workload,
  reporter,
}: Pick<Queued, 'workload' | 'reporter'>): readonly Statement[] {
  return reporter === undefined || reporter === workload
    ? []
    : [state('alike', { workload: nameOfQueued(reporter) })];
}
