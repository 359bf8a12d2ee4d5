import { abortRollout } from './abort-rollout/kind.js';
import { deletePod } from './delete-pod/kind.js';
import { excludeNodes } from './exclude-nodes/kind.js';
import { patchStrategy } from './patch-strategy/kind.js';
import { promoteRollout } from './promote-rollout/kind.js';
import { restartRollout } from './restart-rollout/kind.js';
import { resumeRollout } from './resume-rollout/kind.js';
import { retryRollout } from './retry-rollout/kind.js';
import { scaleDownOld } from './scale-down-old/kind.js';
import { undoRollout } from './undo-rollout/kind.js';

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
