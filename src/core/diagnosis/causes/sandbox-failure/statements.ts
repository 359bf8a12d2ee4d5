import { type NoValues, statementsOf } from '../../../language/statement.js';

/** Which part of the node failed to make the pod's sandbox. */
export type SandboxPart = 'network' | 'addresses' | 'runtime' | 'device' | 'unknown';

/** What the rule states; told by `text.ts`. */
export type SandboxFailureShapes = {
  readonly summary: {
    readonly workload: string;
    readonly nodes: readonly string[];
    readonly part: SandboxPart;
  };
  readonly standing: { readonly failing: number; readonly of: number };
  readonly where: { readonly pods: readonly string[]; readonly nodes: readonly string[] };
  readonly says: { readonly message: string; readonly times: number };
  readonly means: { readonly part: SandboxPart };
  readonly neighbours: { readonly pods: readonly string[] };
  readonly 'node-not-ready': { readonly node: string };
  readonly 'because-has-node': NoValues;
  readonly 'because-never-started': NoValues;
  readonly 'restart-withheld': NoValues;
  readonly 'advice-title': { readonly nodes: readonly string[] };
  readonly advice: { readonly part: SandboxPart };
};

export const state = statementsOf<SandboxFailureShapes>('sandbox-failure');
