import { type NoValues, statementsOf } from '../../../language/statement.js';

export type RestartRolloutShapes = {
  readonly title: NoValues;
  readonly 'new-revision': { readonly workload: string };
  readonly replaces: { readonly pods: number };
  readonly 'same-otherwise': NoValues;
  readonly 'no-undo': NoValues;
  /** Why a restart helps here: these pods worked in their present run. `readySeconds` is the shortest time they did. */
  readonly 'lost-readiness': {
    readonly pods: readonly string[];
    readonly container: string;
    readonly readySeconds: number;
    readonly lostSeconds: number;
  };
  readonly 'nothing-restarts': { readonly container: string };
  readonly 'not-proven': NoValues;
  readonly 'ev-lost-readiness': { readonly readySeconds: number };
  /** All pods stopped being ready within so many seconds. */
  readonly 'withheld-together': { readonly pods: number; readonly withinSeconds: number };
  /** Why a restart helps here: these pods started before their configuration was written. `olderSeconds` is the least. */
  readonly 'outdated-config': {
    readonly pods: readonly string[];
    readonly container: string;
    readonly kind: string;
    readonly name: string;
    readonly olderSeconds: number;
  };
  readonly 'kept-as': { readonly as: 'environment' | 'file' };
  /** `manager` is '' where the object was created after the containers had started. */
  readonly 'config-not-proven': { readonly manager: string };
  readonly 'ev-config-written': NoValues;
  /** What the container keeps from its start and was not read. */
  readonly 'config-unread': {
    readonly container: string;
    readonly objects: readonly { readonly kind: string; readonly name: string }[];
  };
  /** These pods started after the configuration was written. */
  readonly 'withheld-new-config': {
    readonly pods: readonly string[];
    readonly kind: string;
    readonly name: string;
  };
  /** Why a restart helps here: of one revision, the older pods fail and the younger ones are ready. */
  readonly 'younger-ready': {
    readonly failing: readonly string[];
    readonly ready: readonly string[];
    readonly readySeconds: number;
  };
  readonly 'younger-not-proven': NoValues;
  readonly 'ev-younger-ready': NoValues;
  readonly 'says-expired': { readonly pod: string; readonly container: string; readonly line: string };
  /** Why a restart helps here: each of these pods holds a device that its plugin reports as unhealthy. */
  readonly 'unhealthy-device': {
    readonly pods: readonly string[];
    readonly container: string;
    readonly resource: string;
  };
  readonly 'device-kept': NoValues;
  readonly 'device-not-proven': NoValues;
  readonly 'ev-unhealthy-device': { readonly device: string };
  readonly 'withheld-paused': { readonly workload: string };
  readonly 'withheld-on-delete': { readonly workload: string };
  readonly 'withheld-deadlock': { readonly pods: readonly string[] };
  readonly 'withheld-unknown': NoValues;
};

export const state = statementsOf<RestartRolloutShapes>('restart-rollout');
