import * as z from 'zod';
import { fact } from '../../facts.js';

export const RolloutPausedFacts = z.strictObject({
  revision: fact.text('The present revision'),
  heldAt: fact
    .oneOf(
      ['pause-step', 'promotion', 'analysis'],
      'Where an update of Argo Rollouts waits for a person; absent where `spec.paused` is set. `analysis`: one without a conclusion',
    )
    .optional(),
  step: fact.count('The step of the canary that it waits at, from 1').optional(),
  steps: fact.count('Steps of the canary').optional(),
  pausedBy: fact.text('Who wrote spec.paused, as the API server recorded the writer').optional(),
  pausedAt: fact.time('The last write of this writer, or the start of the pause').optional(),
  pausedSeconds: fact.seconds('How long the rollout has been paused').optional(),
  stage: fact.oneOf(['never-begun', 'not-begun', 'half-way'], '`never-begun`: it has no pods at all'),
  updated: fact.count('Pods of the present revision'),
  old: fact.count('Pods of former revisions'),
  wanted: fact.count('Pods wanted'),
  changes: z
    .array(
      z.strictObject({ path: fact.text('Path in the pod template'), after: fact.text('New value, or `-`') }),
    )
    .describe('Fields in which the pod template differs from the former revision'),
});
