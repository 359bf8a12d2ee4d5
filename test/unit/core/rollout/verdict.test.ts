import { describe, expect, it } from 'vitest';
import { type Verdict, type VerdictFacts, verdictOf } from '../../../../src/core/rollout/verdict.js';

const waiting = { kind: 'waiting', for: 'updated', done: 0, of: 3 } as const;
const stuck: VerdictFacts = { findingPresent: true, rollout: waiting, ready: 3, wanted: 3, newAvailable: 0 };

describe('verdictOf', () => {
  it.each<[string, Partial<VerdictFacts>, Verdict]>([
    [
      'the finding is gone and the rollout complete',
      { findingPresent: false, rollout: { kind: 'complete' }, newAvailable: 3 },
      'recovered',
    ],
    [
      'complete, but a pod is not ready',
      { findingPresent: false, rollout: { kind: 'complete' }, ready: 2 },
      'progressing',
    ],
    [
      'the finding is gone and there is no rollout to follow',
      { findingPresent: false, rollout: { kind: 'not-followed' } },
      'recovered',
    ],
    ['the finding is gone while old pods make room', { findingPresent: false, ready: 2 }, 'progressing'],
    ['the finding is still there, but a new pod is available', { newAvailable: 1, ready: 2 }, 'progressing'],
    ['nothing has changed', {}, 'unchanged'],
    ['the finding is still there and fewer pods serve', { ready: 2 }, 'worse'],
    [
      'the finding is gone, the rollout has failed, and fewer pods serve',
      { findingPresent: false, rollout: { kind: 'failed', because: 'progress-deadline-exceeded' }, ready: 1 },
      'worse',
    ],
    [
      'the finding is gone, and the rollout failed before',
      { findingPresent: false, rollout: { kind: 'failed', because: 'progress-deadline-exceeded' } },
      'progressing',
    ],
  ])('%s', (_sentence, after, expected) => {
    expect(verdictOf(stuck, { ...stuck, ...after })).toBe(expected);
  });
});
