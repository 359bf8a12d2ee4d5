import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. */
export type ConfigMissingShapes = {
  readonly summary: {
    readonly workload: string;
    readonly kind: string;
    readonly name: string;
    readonly key: string | undefined;
  };
  readonly 'summary-other': { readonly workload: string; readonly container: string };
  readonly standing: { readonly failing: number; readonly of: number };
  readonly says: { readonly container: string; readonly message: string };
  readonly wants: {
    readonly container: string;
    readonly variable: string | undefined;
    readonly kind: string;
    readonly name: string;
    readonly key: string | undefined;
  };
  readonly 'keeps-asking': NoValues;
  readonly 'former-does-not-need': { readonly pods: readonly string[] };
  readonly 'because-not-pulled': NoValues;
  readonly 'restart-withheld': NoValues;
  readonly 'advice-add-title': { readonly kind: string; readonly name: string };
  readonly 'advice-add': NoValues;
  readonly 'advice-optional-title': NoValues;
  readonly 'advice-optional': NoValues;
  readonly 'advice-user-title': NoValues;
  readonly 'advice-user': NoValues;
};

export const state = statementsOf<ConfigMissingShapes>('config-missing');
