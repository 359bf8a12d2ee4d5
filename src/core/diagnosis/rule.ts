import type { ResourceKind } from '../cluster/cluster-objects.js';
import type { Snapshot } from '../cluster/snapshot.js';
import type { WorkloadKind } from '../cluster/workload.js';
import type { Placement } from '../placement/placement.js';
import type { CauseId } from './cause-id.js';
import type { Finding } from './finding.js';

/** What a rule may ask: the snapshot and the engines over it, shared by all rules of one diagnosis. */
export interface Examination {
  readonly snapshot: Snapshot;
  readonly placement: Placement;
}

/** Detects one cause in a snapshot. Pure: equal snapshots give equal findings. */
export interface Rule {
  readonly id: CauseId;
  readonly appliesTo: readonly WorkloadKind[];
  /** Kinds it must see; the reader loads the union of all rules' needs once. */
  readonly needs: readonly (ResourceKind | 'PodLog')[];
  /** Causes that this one explains better when both are found. */
  readonly supersedes: readonly CauseId[];
  /** Which of those it explains; all of the same container when left out. */
  readonly explains?: (own: Finding, other: Finding) => boolean;
  detect(examination: Examination): Finding | undefined;
}
