/**
 * A sentence and what is in it. `nodes` is `feasible/nodes`, either missing where the sentence does not say it. Reasons
 * are `count id detail`, count and detail missing where the sentence gives none.
 */
export interface Expected {
  readonly says: string;
  readonly nodes?: string;
  readonly reasons: readonly string[];
  readonly preemption?: readonly string[];
}
