import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. */
export type MountFailureShapes = {
  readonly 'summary-missing': {
    readonly workload: string;
    readonly kind: string;
    readonly name: string;
    readonly key: string | undefined;
  };
  readonly summary: { readonly workload: string; readonly volume: string | undefined };
  readonly standing: {
    readonly failing: number;
    readonly of: number;
    readonly sinceSeconds: number | undefined;
  };
  readonly where: { readonly pods: readonly string[]; readonly nodes: readonly string[] };
  readonly says: { readonly message: string; readonly times: number };
  readonly source: { readonly volume: string; readonly kind: string; readonly name: string };
  readonly 'keeps-asking': NoValues;
  readonly 'attach-waits': NoValues;
  readonly 'because-has-node': NoValues;
  readonly 'because-never-started': NoValues;
  readonly 'because-not-env': NoValues;
  readonly 'restart-withheld': NoValues;
  readonly 'advice-add-title': { readonly kind: string; readonly name: string };
  readonly 'advice-add': NoValues;
  readonly 'advice-node-title': NoValues;
  readonly 'advice-node': { readonly nodes: readonly string[] };
};

export const state = statementsOf<MountFailureShapes>('mount-failure');
