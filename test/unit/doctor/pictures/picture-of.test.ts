import { describe, expect, it } from 'vitest';
import type { Finding } from '#src/doctor/findings/finding.js';
import type { NodeStrip, Picture, PodCounts } from '#src/doctor/findings/picture.js';
import { podStates } from '#src/doctor/findings/picture.js';
import { signs, toneOf } from '#src/doctor/pictures/picture-lines.js';
import { isWorthShowing, withPicture } from '#src/doctor/pictures/picture-of.js';
import { isTroubled, presentIn, statesOf, troubledIn } from '#src/doctor/pictures/seen-pods.js';
import { troubleOf } from '#src/doctor/pictures/strip-rows.js';
import { buildFinding } from '../../../support/diagnosis.js';
import { crashSnapshot, failingPod } from '../findings/crashes/build.js';

function strip(rows: PodCounts, folded: PodCounts = {}): NodeStrip {
  return {
    v: 1,
    kind: 'node-strip',
    workload: 'shop/web',
    nodes: { all: 1, troubled: 1 },
    groups: [{ rows: [{ node: 'n-a', pods: rows }], folded: { nodes: 0, pods: folded } }],
  };
}

function worth(finding: Partial<Finding> | undefined, picture: Picture | undefined): boolean {
  const findings = finding === undefined ? [] : [buildFinding(finding)];
  return isWorthShowing({ findings, ...(picture === undefined ? {} : { picture }) });
}

describe('a picture is drawn for', () => {
  const byNode: Partial<Finding> = { shows: 'pods-by-node' };
  const ring: Picture = { v: 1, kind: 'wait-cycle', workload: 'w', confidence: 'proven', steps: [] };

  it.each<readonly [string, Partial<Finding> | undefined, Picture | undefined, boolean]>([
    ['a wait cycle', {}, ring, true],
    ['crashing pods on their nodes', byNode, strip({ crashing: 1 }), true],
    ['pods that are not ready, where readiness is the problem', byNode, strip({ 'not-ready': 1 }), true],
    ['failing pods on nodes beyond those drawn', byNode, strip({ ready: 9 }, { crashed: 1 }), true],
    ['not when all its pods are healthy', byNode, strip({ ready: 9 }, { ready: 2, gone: 1 }), false],
    ['not when its pods are only pending', byNode, strip({ waiting: 3 }), false],
    ['not where the problem is elsewhere, though pods crash', {}, strip({ crashing: 1 }), false],
    ['not without a finding', undefined, strip({ crashing: 1 }), false],
    ['not when no pod could be drawn', byNode, undefined, false],
  ])('%s', (_, finding, picture, expected) => {
    expect(worth(finding, picture)).toBe(expected);
  });

  it('no diagnosis is changed when its picture cannot be drawn', () => {
    const diagnosis = { findings: [] } as unknown as Parameters<typeof withPicture>[0];
    const snapshot = crashSnapshot({ pods: [failingPod()] });
    const broken = { ...snapshot, index: undefined } as unknown as typeof snapshot;

    expect(withPicture(diagnosis, broken)).toBe(diagnosis);
    expect(withPicture(diagnosis, { ...snapshot, ...crashSnapshot({ pods: [] }) })).toBe(diagnosis);
    expect(withPicture(diagnosis, snapshot).picture?.kind).toBe('node-strip');
  });
});

describe('the signs of pod states', () => {
  it('are a different character for each state', () => {
    const all = podStates.map((state) => signs[state]);

    expect(new Set(all).size).toBe(podStates.length);
    expect(all.every((sign) => [...sign].length === 1)).toBe(true);
  });

  it('are red for exactly the states that count as failing now, and green for ready pods only', () => {
    expect(podStates.filter((state) => toneOf(state) === 'bad')).toEqual([
      'crashing',
      'restarting',
      'failing',
    ]);
    expect(podStates.filter((state) => toneOf(state) === 'good')).toEqual(['ready']);
    expect(podStates.filter((state) => toneOf(state) === 'faint')).toEqual(['gone']);
    expect(podStates.filter(isTroubled)).toEqual(['crashing', 'restarting', 'failing', 'crashed']);
  });
});

describe('the counts of pod states', () => {
  const all: PodCounts = {
    crashing: 1,
    restarting: 2,
    failing: 3,
    crashed: 4,
    'not-ready': 5,
    waiting: 6,
    ready: 7,
    gone: 8,
  };

  it('sum to failing pods and present pods', () => {
    expect(troubledIn(all)).toBe(10);
    expect(presentIn(all)).toBe(22);
    expect(presentIn({})).toBe(0);
  });

  it('are drawn with the worst states first, no more than fit', () => {
    expect(statesOf({ ready: 3, crashing: 1, gone: 1 }, 4)).toEqual(['crashing', 'ready', 'ready', 'ready']);
    expect(statesOf({ ready: 1 }, 4)).toEqual(['ready']);
    expect(statesOf(all, 0)).toEqual([]);
  });

  it.each<readonly [string, PodCounts, string | undefined]>([
    ['one kind of failure by its name', { failing: 2, ready: 1 }, 'failing'],
    ['several kinds by a common word', { failing: 2, crashed: 1 }, 'mixed'],
    ['none', { ready: 2, 'not-ready': 1, waiting: 1 }, undefined],
    ['none that is counted as zero', { crashing: 0, failing: 1 }, 'failing'],
  ])('have a common failure: %s', (_, pods, trouble) => {
    expect(troubleOf(pods, undefined)).toBe(trouble);
  });

  it('are called by what failing pods have in common, but never the others', () => {
    expect(troubleOf({ failing: 2, ready: 1 }, 'not-started')).toBe('not-started');
    expect(troubleOf({ failing: 2, crashed: 1 }, 'not-started')).toBe('mixed');
    expect(troubleOf({ crashing: 2 }, 'not-started')).toBe('crashing');
  });
});
