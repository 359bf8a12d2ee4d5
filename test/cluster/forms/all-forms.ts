import { autoscaling } from './autoscaling.js';
import { availability } from './availability.js';
import { calmForms } from './calm.js';
import { calmNeighbours } from './calm-neighbours.js';
import { certainty } from './certainty.js';
import { chains } from './chains.js';
import { clocks } from './clocks.js';
import { containers } from './containers.js';
import { dependencies } from './dependencies.js';
import { elsewhere } from './elsewhere.js';
import { failures } from './failures.js';
import type { FormGroup } from './form.js';
import { lateNeighbours } from './late-neighbours.js';
import { leavers } from './leavers.js';
import { locks } from './locks.js';
import { neighbours } from './neighbours.js';
import { oneNode } from './one-node.js';
import { ordered } from './ordered.js';
import { placement } from './placement.js';
import { podLevel } from './pod-level.js';
import { queue } from './queue.js';
import { quotaQueue } from './quota-queue.js';
import { quotaScopes } from './quota-scopes.js';
import { quotaSets } from './quota-sets.js';
import { restarts } from './restarts.js';
import { setNeighbours } from './set-neighbours.js';
import { slots } from './slots.js';

/** Every form of an incident that is recorded and whose fixes are applied. */
export const allForms: readonly FormGroup[] = [
  neighbours,
  lateNeighbours,
  queue,
  quotaQueue,
  locks,
  leavers,
  ordered,
  failures,
  restarts,
  dependencies,
  certainty,
  calmForms,
  oneNode,
  slots,
  podLevel,
  chains,
  setNeighbours,
  placement,
  quotaScopes,
  containers,
  availability,
  elsewhere,
  quotaSets,
  autoscaling,
  clocks,
  calmNeighbours,
];
