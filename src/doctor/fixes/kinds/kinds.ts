import { abortRollout } from './abort-rollout.js';
import { deletePod } from './delete-pod.js';
import { excludeNodes } from './exclude-nodes/plan.js';
import { patchStrategy } from './patch-strategy/kind.js';
import { promoteRollout } from './promote-rollout.js';
import { restartRollout } from './restart-rollout/kind.js';
import { resumeRollout } from './resume-rollout.js';
import { retryRollout } from './retry-rollout.js';
import { scaleDownOld } from './scale-down-old.js';
import { undoRollout } from './undo-rollout/plan.js';

/** Every kind of remediation; a test compares this list with the folders beside it. */
export const kinds = [
  patchStrategy,
  scaleDownOld,
  undoRollout,
  deletePod,
  excludeNodes,
  restartRollout,
  resumeRollout,
  abortRollout,
  promoteRollout,
  retryRollout,
] as const;
