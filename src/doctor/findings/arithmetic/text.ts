import type { SameSentences } from '../../../engine/language/catalogue.js';
import type { Language } from '../../../engine/language/language.js';
import { code, type Prose, say } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { counted, joined } from '../../../engine/language/words.js';

/** A workload with what its pods use on one node or of one quota; amounts are quantities as text. */
export type UseValue = { readonly workload: string; readonly pods: number; readonly amount: string };

const en = {
  'ev-node': ({
    requested,
    overhead,
    used,
    free,
    users,
    more,
  }: {
    readonly requested: string;
    /** What the RuntimeClass of the pod adds; it is part of `requested`. */
    readonly overhead: string | undefined;
    readonly used: string;
    readonly free: string;
    /** The largest first. */
    readonly users: readonly UseValue[];
    /** Workloads that are not among `users`. */
    readonly more: number;
  }) =>
    say`${code(requested)} requested${overhead === undefined ? say`` : say` (with ${code(overhead)} overhead of the RuntimeClass)`}, ${code(used)} in use${users.length === 0 ? say`` : say` by ${usersIn('en', users, more)}`}, ${code(free)} free`,
  'ev-quota': ({
    requested,
    used,
    hard,
    missing,
    users,
    more,
  }: {
    readonly requested: string;
    readonly used: string;
    readonly hard: string;
    /**
     * By how much `used` and `requested` exceed `hard`; `undefined` where that is not known, or they do not.
     */
    readonly missing: string | undefined;
    /** The largest first. */
    readonly users: readonly UseValue[];
    /** Workloads that are not among `users`. */
    readonly more: number;
  }) =>
    say`${code(requested)} requested, ${code(used)} of ${code(hard)} used${users.length === 0 ? say`` : say` by ${usersIn('en', users, more)}`}${missing === undefined ? say`` : say`, ${code(missing)} missing`}`,
};

const ko: SameSentences<typeof en> = {
  'ev-node': ({ requested, overhead, used, free, users, more }) =>
    say`요청 ${code(requested)}${overhead === undefined ? say`` : say`(RuntimeClass 오버헤드 ${code(overhead)} 포함)`}, 사용 중 ${code(used)}${users.length === 0 ? say`` : say`: ${usersIn('ko', users, more)}`}, 남음 ${code(free)}`,
  'ev-quota': ({ requested, used, hard, missing, users, more }) =>
    say`요청 ${code(requested)}, 한도 ${code(hard)} 중 ${code(used)} 사용${users.length === 0 ? say`` : say`: ${usersIn('ko', users, more)}`}${missing === undefined ? say`` : say`, 부족 ${code(missing)}`}`,
};

export const arithmeticText = { en, ko };
export const arithmeticCatalogueId = 'arithmetic';
export const state = statementsOf<typeof en>(arithmeticCatalogueId);

function usersIn(language: Language, users: readonly UseValue[], more: number): Prose {
  const listed = users.map(({ workload, pods, amount }) =>
    language === 'en'
      ? say`${code(workload)} (${counted(pods, 'pod', 'pods')}: ${code(amount)})`
      : say`${code(workload)}(파드 ${pods}개: ${code(amount)})`,
  );
  const rest = language === 'en' ? say`${more} more` : say`외 ${more}개`;
  return joined(language, more === 0 ? listed : [...listed, rest], listed.length + 1);
}
