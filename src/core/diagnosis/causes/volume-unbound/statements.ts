import { type NoValues, statementsOf } from '../../../language/statement.js';
import type { Lack } from './near-volumes.js';

/** What the rule states; told by `text.ts`. Lengths are seconds, times RFC3339. */
export type VolumeUnboundShapes = {
  readonly 'summary-missing': { readonly workload: string; readonly claim: string };
  readonly 'summary-unbound': { readonly workload: string; readonly claim: string };
  readonly 'summary-lost': { readonly workload: string; readonly claim: string };
  readonly 'summary-said': { readonly workload: string };
  readonly standing: { readonly ready: number; readonly wanted: number };
  readonly waits: { readonly pod: string; readonly waiting: number };
  readonly missing: { readonly claim: string; readonly namespace: string };
  readonly 'missing-ephemeral': { readonly claim: string };
  readonly deleting: { readonly claim: string; readonly since: string };
  readonly lost: { readonly claim: string; readonly volume: string };
  readonly named: { readonly claim: string; readonly volume: string };
  readonly 'named-missing': { readonly claim: string; readonly volume: string };
  readonly 'class-missing': {
    readonly claim: string;
    readonly className: string;
    readonly known: readonly string[];
  };
  readonly 'no-class': { readonly claim: string };
  readonly 'no-volume': { readonly claim: string; readonly className: string; readonly size: string };
  readonly 'no-volume-on-nodes': { readonly claim: string; readonly className: string };
  readonly near: { readonly volume: string; readonly lacks: readonly Lack[] };
  readonly 'provisioning-failed': {
    readonly claim: string;
    readonly provisioner: string;
    readonly message: string;
  };
  readonly silent: { readonly claim: string; readonly provisioner: string; readonly seconds: number };
  readonly said: { readonly text: string };
  readonly also: { readonly claims: readonly string[] };
  readonly 'ev-unschedulable': { readonly pod: string };
  readonly 'ev-claim': { readonly claim: string };
  readonly 'ev-event': { readonly claim: string };
  readonly unconfirmed: NoValues;
  readonly 'claims-unread': { readonly because: string };
  readonly 'because-not-waiting': { readonly claim: string };
  readonly 'because-before-nodes': NoValues;
  readonly 'because-no-node-yet': { readonly pod: string };
  readonly 'because-no-gates': NoValues;
  readonly 'restart-withheld': { readonly claim: string };
  readonly 'delete-withheld': { readonly claim: string };
  readonly 'patch-withheld': NoValues;
  readonly 'next-attempt': NoValues;
  readonly 'advice-create-title': NoValues;
  readonly 'advice-create': { readonly claim: string };
  readonly 'advice-class-title': NoValues;
  readonly 'advice-class': { readonly claim: string };
  readonly 'advice-default-title': NoValues;
  readonly 'advice-default': NoValues;
  readonly 'advice-released-title': { readonly volume: string };
  readonly 'advice-released': { readonly volume: string };
  readonly 'advice-volume-title': NoValues;
  readonly 'advice-volume': { readonly claim: string };
  readonly 'advice-provisioner-title': NoValues;
  readonly 'advice-provisioner': { readonly provisioner: string };
  readonly 'advice-lost-title': NoValues;
  readonly 'advice-lost': { readonly claim: string; readonly volume: string };
  readonly 'advice-deleting-title': NoValues;
  readonly 'advice-deleting': { readonly claim: string };
};

export const state = statementsOf<VolumeUnboundShapes>('volume-unbound');
