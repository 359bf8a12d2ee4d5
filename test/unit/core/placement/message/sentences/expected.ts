/**
 * A message and its parts. `nodes` is `feasible/nodes`, either missing where the message omits it. Reasons
 * are `count id detail`, count and detail missing where the sentence gives none.
 */
export interface Expected {
  readonly says: string;
  readonly nodes?: string;
  readonly reasons: readonly string[];
  readonly preemption?: readonly string[];
}
