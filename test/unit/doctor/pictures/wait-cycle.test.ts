import { describe, expect, it } from 'vitest';
import type { Finding } from '#src/doctor/findings/finding.js';
import {
  keptUntilReady,
  partyOf,
  type WaitCycle,
  type WaitSteps,
  waitForLock,
  waitForPlace,
  waitForQuota,
  waitForResource,
  waitForVolume,
} from '#src/doctor/findings/wait-cycle.js';
import { captionOf, spokenPicture } from '#src/doctor/pictures/caption.js';
import { pictureLines } from '#src/doctor/pictures/picture-lines.js';
import { waitCycleOf } from '#src/doctor/pictures/picture-of.js';
import { plain } from '#src/engine/language/prose.js';
import { buildFinding } from '../../../support/diagnosis.js';

const subject = { kind: 'Deployment', namespace: 'shop', name: 'web' } as const;

const steps: WaitSteps = [
  { who: partyOf('new-pod', ['web-new']), waits: waitForResource('cpu', '2', ['n-a']) },
  keptUntilReady(['web-old']),
];

const finding = (fields: Partial<Finding> = {}): Finding =>
  buildFinding({ subject, waitCycle: steps, ...fields });

function read(picture: WaitCycle | undefined, columns = 60): string {
  if (picture === undefined) return '';
  return pictureLines(picture, 'en', columns)
    .map((line) => line.map(({ text }) => text).join(''))
    .join('\n');
}

describe('the picture of a wait cycle', () => {
  it('has the steps of the finding, and states whether they are proven or likely', () => {
    expect(waitCycleOf(finding())).toEqual({
      v: 1,
      kind: 'wait-cycle',
      workload: 'shop/web',
      confidence: 'proven',
      steps,
    });
    expect(waitCycleOf(finding({ confidence: 'likely' }))?.confidence).toBe('likely');
  });

  it.each<[string, Partial<Finding>]>([
    ['names no cycle', { waitCycle: undefined }],
    ['is merely possible', { confidence: 'possible' }],
  ])('is undefined where the finding %s', (_, fields) => {
    expect(waitCycleOf(finding(fields))).toBeUndefined();
  });
});

describe('a step of a wait cycle', () => {
  it('names at most two pods and two nodes, and counts the others', () => {
    expect(partyOf('new-pod', ['web-new'], { count: 3 })).toMatchObject({ names: ['web-new'], more: 2 });
    expect(keptUntilReady(['a', 'b', 'c', 'd', 'e']).who).toMatchObject({ names: ['a', 'b'], more: 3 });
    expect(waitForResource('cpu', '2', ['n-a', 'n-b', 'n-c'])).toMatchObject({
      nodes: ['n-a', 'n-b'],
      moreNodes: 1,
    });
  });

  it('keeps no name that is longer than a namespace and a name together', () => {
    const long = 'x'.repeat(999);
    const kept = 'x'.repeat(320);

    expect(keptUntilReady([long], long).who).toMatchObject({ names: [kept], workload: kept });
    expect(waitForQuota(long, long)).toEqual({ for: 'quota', quota: kept, resource: kept });
    expect(waitForVolume(long, long)).toEqual({ for: 'volume', volume: kept, node: kept });
    expect(waitForLock(long)).toEqual({ for: 'lease', lease: kept });
    expect(waitForPlace(long)).toEqual({ for: 'place', node: kept });
  });

  it('waits for a lock where the lease is unknown', () => {
    expect(waitForLock(undefined)).toEqual({ for: 'lock' });
  });
});

describe('the lines of a wait cycle', () => {
  const picture = waitCycleOf(finding());

  it('lead down from one step to the next, and from the last back to the first', () => {
    expect(read(picture)).toBe(
      [
        '┌─▶ new pod web-new',
        '│   │ needs cpu on n-a',
        '│   ▼ in use by',
        '│   old pod web-old',
        '│   │ is kept until',
        '└───┘ the new pod is ready',
      ].join('\n'),
    );
  });

  it.each([24, 30, 40])('are at most %i columns wide', (columns) => {
    const long = waitCycleOf(
      finding({
        waitCycle: [
          {
            who: partyOf('new-pod', ['inference-gateway-5985d4c6c5-mbbwp']),
            waits: waitForResource('cpu', '2', ['n-a']),
          },
          keptUntilReady(['inference-gateway-77c6f9d8b-zq2lk']),
        ],
      }),
    );
    const lines = read(long, columns).split('\n');

    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    expect(lines[0]?.startsWith('┌─▶ ')).toBe(true);
    expect(lines.filter((line) => line.startsWith('┌')).length).toBe(1);
    expect(lines.at(-1)?.startsWith('└───┘ ')).toBe(true);
    expect(lines.filter((line) => line.startsWith('└')).length).toBe(1);
  });

  it('have as many sentences as steps', () => {
    if (picture === undefined) throw new Error('no circle');
    const [caption, told] = spokenPicture(picture, 'en').map(plain);

    expect(caption).toBe(plain(captionOf(picture, 'en')));
    expect(told?.match(/\./g)).toHaveLength(2);
    expect(told).toContain('The old pod web-old is kept until the new pod web-new is ready.');
  });
});
