import { describe, expect, it } from 'vitest';
import type { WeeklyDigest } from '#src/doctor/scans/weekly-digest.js';
import { fits } from '#src/edges/slack/render/message.js';
import { renderDigest, renderDigestList } from '#src/edges/slack/slack-digest-board.js';
import { createTell } from '#src/service/create-engine.js';
import { aloud } from '../../../support/read-aloud.js';

const tell = createTell();

function digestOf(count: number): WeeklyDigest {
  const items = Array.from({ length: count }, (_, at) => ({
    workload: { cluster: 'prod', kind: 'Deployment' as const, namespace: 'shop', name: `web-${at}` },
    confidence: 'proven' as const,
    summary: {
      catalogue: 'fragile-strategy',
      key: 'summary',
      values: { workload: `shop/web-${at}`, resource: 'nvidia.com/gpu' },
    },
  }));
  return { cluster: 'prod', takenAt: '2026-11-23T00:00:00Z', workloads: 300, skipped: 7, items };
}

describe('the weekly digest', () => {
  it.each(['en', 'ko'] as const)('names five workloads and what was not checked (%s)', (language) => {
    const message = renderDigest(digestOf(200), { tell, language, hasTables: true });
    const text = aloud(message.blocks);
    expect(fits(message)).toBe(true);
    expect(message.blocks.length).toBeLessThanOrEqual(9);
    expect([...text.matchAll(/web-\d+/gu)].length).toBe(5);
    expect(text).toMatch(language === 'en' ? /thread lists 195 more[\s\S]*7 workloads/u : /195개[\s\S]*7개/u);
  });

  it.each([true, false])(
    'lists what Slack takes in the thread, and counts the rest (tables: %s)',
    (hasTables) => {
      const message = renderDigestList(digestOf(200), { tell, language: 'en', hasTables });
      const text = aloud(message.blocks);
      const listed = [...text.matchAll(/web-(\d+)/gu)].map(([, number]) => number);
      const more = Number(/(\d+) more/u.exec(text)?.[1]);
      expect(fits(message)).toBe(true);
      expect(new Set(listed).size + more).toBe(200);
      expect(new Set(listed).size).toBeGreaterThanOrEqual(10);
    },
  );

  it('states what was looked for where no update deadlocks', () => {
    const message = renderDigest(digestOf(0), { tell, language: 'en', hasTables: true });
    expect(aloud(message.blocks)).toContain(
      'No deadlock was found in the next update of 300 workloads in cluster',
    );
  });

  it('counts each workload once, and claims no certainty that a finding lacks', () => {
    const {
      items: [proven, other],
      ...rest
    } = digestOf(2);
    if (proven === undefined || other === undefined) throw new Error('must have two');
    const heading = (items: WeeklyDigest['items']) =>
      aloud(renderDigest({ ...rest, items }, { tell, language: 'en', hasTables: true }).blocks).split(
        '\n',
      )[0];
    expect(heading([proven, proven, other])).toBe(
      'The next update of 2 workloads deadlocks in cluster `prod`.',
    );
    expect(heading([proven, { ...other, confidence: 'possible' }])).toBe(
      'The next update of 2 workloads may deadlock in cluster `prod` (1 proven).',
    );
  });
});
