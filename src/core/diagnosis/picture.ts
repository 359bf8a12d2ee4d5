import { z } from 'zod';
import type { Immutable } from '../cluster/wire.js';

/** How a pod is, the worst first. */
export const podStates = [
  /** A run of its own ended badly, and the kubelet starts it again. */
  'crashing',
  /** Ends well or is killed by a probe, and the kubelet starts it again. */
  'restarting',
  /** Never got to run, or was taken away: no image, no volume, evicted, refused by its node. */
  'failing',
  /** Runs again after a crash of the last day. */
  'crashed',
  /** Has a node and is not ready. */
  'not-ready',
  /** Has no node. */
  'waiting',
  'ready',
  /** Ended, or being deleted. */
  'gone',
] as const;
export const PodState = z.enum(podStates);
export type PodState = z.output<typeof PodState>;

/** How many pods are in each state; a state without pods is left out. */
export const PodCounts = z.partialRecord(PodState, z.number());
export type PodCounts = Immutable<z.output<typeof PodCounts>>;

/** The pods of one workload on one node. */
export const StripRow = z.object({
  /** '' for pods without a node. */
  node: z.string(),
  pods: PodCounts,
  /** Of its troubled pods, the fewest and the most of one pod; absent where none restarted. */
  restarts: z.object({ least: z.number(), most: z.number() }).optional(),
  /** With which all its troubled pods ended. */
  exitCode: z.number().optional(),
});
export type StripRow = Immutable<z.output<typeof StripRow>>;

export const StripGroup = z.object({
  /** Absent where the pods are not told apart by revision. `name` is '' for several former ones. */
  revision: z.object({ age: z.enum(['new', 'former']), name: z.string() }).optional(),
  /** The troubled nodes first, then by name; never more than `maxRows`. */
  rows: z.array(StripRow).min(1),
  /** The nodes beyond. */
  folded: z.object({ nodes: z.number(), pods: PodCounts }),
});
export type StripGroup = Immutable<z.output<typeof StripGroup>>;

/** Nodes × pods: every pod of the workload exactly once, in a row or folded. */
export const NodeStrip = z.object({
  v: z.literal(1),
  kind: z.literal('node-strip'),
  workload: z.string(),
  /** On which its pods are, and those of them with pods in trouble. */
  nodes: z.object({ all: z.number(), troubled: z.number() }),
  groups: z.array(StripGroup).min(1),
});
export type NodeStrip = Immutable<z.output<typeof NodeStrip>>;

/** Who stands in a circle: pods, or, by the name of its creator, a pod that is not made. */
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
  z.object({ for: z.literal('volume'), volume: z.string(), node: z.string() }),
  z.object({ for: z.literal('lease'), lease: z.string() }),
  z.object({ for: z.literal('lock') }),
  /** The controller takes it only when the next party is ready. */
  z.object({ for: z.literal('readiness') }),
]);
export type Wait = Immutable<z.output<typeof Wait>>;

/** A circle: each party waits for the next one, the last for the first. */
export const WaitCycle = z.object({
  v: z.literal(1),
  kind: z.literal('wait-cycle'),
  workload: z.string(),
  confidence: z.enum(['proven', 'likely']),
  steps: z.array(z.object({ who: Party, waits: Wait })).min(2),
});
export type WaitCycle = Immutable<z.output<typeof WaitCycle>>;

/** What is drawn of one diagnosis: small, bounded, and free of words, so that it is told in any language. */
export const Picture = z.discriminatedUnion('kind', [NodeStrip, WaitCycle]);
export type Picture = Immutable<z.output<typeof Picture>>;

/** Rows that are kept of a group; a surface may show fewer. */
export const maxRows = 10;
/** Names that are kept of a party or of the nodes of a wait. */
export const maxNames = 2;
