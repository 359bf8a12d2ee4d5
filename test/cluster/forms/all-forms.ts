import { calmForms } from './calm.js';
import { certainty } from './certainty.js';
import { dependencies } from './dependencies.js';
import { failures } from './failures.js';
import type { FormGroup } from './form.js';
import { lateNeighbours } from './late-neighbours.js';
import { leavers } from './leavers.js';
import { locks } from './locks.js';
import { neighbours } from './neighbours.js';
import { ordered } from './ordered.js';
import { queue } from './queue.js';
import { quotaQueue } from './quota-queue.js';
import { restarts } from './restarts.js';

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
];
