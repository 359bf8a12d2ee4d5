import { type NoValues, statementsOf } from '../../../language/statement.js';
import type { PullRefusal } from './refusal.js';

/** What the rule states; told by `text.ts`. */
export type ImagePullFailureShapes = {
  readonly summary: {
    readonly workload: string;
    readonly image: string;
    readonly refusal: PullRefusal;
    /** The only node that fails, where the revision runs on others. */
    readonly node: string | undefined;
  };
  readonly standing: { readonly failing: number; readonly of: number };
  readonly says: { readonly container: string; readonly message: string };
  readonly means: { readonly refusal: PullRefusal; readonly image: string };
  readonly credentials: { readonly secrets: readonly string[]; readonly serviceAccount: string | undefined };
  readonly 'former-image': { readonly image: string };
  readonly 'some-have-it': { readonly pods: readonly string[] };
  readonly 'restart-withheld': NoValues;
  readonly 'advice-title': { readonly refusal: PullRefusal };
  readonly advice: { readonly refusal: PullRefusal; readonly image: string };
};

export const state = statementsOf<ImagePullFailureShapes>('image-pull-failure');
