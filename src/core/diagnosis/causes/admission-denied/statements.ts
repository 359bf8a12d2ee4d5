import { type NoValues, statementsOf } from '../../../language/statement.js';

/** Who refuses, in the fewest words. */
export type RefuserKind =
  | 'pod-security'
  | 'security-policy'
  | 'webhook-denied'
  | 'webhook-unreachable'
  | 'admission-policy'
  | 'limit-range'
  | 'service-account'
  | 'priority-class'
  | 'runtime-class'
  | 'namespace-terminating'
  | 'invalid'
  | 'must-specify'
  | 'quota-scope'
  | 'forbidden'
  | 'failed';

type Named = { readonly name: string };
type Said = { readonly said: string };

/** What the rule states; told by `text.ts`. Lengths are seconds. `said` is the API server's own text. */
export type AdmissionDeniedShapes = {
  readonly summary: { readonly workload: string; readonly missing: number; readonly refuser: RefuserKind };
  readonly standing: {
    readonly forSeconds: number | undefined;
    readonly ready: number;
    readonly wanted: number;
  };
  readonly refused: { readonly owner: string; readonly missing: number; readonly what: string };
  readonly 'pod-security': {
    readonly namespace: string;
    readonly level: string;
    readonly violations: readonly string[];
  };
  readonly 'security-policy': { readonly policy: string };
  readonly 'webhook-denied': Said & { readonly webhook: string };
  readonly 'webhook-unreachable': Said & { readonly webhook: string };
  readonly 'admission-policy': Said & { readonly policy: string; readonly binding: string };
  readonly 'limit-range': { readonly ranges: readonly string[]; readonly violations: readonly string[] };
  readonly 'service-account': Named & { readonly namespace: string };
  readonly 'priority-class': Named;
  readonly 'runtime-class': Named;
  readonly 'namespace-terminating': { readonly namespace: string };
  readonly invalid: { readonly fields: readonly string[] };
  readonly 'must-specify': {
    readonly quota: string;
    readonly missing: readonly { readonly resource: string; readonly containers: readonly string[] }[];
  };
  readonly 'quota-scope': { readonly scopes: string };
  readonly forbidden: Said;
  readonly failed: Said;
  readonly 'serving-old': { readonly ready: number };
  readonly 'ev-refused': { readonly owner: string };
  readonly 'ev-confirmed': NoValues;
  readonly 'only-said': NoValues;
  readonly 'because-no-quota': NoValues;
  readonly 'because-never-created': { readonly owner: string };
  readonly 'because-never-ran': NoValues;
  readonly 'restart-withheld': NoValues;
  readonly 'undo-withheld': NoValues;
  readonly 'patch-withheld': NoValues;
  readonly 'next-attempt': { readonly owner: string; readonly withinSeconds: number };
  readonly 'advice-title': { readonly refuser: RefuserKind };
  readonly 'advice-template': NoValues;
  readonly 'advice-service-account': NoValues;
  readonly 'advice-priority-class': NoValues;
  readonly 'advice-webhook': { readonly webhook: string };
  readonly 'advice-unreachable': { readonly webhook: string };
  readonly 'advice-cluster': NoValues;
  readonly 'advice-namespace': NoValues;
  readonly 'advice-failed': NoValues;
};

export const state = statementsOf<AdmissionDeniedShapes>('admission-denied');
