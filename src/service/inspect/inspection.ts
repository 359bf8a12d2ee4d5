import type { ChainProblem } from '../../doctor/audit/decision-chain.js';
import { declaredStatementsOf, type NoValues, type Statement } from '../../engine/language/statement.js';
import type { SettingProblem } from './setting-problem.js';

/** The catalogue that tells these statements. */
export const inspectionCatalogueId = 'inspection';

/** What an inspection of the installation states; told by `inspection-text.ts`. */
export type InspectionShapes = {
  readonly 'config-works': NoValues;
  readonly 'config-wrong': { readonly problem: SettingProblem };
  readonly 'policy-empty': NoValues;
  readonly 'approval-keys-work': { readonly first: string; readonly count: number };
  readonly 'approval-keys-missing': NoValues;
  readonly 'login-works': { readonly issuer: string };
  readonly 'login-away': { readonly issuer: string; readonly message: string };
  /** The policy demands it, and it is not set up. */
  readonly 'login-unset': NoValues;
  readonly 'redis-works': { readonly version: string };
  readonly 'redis-away': { readonly message: string; readonly setting: string };
  readonly 'redis-refused': { readonly message: string; readonly setting: string };
  readonly 'redis-name-unknown': { readonly name: string };
  readonly 'redis-is-sentinel': NoValues;
  readonly 'redis-is-cluster': NoValues;
  readonly 'redis-old': { readonly version: string; readonly least: string };
  readonly 'redis-keeps-keys': NoValues;
  readonly 'redis-evicts': { readonly found: string };
  readonly 'redis-appends': NoValues;
  readonly 'redis-forgets': NoValues;
  readonly 'redis-silent': { readonly what: string };
  readonly 'redis-replica': NoValues;
  readonly 'audit-intact': { readonly first: number; readonly last: number };
  /** `seq`: the first decision that is wrong or missing. */
  readonly 'audit-broken': { readonly seq: number; readonly problem: ChainProblem };
  readonly 'redis-clock-differs': { readonly seconds: number };
  readonly 'slack-works': { readonly team: string; readonly bot: string };
  /** The app is installed in an organisation; `count`: workspaces that an administrator added it to. */
  readonly 'slack-organisation': { readonly count: number };
  readonly 'slack-workspaces-unknown': { readonly error: string };
  readonly 'slack-refused': { readonly error: string };
  readonly 'slack-away': { readonly error: string };
  readonly 'slack-unset': { readonly variable: string };
  readonly 'slack-scopes-work': NoValues;
  readonly 'slack-scopes-missing': { readonly scopes: readonly string[] };
  readonly 'slack-no-reactions': { readonly scope: string };
  /** People who log in are known by the address of their profile. */
  readonly 'slack-no-emails': { readonly scope: string };
  readonly 'slack-scopes-unknown': NoValues;
  readonly 'slack-no-images': { readonly scope: string };
  readonly 'slack-groups-work': { readonly count: number };
  readonly 'slack-groups-unknown': { readonly error: string };
  readonly 'slack-group-ignored': { readonly group: string; readonly problem: string };
  readonly 'slack-socket-works': NoValues;
  readonly 'slack-socket-refused': { readonly error: string };
  readonly 'kubeconfig-wrong': { readonly message: string };
  readonly 'cluster-works': { readonly cluster: string; readonly version: string };
  readonly 'cluster-away': { readonly cluster: string; readonly because: string };
  readonly 'cluster-readable': { readonly cluster: string };
  readonly 'cluster-unreadable': { readonly cluster: string; readonly what: readonly string[] };
  readonly 'cluster-unwatchable': { readonly cluster: string; readonly what: readonly string[] };
  readonly 'cluster-changeable': { readonly cluster: string };
  readonly 'cluster-unchangeable': { readonly cluster: string; readonly what: readonly string[] };
  /** Rights that fixes of workloads of KServe need, in a cluster that has KServe. */
  readonly 'kserve-works': { readonly cluster: string };
  readonly 'kserve-forbidden': { readonly cluster: string; readonly what: readonly string[] };
  readonly 'cluster-silent': { readonly cluster: string };
  /** Of a cluster with workers of its own. */
  readonly 'cluster-workers-report': { readonly cluster: string };
  readonly 'cluster-name-shared': { readonly cluster: string };
  readonly 'cluster-api-away': { readonly cluster: string };
  readonly 'cluster-policy-differs': { readonly cluster: string };
  readonly 'cluster-worker-silent': {
    readonly cluster: string;
    readonly role: 'diagnosis' | 'remediation';
  };
};

const state = declaredStatementsOf<InspectionShapes>(inspectionCatalogueId);

/** One thing that was looked at. */
export interface Inspected {
  readonly part: 'configuration' | 'redis' | 'slack' | 'kubernetes';
  /**
   * `works`. `missing`: something does not work until it is put right. `note`: fine if it is meant so.
   * `unknown`: it could not be looked at.
   */
  readonly state: 'works' | 'missing' | 'note' | 'unknown';
  readonly says: Statement;
  /** The wrong setting behind it: no process starts with it. */
  readonly setting?: SettingProblem;
}

/** @returns one inspected thing of a part, its key and values checked */
export function inspected<Key extends keyof InspectionShapes & string>(
  part: Inspected['part'],
  how: Inspected['state'],
  key: Key,
  values: InspectionShapes[Key],
  setting?: SettingProblem,
): Inspected {
  return { part, state: how, says: state(key, values), ...(setting === undefined ? {} : { setting }) };
}
