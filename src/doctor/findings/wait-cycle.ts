import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';

/** Who waits: pods, or, by the name of its creator, a pod that was not created. */
export const Party = z.object({
  role: z.enum(['new-pod', 'old-pod', 'unmade-pod']),
  /** At most `maxNames`; the others are counted. */
  names: z.array(z.string()),
  more: z.number(),
  /** `namespace/name`, where workloads have to be told apart. */
  workload: z.string().optional(),
});
export type Party = Immutable<z.output<typeof Party>>;

/** What a party waits for; who has it, or brings it about, is the next party. */
export const Wait = z.discriminatedUnion('for', [
  z.object({
    for: z.literal('resource'),
    resource: z.string(),
    /** How much or which, in the form of the resource's class; '' where it is not known. */
    amount: z.string(),
    nodes: z.array(z.string()),
    moreNodes: z.number(),
  }),
  /** Room on a node, of which it is not said what is short there. */
  z.object({ for: z.literal('place'), node: z.string() }),
  z.object({ for: z.literal('quota'), quota: z.string(), resource: z.string() }),
  /** Pods of its group that the controller does not create beside the next party. */
  z.object({ for: z.literal('group'), group: z.string(), missing: z.number() }),
  z.object({ for: z.literal('volume'), volume: z.string(), node: z.string() }),
  z.object({ for: z.literal('lease'), lease: z.string() }),
  z.object({ for: z.literal('lock') }),
  /** The controller takes it only when the next party is ready. */
  z.object({ for: z.literal('readiness') }),
]);
export type Wait = Immutable<z.output<typeof Wait>>;

/** A wait cycle: each party waits for the next one, the last for the first. */
export const WaitSteps = z.array(z.object({ who: Party, waits: Wait })).min(2);
export type WaitSteps = Immutable<z.output<typeof WaitSteps>>;
export type WaitStep = WaitSteps[number];

/** A wait cycle as a picture. */
export const WaitCycle = z.object({
  v: z.literal(1),
  kind: z.literal('wait-cycle'),
  workload: z.string(),
  confidence: z.enum(['proven', 'likely']),
  steps: WaitSteps,
});
export type WaitCycle = Immutable<z.output<typeof WaitCycle>>;

/** Names that are kept of a party or of the nodes of a wait. */
const maxNames = 2;
/** As long as the longest namespace and name together. */
const maxNameLength = 320;

/** @param count how many there are, where not all are named */
export function partyOf(
  role: Party['role'],
  names: readonly string[],
  { count = names.length, workload }: { count?: number; workload?: string } = {},
): Party {
  const shown = names.slice(0, maxNames);
  return {
    role,
    names: shown.map(shortened),
    more: Math.max(0, count - shown.length),
    ...(workload === undefined ? {} : { workload: shortened(workload) }),
  };
}

/** Old pods that the controller keeps until the next party is ready. */
export function keptUntilReady(names: readonly string[], workload?: string): WaitStep {
  return {
    who: partyOf('old-pod', names, workload === undefined ? {} : { workload }),
    waits: { for: 'readiness' },
  };
}

/** @param amount '' where it is not known */
export function waitForResource(resource: string, amount: string, nodes: readonly string[]): Wait {
  return {
    for: 'resource',
    resource: shortened(resource),
    amount: shortened(amount),
    nodes: nodes.slice(0, maxNames).map(shortened),
    moreNodes: Math.max(0, nodes.length - maxNames),
  };
}

export function waitForQuota(quota: string, resource: string): Wait {
  return { for: 'quota', quota: shortened(quota), resource: shortened(resource) };
}

export function waitForGroup(group: string, missing: number): Wait {
  return { for: 'group', group: shortened(group), missing };
}

export function waitForVolume(volume: string, node: string): Wait {
  return { for: 'volume', volume: shortened(volume), node: shortened(node) };
}

/** @param lease `undefined` where the lock could not be named */
export function waitForLock(lease: string | undefined): Wait {
  return lease === undefined ? { for: 'lock' } : { for: 'lease', lease: shortened(lease) };
}

export function waitForPlace(node: string): Wait {
  return { for: 'place', node: shortened(node) };
}

function shortened(name: string): string {
  return name.slice(0, maxNameLength);
}
