import * as z from 'zod';
import { Statement } from '../../engine/language/statement.js';
import { SnapshotAge } from '../../engine/objects/snapshot.js';
import type { Immutable } from '../../engine/objects/wire.js';
import { WorkloadRef } from '../../engine/objects/workload.js';
import { Owner } from '../../engine/owners/field-drift.js';
import { Remediation } from '../fixes/remediation.js';
import { CauseId } from './cause-id.js';
import { Finding } from './finding.js';
import { Picture } from './picture.js';

/** What a change that a person asked for would come to, on the cluster as it was read. */
export const RequestedForecast = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('possible'),
    /** Its id begins with `requested-`. */
    remediation: Remediation,
    /** The gravest of what speaks against it, as the title of the card states it; absent in older records. */
    verdict: Statement.optional(),
    /** Why it should not be approved lightly, the gravest first; empty when nothing speaks against it. */
    warnings: z.array(Statement),
    /** The rollout would not complete: old pods keep what new ones need, or it stops for another reason. */
    stops: z.enum(['deadlock', 'halfway']).optional(),
    /** Who else writes the workload. */
    owners: z.array(Owner),
  }),
  /** It cannot be planned, or it would change nothing. */
  z.object({ type: z.literal('impossible'), because: Statement }),
]);
export type RequestedForecast = Immutable<z.output<typeof RequestedForecast>>;

/** Something that could not be read, and which causes could therefore not be told. */
export const UnseenInDiagnosis = z.object({
  what: z.string(),
  namespace: z.string(),
  because: z.string(),
  message: z.string(),
  weakens: z.array(CauseId),
  /** Pods of other workloads: whether this one has a problem does not depend on them while it is complete. */
  ofOthers: z.literal(true).optional(),
});
export type UnseenInDiagnosis = Immutable<z.output<typeof UnseenInDiagnosis>>;

/** `complete`: with all its pods. `moving`: on the way, or waiting as it should. `stopped`: neither. */
export const Completion = z.enum(['complete', 'moving', 'stopped']);
export type Completion = z.output<typeof Completion>;

/** The answer to one diagnosis of one workload. */
export const Diagnosis = z.object({
  /** RFC3339. */
  takenAt: z.string(),
  /** Durations are lower bounds: recorded objects state no moment at which they were read. */
  isTimeUnknown: z.literal(true).optional(),
  workload: WorkloadRef,
  /** The object that people own and name in place of the workload; absent where that is the workload. */
  ownedBy: z.object({ kind: z.string(), name: z.string() }).optional(),
  uid: z.string(),
  generation: z.number(),
  /** The Deployment's revision, or the update revision's name; '' when it has none yet. */
  revision: z.string(),
  /** Ready pods of wanted ones, for the card's line about users. */
  /** `old`: ready pods of earlier revisions; absent where there are none. */
  ready: z.object({ pods: z.number(), wanted: z.number(), old: z.number().optional() }),
  /**
   * Pods of the new revision and pods wanted, while the rollout is under way; absent when it is complete or
   * paused.
   */
  underWay: z.object({ updated: z.number(), wanted: z.number() }).optional(),
  /** How far the workload is, whatever was found; absent in records of older programs. */
  completion: Completion.optional(),
  findings: z.array(Finding),
  /** What the change would come to that a person asked for; absent where nobody asked. */
  requested: RequestedForecast.optional(),
  unseen: z.array(UnseenInDiagnosis),
  /** Rules that failed by themselves: a defect of ours, said beside the others' findings. */
  defects: z.array(z.object({ cause: CauseId, message: z.string() })),
  /** The work of one diagnosis was spent: later questions have no answer (docs/engines.md). */
  workSpent: z.literal(true).optional(),
  /** How new the objects were; absent where they were not read from a cluster. */
  age: SnapshotAge.optional(),
  /** What to draw of it. One that a newer program wrote, and this one does not know, is left out. */
  picture: Picture.optional().catch(undefined),
  /** Names in this diagnosis that belong to other namespaces, the namespace's own name among them. */
  foreign: z.array(z.object({ namespace: z.string(), names: z.array(z.string()) })).optional(),
});
/** What was left out of a diagnosis for those who are about to read it. */
type LeftOut = { readonly logs: boolean; readonly names: boolean };
export type Diagnosis = Immutable<z.output<typeof Diagnosis>> & {
  /** Never stored: set by `visibleDiagnosis`. */
  readonly leftOut?: LeftOut | undefined;
};
