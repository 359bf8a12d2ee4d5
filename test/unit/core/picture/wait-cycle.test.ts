import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../../src/core/diagnosis/finding.js';
import type { WaitCycle } from '../../../../src/core/diagnosis/picture.js';
import { plain } from '../../../../src/core/language/prose.js';
import type { Statement } from '../../../../src/core/language/statement.js';
import { captionOf, spokenPicture } from '../../../../src/core/picture/caption.js';
import { pictureLines } from '../../../../src/core/picture/picture-lines.js';
import { waitCycle } from '../../../../src/core/picture/wait-cycle.js';

const subject = { kind: 'Deployment', namespace: 'shop', name: 'web' } as const;

interface Said {
  readonly cause: string;
  readonly reasoning: readonly {
    readonly key: string;
    readonly values: object;
    readonly catalogue?: string;
  }[];
  readonly confidence?: Finding['confidence'];
  readonly holders?: readonly string[];
  readonly nodes?: readonly string[];
  readonly resource?: string;
  readonly evidence?: readonly object[];
}

/** A finding that says just this. */
function saying({
  cause,
  reasoning,
  confidence = 'proven',
  holders = [],
  nodes = [],
  resource,
  evidence = [],
}: Said): Finding {
  return {
    cause,
    confidence,
    subject,
    nodes,
    holders: holders.map((name) => ({ kind: 'Pod', namespace: 'shop', name })),
    reasoning: reasoning.map(
      ({ key, values, catalogue = cause }): Statement => ({ catalogue, key, values }) as Statement,
    ),
    evidence,
    ...(resource === undefined ? {} : { resource }),
  } as unknown as Finding;
}

const needs = (values: object = {}) => ({
  key: 'needs',
  values: { pod: 'web-new', waiting: 1, resource: 'cpu', amount: '2', nodes: ['n-a'], ...values },
});
const held = (pods: readonly string[] = ['web-old']) => ({ key: 'held', values: { pods, node: 'n-a' } });

function read(picture: WaitCycle | undefined, columns = 60): string {
  if (picture === undefined) return '';
  return pictureLines(picture, 'en', columns)
    .map((line) => line.map(({ text }) => text).join(''))
    .join('\n');
}

describe('the circle that a finding states', () => {
  it('over a resource goes from the new pod to the old one and back', () => {
    expect(waitCycle(saying({ cause: 'surge-deadlock', reasoning: [needs(), held()] }))).toEqual({
      v: 1,
      kind: 'wait-cycle',
      workload: 'shop/web',
      confidence: 'proven',
      steps: [
        {
          who: { role: 'new-pod', names: ['web-new'], more: 0 },
          waits: { for: 'resource', resource: 'cpu', amount: '2', nodes: ['n-a'], moreNodes: 0 },
        },
        { who: { role: 'old-pod', names: ['web-old'], more: 0 }, waits: { for: 'readiness' } },
      ],
    });
  });

  it('over a quota begins with a pod that is not made', () => {
    const refused = { key: 'refused', values: { creator: 'web-2', quota: 'team', resource: 'limits.cpu' } };

    expect(waitCycle(saying({ cause: 'quota-deadlock', reasoning: [refused, held()] }))?.steps).toMatchObject(
      [
        {
          who: { role: 'unmade-pod', names: ['web-2'] },
          waits: { for: 'quota', quota: 'team', resource: 'limits.cpu' },
        },
        { who: { role: 'old-pod', names: ['web-old'] }, waits: { for: 'readiness' } },
      ],
    );
  });

  it.each([
    ['by its claim', 'data', 'data'],
    ['by its own name, where no claim is known', '', 'pv-1'],
  ])('over a volume names it %s', (_, claim, volume) => {
    const waits = { key: 'waits', values: { pod: 'web-new', claim, volume: 'pv-1' } };

    expect(
      waitCycle(saying({ cause: 'volume-attach-deadlock', reasoning: [waits, held()] }))?.steps,
    ).toMatchObject([
      { who: { role: 'new-pod', names: ['web-new'] }, waits: { for: 'volume', volume, node: 'n-a' } },
      { who: { role: 'old-pod', names: ['web-old'] }, waits: { for: 'readiness' } },
    ]);
  });

  it.each([
    [
      'a lease by its name',
      [{ key: 'holds', values: { lease: 'leader' } }],
      { for: 'lease', lease: 'leader' },
    ],
    ['a lock that nobody could name', [], { for: 'lock' }],
  ])('over %s', (_, holds, waits) => {
    const runs = { key: 'runs', values: { pod: 'web-new' } };
    const finding = saying({
      cause: 'readiness-deadlock',
      reasoning: [runs, ...holds],
      holders: ['web-old'],
    });

    expect(waitCycle(finding)?.steps).toMatchObject([
      { who: { role: 'new-pod', names: ['web-new'] }, waits },
      { who: { role: 'old-pod', names: ['web-old'] }, waits: { for: 'readiness' } },
    ]);
  });

  it('through two workloads tells each pod by its workload', () => {
    const cycle = {
      key: 'cycle',
      values: {
        other: 'pay/api',
        otherWaiting: 'api-new',
        otherHolds: ['api-old'],
        weHold: ['web-old'],
        node: 'n-b',
      },
    };
    const finding = saying({
      cause: 'capacity-contention',
      reasoning: [cycle],
      resource: 'cpu',
      nodes: ['n-a'],
      evidence: [
        { says: { key: 'ev-other' }, object: { name: 'not-this' } },
        { says: { key: 'ev-unschedulable' }, object: { name: 'web-new' } },
      ],
    });

    expect(waitCycle(finding)?.steps.map(({ who, waits }) => [who.workload, who.names[0], waits])).toEqual([
      ['shop/web', 'web-new', { for: 'resource', resource: 'cpu', amount: '', nodes: ['n-a'], moreNodes: 0 }],
      ['pay/api', 'api-old', { for: 'readiness' }],
      ['pay/api', 'api-new', { for: 'place', node: 'n-b' }],
      ['shop/web', 'web-old', { for: 'readiness' }],
    ]);
    expect(waitCycle({ ...finding, evidence: [] })).toBeUndefined();
    expect(waitCycle({ ...finding, reasoning: [] })).toBeUndefined();
  });

  it.each<readonly [string, Said]>([
    ['is merely possible', { cause: 'surge-deadlock', reasoning: [needs(), held()], confidence: 'possible' }],
    ['does not say who holds', { cause: 'surge-deadlock', reasoning: [needs()] }],
    ['does not say who needs', { cause: 'surge-deadlock', reasoning: [held()] }],
    ['speaks of a quota and not of who is refused', { cause: 'quota-deadlock', reasoning: [held()] }],
    [
      'speaks of a refusal and not of who uses it up',
      {
        cause: 'quota-deadlock',
        reasoning: [{ key: 'refused', values: { creator: 'web-2', quota: 'q', resource: 'pods' } }],
      },
    ],
    [
      'speaks of a volume and not of who has it',
      {
        cause: 'volume-attach-deadlock',
        reasoning: [{ key: 'waits', values: { pod: 'web-new', claim: 'data', volume: '' } }],
      },
    ],
    ['speaks of a holder and not of who waits', { cause: 'volume-attach-deadlock', reasoning: [held()] }],
    [
      'does not say which pod runs',
      { cause: 'readiness-deadlock', reasoning: [{ key: 'holds', values: { lease: 'l' } }] },
    ],
    [
      'says so in the words of another cause',
      {
        cause: 'surge-deadlock',
        reasoning: [{ ...needs(), catalogue: 'waiting' }, held()],
      },
    ],
    ['is no deadlock', { cause: 'insufficient-capacity', reasoning: [needs(), held()] }],
  ])('is none where the finding %s', (_, said) => {
    expect(waitCycle(saying(said))).toBeUndefined();
  });

  it('is one where it is likely, and says so', () => {
    expect(
      waitCycle(saying({ cause: 'surge-deadlock', reasoning: [needs(), held()], confidence: 'likely' }))
        ?.confidence,
    ).toBe('likely');
  });

  it('names two of a party and two of the nodes, and counts the others', () => {
    const picture = waitCycle(
      saying({
        cause: 'surge-deadlock',
        reasoning: [needs({ waiting: 3, nodes: ['n-a', 'n-b', 'n-c'] }), held(['a', 'b', 'c', 'd', 'e'])],
      }),
    );

    expect(picture?.steps).toMatchObject([
      { who: { names: ['web-new'], more: 2 }, waits: { nodes: ['n-a', 'n-b'], moreNodes: 1 } },
      { who: { names: ['a', 'b'], more: 3 } },
    ]);
  });

  it('keeps no name that is longer than names are', () => {
    const picture = waitCycle(
      saying({ cause: 'surge-deadlock', reasoning: [needs(), held(['x'.repeat(999)])] }),
    );

    expect(picture?.steps[1]?.who.names).toEqual(['x'.repeat(320)]);
  });
});

describe('the ring of lines', () => {
  const picture = waitCycle(saying({ cause: 'surge-deadlock', reasoning: [needs(), held()] }));

  it('leads down from one to the next, and from the last back up', () => {
    expect(read(picture)).toBe(
      [
        '┌─▶ new pod web-new',
        '│   │ needs cpu on n-a',
        '│   ▼ taken by',
        '│   old pod web-old',
        '│   │ stays until',
        '└───┘ the new pod is ready',
      ].join('\n'),
    );
  });

  it.each([24, 30, 40])('stays within %i columns', (columns) => {
    const long = waitCycle(
      saying({
        cause: 'surge-deadlock',
        reasoning: [
          needs({ pod: 'inference-gateway-5985d4c6c5-mbbwp' }),
          held(['inference-gateway-77c6f9d8b-zq2lk']),
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

  it('is told in as many sentences as it has steps', () => {
    if (picture === undefined) throw new Error('no circle');
    const [caption, told] = spokenPicture(picture, 'en').map(plain);

    expect(caption).toBe(plain(captionOf(picture, 'en')));
    expect(told?.match(/\./g)).toHaveLength(2);
    expect(told).toContain('The old pod web-old stays until the new pod web-new is ready.');
  });
});
