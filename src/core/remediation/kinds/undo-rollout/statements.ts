import { type NoValues, statementsOf } from '../../../language/statement.js';

export type UndoRolloutShapes = {
  readonly title: { readonly revision: number };
  readonly back: { readonly workload: string; readonly revision: number; readonly from: string };
  /** Fields of the template that change; `more`: how many beyond those named. */
  readonly differs: { readonly paths: readonly string[] };
  readonly 'removes-new': { readonly pods: readonly string[] };
  readonly 'stops-others': { readonly pods: number };
  readonly 'places-old': { readonly pods: number };
  readonly 'serves-now': { readonly revision: number };
  /** Nothing but its number speaks for the revision. */
  readonly 'only-former': { readonly revision: number };
  readonly 'update-given-up': NoValues;
  /**
   * An OrderedReady StatefulSet waits for these pods and does not replace them: a second step is needed. `stops`: pods
   * that the controller stops after the first one.
   */
  readonly 'waits-for-broken': { readonly pods: readonly string[]; readonly stops: number };
  readonly 'then-delete': { readonly pods: readonly string[]; readonly revision: number };
  /** The way back needs the deletion of this pod. */
  readonly 'withheld-protected': { readonly pod: string; readonly budget: string };
  readonly 'withheld-paused': { readonly workload: string };
  readonly 'withheld-none-kept': { readonly workload: string };
  readonly 'withheld-stuck': { readonly revision: number; readonly pods: readonly string[] };
  readonly 'withheld-unknown': NoValues;
  readonly 'withheld-surroundings': { readonly revision: number };
  readonly 'withheld-current-ready': NoValues;
  /** `container`: the failing one; absent where whole pods fail. */
  readonly 'withheld-same': { readonly revision: number; readonly container: string | undefined };
  readonly 'withheld-same-volumes': { readonly revision: number };
  readonly 'withheld-former-fails': { readonly pods: readonly string[] };
  readonly 'withheld-completed': { readonly forSeconds: number };
};

export const state = statementsOf<UndoRolloutShapes>('undo-rollout');
