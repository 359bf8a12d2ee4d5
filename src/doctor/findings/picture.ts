import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';
import { WaitCycle } from './wait-cycle.js';

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

/** What the pods that count as `failing` have in common. */
const failingKinds = ['not-started', 'evicted', 'rejected'] as const;
const FailingKind = z.enum(failingKinds);
export type FailingKind = z.output<typeof FailingKind>;

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
  /** Absent without failing pods, where they differ, and in earlier records. */
  failing: FailingKind.optional().catch(undefined),
});
export type NodeStrip = Immutable<z.output<typeof NodeStrip>>;

/** What is drawn of one diagnosis: small, bounded, and free of words, so that it is told in any language. */
export const Picture = z.discriminatedUnion('kind', [NodeStrip, WaitCycle]);
export type Picture = Immutable<z.output<typeof Picture>>;

/** Rows that are kept of a group; a surface may show fewer. */
export const maxRows = 10;
