import type { Pod } from '../../../cluster/pod.js';
import type { Lease } from '../../../cluster/policy.js';

/** A lease that an old pod holds and renews. */
export interface HeldLease {
  readonly lease: Lease;
  readonly holder: Pod;
}
