import { describe, expect, it } from 'vitest';
import { readSteps, replay } from '../../../cluster/steps/step-file.js';

/** `npm run record:steps` wrote what is expected here; nothing else does. */
describe.each(['rollout', 'quota'] as const)('each step of a %s', (engine) => {
  const { recorded, steps } = readSteps(engine);
  const programs = Object.entries(recorded.programs).map((each) => each.join(' '));

  it.each(steps.map((each) => [each.step.id, each] as const))(
    `is that of ${programs.join(', ')} (seed ${recorded.seed}): %s`,
    (_, each) => {
      const { real, engine: answered } = replay(recorded, each);
      expect(answered).toEqual(real);
    },
  );
});
