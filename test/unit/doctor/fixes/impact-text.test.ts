import { describe, expect, it } from 'vitest';
import {
  declaredImpact,
  downtime,
  impactInFull,
  impactInShort,
  undoImpactInFull,
} from '#src/doctor/fixes/impact-text.js';
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

  it.each<[Impact['drift'], string]>([
    ['strategy', 'the strategy will differ from the manifest'],
    ['template', 'starts a new revision, and the pod template will differ from the manifest'],
    ['replicas', 'changes the number of replicas'],
    ['none', 'no drift from Git'],
  ])('states the drift %s in both languages', (drift, words) => {
    const price = buildPrice({ drift, blastRadius: { pods: 2, others: [pod('a'), pod('b')] } });
    const change = { kind: 'patch-strategy', price, prediction: buildPrediction({ ends: 'stuck' }) } as const;
    expect(impactInFull(change, 'en').map(plain)).toEqual([
      'no downtime',
      'stops 2 pods',
      words,
      'also affects batch/a and batch/b',
      'the rollout then gets stuck',
    ]);
    expect(impactInFull(change, 'ko').map(plain)).toHaveLength(5);
  });

  it('names one thing of each kind in its short form, and counts several', () => {
    const short = (count: number, more: number, end: Prediction['ends'] = 'complete', most?: number) =>
      impactInShort(
        buildPrice({
          blastRadius: { pods: 1, others: Array.from({ length: more }, (_, at) => pod(`o-${at}`)) },
        }),
        buildPrediction({ ends: end, competitors: Array.from({ length: count }, (_, at) => pod(`c-${at}`)) }),
        'en',
        most,
      ).map(plain);

    expect(short(0, 0)).toEqual(['no downtime']);
    expect(short(1, 1)).toEqual([
      'batch/c-0 could take the freed resources',
      'no downtime',
      'also affects batch/o-0',
    ]);
    expect(short(2, 2, 'unknown')).toEqual([
      '2 waiting pods could take the freed resources',
      'no downtime',
      'also affects 2 other workloads',
      'the rollout afterwards could not be simulated',
    ]);
    expect(short(2, 0, 'complete', 2)).toEqual([
      'batch/c-0 could take the freed resources',
      'batch/c-1 could take the freed resources',
      'no downtime',
    ]);
  });

  it('of an undo leaves out the drift, and an end where none is to be seen', () => {
    const undo = (kind: 'patch-strategy' | 'resume-rollout', pods: number, ends: Prediction['ends']) =>
      undoImpactInFull(
        {
          kind,
          price: buildPrice({ blastRadius: { pods, others: [] } }),
          prediction: buildPrediction({ ends }),
        },
        'en',
      ).map(plain);

    expect(undo('patch-strategy', 0, 'complete')).toEqual(['no downtime', 'stops no pod']);
    expect(undo('patch-strategy', 0, 'stuck')).toEqual([
      'no downtime',
      'stops no pod',
      'the rollout then gets stuck',
    ]);
    expect(undo('patch-strategy', 1, 'complete')).toEqual([
      'no downtime',
      'stops 1 pod',
      'the rollout then completes if its new pods become ready',
    ]);
    expect(undo('resume-rollout', 1, 'stuck')).toEqual(['no downtime', 'stops 1 pod']);
  });

  it('has no drift where Git declares it', () => {
    const price = buildPrice({ drift: 'template', downtime: { kind: 'gap', seconds: 5 } });
    expect(declaredImpact(price)).toEqual({ ...price, drift: 'none' });
  });
});
