import { describe, expect, it } from 'vitest';
import { downtime, impactInFull, impactInShort } from '#src/doctor/fixes/impact-text.js';
import type { Impact, Prediction } from '#src/doctor/fixes/offered-fields.js';
import { plain } from '#src/engine/language/prose.js';

function buildPrice(fields: Partial<Impact> = {}): Impact {
  return { downtime: { kind: 'none' }, drift: 'none', blastRadius: { pods: 0, others: [] }, ...fields };
}

function buildPrediction(fields: Partial<Prediction> = {}): Prediction {
  return { victims: [], placements: [], ends: 'complete', competitors: [], ...fields };
}

const pod = (name: string) => ({ kind: 'Pod', namespace: 'batch', name });

const lengths: readonly (readonly [Impact['downtime'], string, string])[] = [
  [{ kind: 'none' }, 'no downtime', '무중단'],
  [{ kind: 'gap', seconds: 40 }, 'about 40 s of downtime', '약 40초 중단'],
  [{ kind: 'gap' }, 'downtime of unknown length', '서비스 중단(시간은 알 수 없음)'],
  [
    { kind: 'reduced', seconds: 90, readyAtLeast: 2, replicas: 3 },
    'about 1 min 30 s with 2 of 3 pods ready',
    '약 1분 30초 동안 파드 3개 중 2개만 Ready',
  ],
  [{ kind: 'reduced' }, 'temporarily fewer pods ready', '일시적으로 준비된 파드가 줄어듦'],
];

describe('the downtime in words', () => {
  it.each(lengths)('%j', (length, en, ko) => {
    const price = buildPrice({ downtime: length });
    expect(plain(downtime(price, 'en'))).toBe(en);
    expect(plain(downtime(price, 'ko'))).toBe(ko);
  });
});

describe('the cost of a change', () => {
  it('in its short form states the downtime and the drift', () => {
    const prediction = buildPrediction({ ends: 'stuck', competitors: [pod('train-8')] });
    expect(impactInShort(buildPrice(), prediction, 'en').map(plain)).toEqual([
      'batch/train-8 could take the freed resources',
      'no downtime',
      'the rollout then gets stuck',
    ]);
  });

  it('in its full form states everything, including what the change does not affect', () => {
    expect(
      impactInFull({ kind: 'patch-strategy', price: buildPrice(), prediction: buildPrediction() }, 'en').map(
        plain,
      ),
    ).toEqual([
      'no downtime',
      'stops no pod',
      'no drift from Git',
      'the rollout then completes if its new pods become ready',
    ]);
  });

  it('promises no end that depends on new pods', () => {
    const rollback = (placements: Prediction['placements']) =>
      impactInFull(
        { kind: 'undo-rollout', price: buildPrice(), prediction: buildPrediction({ placements }) },
        'en',
      ).map(plain);

    expect(rollback([])).toContain('the rollout then completes');
    expect(rollback([{ pod: pod('web-1'), node: 'n-a' }])).toContain(
      'the rollout then completes if its new pods become ready',
    );
  });

  it('leaves the end of an update to the effects of the change, unless it is not reached', () => {
    const ends = (end: 'complete' | 'stuck') =>
      impactInFull(
        { kind: 'abort-rollout', price: buildPrice(), prediction: buildPrediction({ ends: end }) },
        'en',
      ).map(plain);

    expect(ends('complete')).toEqual(['no downtime', 'stops no pod', 'no drift from Git']);
    expect(ends('stuck')).toContain('the rollout then gets stuck');
  });

  it.each(['strategy', 'template', 'replicas', 'none'] as const)(
    'states the drift %s in both languages',
    (drift) => {
      const price = buildPrice({ drift });
      for (const language of ['en', 'ko'] as const) {
        expect(
          impactInFull({ kind: 'patch-strategy', price, prediction: buildPrediction() }, language)
            .map(plain)
            .join(),
        ).not.toBe('');
      }
    },
  );
});
