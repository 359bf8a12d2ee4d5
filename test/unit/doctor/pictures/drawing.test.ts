import { describe, expect, it } from 'vitest';
import type { Picture } from '#src/doctor/findings/picture.js';
import { columnsOf } from '#src/doctor/pictures/columns.js';
import { draw } from '#src/doctor/pictures/drawing/draw.js';
import type { Drawing, Shape } from '#src/doctor/pictures/drawing/drawing.js';
import { languages } from '#src/engine/language/language.js';

const longName = `inference-with-a-name-as-long-as-kubernetes-allows-${'x'.repeat(200)}`;

const deadlock: Picture = {
  v: 1,
  kind: 'wait-cycle',
  workload: 'ml/inference',
  confidence: 'proven',
  steps: [
    {
      who: { role: 'new-pod', names: ['inference-new'], more: 0 },
      waits: { for: 'resource', resource: 'nvidia.com/gpu', amount: '1', nodes: ['gpu-a'], moreNodes: 0 },
    },
    { who: { role: 'old-pod', names: ['inference-old'], more: 0 }, waits: { for: 'readiness' } },
  ],
};
const long: Picture = {
  ...deadlock,
  workload: longName,
  steps: [
    {
      who: { role: 'unmade-pod', names: [longName, longName], more: 7, workload: `ml/${longName}` },
      waits: { for: 'volume', volume: longName, node: longName },
    },
    {
      who: { role: 'old-pod', names: [longName], more: 0, workload: longName },
      waits: { for: 'readiness' },
    },
    {
      who: { role: 'new-pod', names: [longName], more: 0 },
      waits: { for: 'quota', quota: longName, resource: longName },
    },
  ],
};
const strip: Picture = {
  v: 1,
  kind: 'node-strip',
  workload: 'ml/api',
  nodes: { all: 3, troubled: 1 },
  groups: [
    {
      rows: [
        { node: 'api-c', pods: { crashing: 2, ready: 1 }, restarts: { least: 3, most: 5 }, exitCode: 1 },
        { node: longName, pods: { ready: 3 } },
        { node: '', pods: { waiting: 1 } },
      ],
      folded: { nodes: 4, pods: { ready: 9 } },
    },
  ],
};

type Text = Extract<Shape, { kind: 'text' }>;
const textsOf = ({ shapes }: Drawing): readonly Text[] => shapes.filter((shape) => shape.kind === 'text');
const wordsOf = (drawing: Drawing): readonly string[] => textsOf(drawing).map(({ text }) => text);

describe.each(languages)('a drawing in %s', (language) => {
  it.each([
    ['a deadlock', deadlock],
    ['a cycle with long names', long],
    ['a strip', strip],
  ] as const)('of %s keeps every text inside', (_, picture) => {
    const drawing = draw(picture, language);
    for (const { x, y, text, size } of textsOf(drawing)) {
      expect(x).toBeGreaterThanOrEqual(0);
      // The sign for omitted letters is as wide as a Korean letter.
      const columns = columnsOf(text) + (text.match(/…/g)?.length ?? 0);
      expect(x + (columns * size) / 2, text).toBeLessThanOrEqual(drawing.width);
      expect(y).toBeLessThan(drawing.height);
    }
  });
});

describe('the drawing of a deadlock', () => {
  it('names what is needed, who holds it, and why that one stays', () => {
    const words = wordsOf(draw(deadlock, 'en'));
    expect(words).toEqual(
      expect.arrayContaining([
        'New pod',
        'needs',
        'nvidia.com/gpu',
        'on gpu-a',
        'held by',
        'Old pod',
        'kept until',
      ]),
    );
    expect(wordsOf(draw(deadlock, 'ko'))).toEqual(
      expect.arrayContaining(['새 파드', '필요', '점유', '이전 파드', '준비될 때까지']),
    );
  });

  it('has one arrow for each step on the way, and the last one leads back to the first box', () => {
    const { shapes } = draw(deadlock, 'en');
    const boxes = shapes.filter((shape) => shape.kind === 'box');
    const arrows = shapes.filter((shape) => shape.kind === 'arrow');
    expect(boxes).toHaveLength(3);
    expect(arrows).toHaveLength(3);
    const end = arrows.at(-1)?.points.at(-1);
    const [first] = boxes;
    expect(end?.y).toBeGreaterThan(first?.y ?? 0);
    expect(end?.y).toBeLessThan((first?.y ?? 0) + (first?.height ?? 0));
  });
});

it('redacts names as the text form does', () => {
  const secret = 'ghp_012345678901234567890123456789012345';
  const named: Picture = {
    ...deadlock,
    steps: [
      { who: { role: 'new-pod', names: [secret], more: 0 }, waits: { for: 'lease', lease: secret } },
      ...deadlock.steps.slice(1),
    ],
  };
  expect(wordsOf(draw(named, 'en')).join(' ')).not.toContain('ghp_');
});

describe('the drawing of a strip', () => {
  it('has a mark for each pod and one for each state in the legend', () => {
    const marks = draw(strip, 'en').shapes.filter((shape) => shape.kind === 'mark');
    const count = (state: string) => marks.filter((mark) => mark.state === state).length;
    expect(count('crashing')).toBe(2 + 1);
    expect(count('ready')).toBe(1 + 3 + 1);
    expect(count('waiting')).toBe(1 + 1);
  });

  it('counts the pods that have no mark', () => {
    const many: Picture = {
      ...strip,
      groups: [{ rows: [{ node: 'n-1', pods: { ready: 40 } }], folded: { nodes: 0, pods: {} } }],
    };
    expect(wordsOf(draw(many, 'en'))).toContain('+28');
  });
});
