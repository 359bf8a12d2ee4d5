import * as z from 'zod';
import type { Immutable } from './wire.js';

/**
 * How new the objects of a snapshot are. The workload is read from etcd, lists come from the watch cache of
 * the API server, and what a proof rests on is read from etcd once more at the end, object by object.
 */
export const SnapshotAge = z.object({
  lists: z.literal('watch-cache'),
  /**
   * The lists of its pods and revisions are not older than this version of the workload; '' where it is not
   * known.
   */
  notOlderThan: z.string(),
  /** Kinds whose cache did not reach that version: their lists may be older. */
  older: z.array(z.string()),
  /** Objects that were read again. */
  confirmed: z.number(),
  /** Of them, how many had changed or were gone: the snapshot shows them as they are. */
  corrected: z.number(),
  /** Objects that could not be read again; the snapshot shows them as the cache had them. */
  unconfirmed: z.number(),
  /** Milliseconds since the watch that the nodes come from told something; absent: the nodes were listed. */
  watchedNodesMs: z.number().optional(),
  /** Nodes whose pods come from a watch that is not older than the lists of pods; absent: all were listed. */
  watchedPodsOn: z.number().optional(),
});
export type SnapshotAge = Immutable<z.output<typeof SnapshotAge>>;
