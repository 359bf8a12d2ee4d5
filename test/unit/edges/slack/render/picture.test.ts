import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NodeStrip, type Picture, podStates } from '#src/doctor/findings/picture.js';
import type { WaitCycle } from '#src/doctor/findings/wait-cycle.js';
import { fits } from '#src/edges/slack/render/message.js';
import { renderPicture } from '#src/edges/slack/render/picture.js';
import { type Language, languages } from '#src/engine/language/language.js';
import { checkBlocks } from '../../../../../demo/slack/block-limits.js';
import { aloud } from '../../../../support/read-aloud.js';
import { buildDiagnosis, buildIncident, newPod, oldPod } from '../../../../support/slack-builders.js';

function render(picture: Picture | undefined, language: Language = 'en') {
  const diagnosis = buildDiagnosis(picture === undefined ? {} : { picture });
  return renderPicture(buildIncident({ diagnosis, language }));
}

const cycle: WaitCycle = {
  v: 1,
  kind: 'wait-cycle',
  workload: 'ml/inference',
  confidence: 'proven',
  steps: [
    {
      who: { role: 'new-pod', names: [newPod], more: 0 },
      waits: { for: 'resource', resource: 'nvidia.com/gpu', amount: '1', nodes: ['gpu-a'], moreNodes: 0 },
    },
    { who: { role: 'old-pod', names: [oldPod], more: 0 }, waits: { for: 'readiness' } },
  ],
};

const strip: NodeStrip = {
  v: 1,
  kind: 'node-strip',
  workload: 'shop/api',
  nodes: { all: 40, troubled: 1 },
  groups: [
    {
      rows: [
        { node: 'n-b', pods: { crashing: 3 }, restarts: { least: 51, most: 51 }, exitCode: 1 },
        { node: 'n-a', pods: { ready: 11, 'not-ready': 1 } },
        { node: 'n-c', pods: { ready: 3 } },
      ],
      folded: { nodes: 37, pods: { ready: 112 } },
    },
  ],
};

describe('the picture of a deadlock', () => {
  it.each(languages)('matches the expected text in %s', async (language) => {
    const { text, blocks } = render(cycle, language);
    await expect(`${text}\n\n${aloud(blocks)}\n`).toMatchFileSnapshot(`golden/ring.${language}.txt`);
  });

  it('is a ring in a literal block, with sentences as its text for screen readers', () => {
    const { text, blocks } = render(cycle);
    expect(aloud(blocks)).toContain(
      [
        '| ┌─▶ new pod inference-7d57c…-5zvcm',
        '| │   │ needs nvidia.com/gpu on gpu-a',
        '| │   ▼ in use by',
        '| │   old pod inference-5c96d…-jgvxr',
        '| │   │ is kept until',
        '| └───┘ the new pod is ready',
      ].join('\n'),
    );
    expect(text).toContain(`in use by the old pod ${oldPod}`);
    expect(text).not.toMatch(/[┌│└▼]/u);
  });

  it('states its confidence', () => {
    expect(aloud(render({ ...cycle, confidence: 'likely' }).blocks)).toContain('wait cycle* · likely');
  });
});

describe('the strip of nodes and pods', () => {
  it.each(languages)('matches the expected text in %s', async (language) => {
    const { text, blocks } = render(strip, language);
    await expect(`${text}\n\n${aloud(blocks)}\n`).toMatchFileSnapshot(`golden/strip.${language}.txt`);
  });

  it('has one sign per pod, and a number for the remaining pods of a crowded node', () => {
    const rendered = aloud(render(strip).blocks);
    expect(rendered).toContain(':x::x::x: `n-b`* 3 of 3 crashing*, 51 restarts each, exit code 1');
    expect(rendered).toContain(
      `:white_large_square:${':large_green_circle:'.repeat(7)} +4 \`n-a\` 0 of 12 crashing, 1 not ready`,
    );
    expect(rendered).toContain('and 37 more nodes, 0 of 112 crashing');
  });

  it('explains only the signs that occur', () => {
    const rendered = aloud(render(strip).blocks);
    expect(rendered).toContain(':x: crashing  :white_large_square: not ready  :large_green_circle: ready');
    expect(rendered).not.toContain('waiting for a node');
  });
});

it('states that no picture exists when the last diagnosis could not read all pods', () => {
  expect(aloud(render(undefined).blocks)).toBe(
    '`ml/inference`: the last diagnosis could not read all pods, so it has no picture.',
  );
});

const name = fc.oneof(
  fc.constantFrom(
    '<!channel> <@U012ABCDEF>',
    '``` ` ```',
    '*bold* _it_ :x:',
    '\u202eevil\u2066',
    '&lt;!here&gt;',
    '',
    'n'.repeat(253),
    '노드'.repeat(60),
    '👩‍👩‍👧‍👦'.repeat(80),
    'a\nb\tc',
  ),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);
const count = fc.integer({ min: 0, max: 5_000 });
const pods = fc.dictionary(fc.constantFrom(...podStates), count);
const anyStrip: fc.Arbitrary<Picture> = fc.record({
  v: fc.constant(1 as const),
  kind: fc.constant('node-strip' as const),
  workload: name,
  nodes: fc.record({ all: count, troubled: count }),
  groups: fc.array(
    fc.record({
      revision: fc.record({ age: fc.constantFrom('new' as const, 'former' as const), name }),
      rows: fc.array(
        fc.record({ node: name, pods, restarts: fc.record({ least: count, most: count }), exitCode: count }),
        { minLength: 1, maxLength: 10 },
      ),
      folded: fc.record({ nodes: count, pods }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});
const who = fc.record({
  role: fc.constantFrom('new-pod' as const, 'old-pod' as const, 'unmade-pod' as const),
  names: fc.array(name, { maxLength: 2 }),
  more: count,
  workload: name,
});
const waits = fc.oneof(
  fc.record({
    for: fc.constant('resource' as const),
    resource: fc.oneof(name, fc.constantFrom('hostPort', 'podAntiAffinity')),
    amount: name,
    nodes: fc.array(name, { maxLength: 2 }),
    moreNodes: count,
  }),
  fc.record({ for: fc.constant('place' as const), node: name }),
  fc.record({ for: fc.constant('quota' as const), quota: name, resource: name }),
  fc.record({ for: fc.constant('volume' as const), volume: name, node: name }),
  fc.record({ for: fc.constant('lease' as const), lease: name }),
  fc.record({ for: fc.constantFrom('lock' as const, 'readiness' as const) }),
);
const anyCycle: fc.Arbitrary<Picture> = fc.record({
  v: fc.constant(1 as const),
  kind: fc.constant('wait-cycle' as const),
  workload: name,
  confidence: fc.constantFrom('proven' as const, 'likely' as const),
  steps: fc.array(fc.record({ who, waits }), { minLength: 2, maxLength: 4 }),
});

describe('with random names and numbers', () => {
  it("the strip stays within Slack's limits, and no name becomes a mention, a link or an emoji", () => {
    fc.assert(
      fc.property(fc.oneof(anyStrip, anyCycle), fc.constantFrom(...languages), (picture, language) => {
        const message = render(picture, language);
        expect(checkBlocks(message.blocks, 'message')).toEqual([]);
        expect(fits(message)).toBe(true);
        expect(message.text).not.toMatch(/<[!@#]|<http/);
        const { mentions, mrkdwn } = readIn(message.blocks);
        expect(mentions).toEqual([]);
        for (const text of mrkdwn) expect(text.replaceAll(/<!date\^[^>]*>/g, '')).not.toMatch(/[<>]/);
      }),
      { numRuns: 300 },
    );
  });

  it('the signs of a row and the number beside them add up to its pods', () => {
    fc.assert(
      fc.property(pods, (counts) => {
        const row = { node: 'n-a', pods: counts };
        const groups = [{ rows: [row], folded: { nodes: 0, pods: {} } }];
        const line = aloud(render({ ...strip, groups }).blocks)
          .split('\n')
          .find((each) => /^(:[a-z_]+:)* (\+\d+ )?`n-a`/.test(each));
        expect(line).toBeDefined();
        const signs = line?.split('`n-a`')[0]?.match(/:[a-z_]+:/g)?.length ?? 0;
        const hidden = Number(/\+(\d+) `n-a`/.exec(line ?? '')?.[1] ?? 0);
        const all = Object.values(counts).reduce((sum, each) => sum + each, 0);
        expect(signs + hidden).toBe(all);
      }),
      { numRuns: 100 },
    );
  });
});

/** Elements that would notify or lead away, and every mrkdwn text. */
function readIn(blocks: readonly unknown[]): { readonly mentions: string[]; readonly mrkdwn: string[] } {
  const mentions: string[] = [];
  const mrkdwn: string[] = [];
  JSON.stringify(blocks, (_, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'type' in value) {
      if (['user', 'usergroup', 'broadcast', 'channel', 'link'].includes(String(value.type))) {
        mentions.push(String(value.type));
      }
      if (value.type === 'mrkdwn' && 'text' in value) mrkdwn.push(String(value.text));
    }
    return value;
  });
  return { mentions, mrkdwn };
}
