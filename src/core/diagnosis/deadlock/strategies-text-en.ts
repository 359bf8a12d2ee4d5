import { code, say, sentences } from '../../language/prose.js';
import { counted, names } from '../../language/words.js';
import { revisionsEn } from './revisions-text-en.js';

/** Bounds of a LeaderWorkerSet. */
export interface GroupBounds {
  readonly maxSurge: string;
  readonly maxUnavailable: string;
  readonly replicas: number;
}

const wholeGroups = ({ maxSurge, maxUnavailable, replicas }: GroupBounds) =>
  say`The rolling update (maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)}) counts whole groups, of ${counted(replicas, 'group', 'groups')}.`;

/** Why the controllers of kinds beyond `apps/v1` stop no old pod, and what changes that, in English. */
export const en = {
  /** Of a Rollout: a canary without a traffic router. */
  'strategy-canary': ({
    maxSurge,
    maxUnavailable,
    replicas,
    unavailable,
  }: {
    readonly maxSurge: string;
    readonly maxUnavailable: string;
    readonly replicas: number;
    readonly unavailable: number;
  }) =>
    sentences(
      say`The canary (maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)}) allows ${unavailable} of ${counted(replicas, 'pod', 'pods')} to be missing.`,
      say`The controller stops no old pod before the new one is available.`,
    ),
  'strategy-routed': ({ replicas }: { readonly replicas: number }) =>
    say`With a traffic router, all ${counted(replicas, 'stable pod stays', 'stable pods stay')} until the new revision is promoted. maxSurge and maxUnavailable are not used.`,
  'strategy-routed-dynamic': ({ weight }: { readonly weight: number }) =>
    say`With ${code('dynamicStableScale')}, stable pods stop only after traffic has moved. The canary gets its weight of ${weight} only when its pods are available.`,
  'strategy-blue-green': ({ replicas }: { readonly replicas: number }) =>
    say`A blue-green update keeps all ${counted(replicas, 'active pod', 'active pods')} until the preview pods are available.`,
  'patch-withheld-unused': () => say`This strategy does not use maxSurge and maxUnavailable of a canary.`,
  'patch-withheld-canary': ({ weight, replicas }: { readonly weight: number; readonly replicas: number }) =>
    say`With maxSurge 0, the controller may remove the waiting canary: weight ${weight} of ${counted(replicas, 'replica', 'replicas')} may be no pod. Then no old pod is replaced at this step.`,
  'scale-down-withheld-rollout': () =>
    say`The controller of a Rollout sets the size of its ReplicaSets again at once.`,
  /** Of a LeaderWorkerSet. */
  'strategy-groups': (bounds: GroupBounds) =>
    sentences(wholeGroups(bounds), say`The controller stops no old group before the new group is ready.`),
  'strategy-groups-in-order': (bounds: GroupBounds) =>
    sentences(
      wholeGroups(bounds),
      say`The StatefulSet of the leaders replaces one leader at a time, the highest number first. It waits until the new leader with the higher number is available.`,
    ),
  'ev-groups': ({ surge, unavailable }: { readonly surge: number; readonly unavailable: number }) =>
    say`${counted(surge, 'extra group', 'extra groups')}, and ${counted(unavailable, 'group', 'groups')} that may be missing`,
  'groups-not-simulated': ({ settings }: { readonly settings: readonly string[] }) =>
    say`This diagnosis does not simulate ${names('en', settings)}. With such a setting, the pods of a group may need other nodes, or the controller may act in another way.`,
  ...revisionsEn,
};
