import { expect, it } from 'vitest';
import { renderCard } from '#src/edges/slack/render/card.js';
import type { Language } from '#src/engine/language/language.js';
import { buildDiagnosis } from '../../../../support/diagnosis.js';
import { aloud } from '../../../../support/read-aloud.js';
import { applied, buildChange, buildIncident, tell } from '../../../../support/slack-builders.js';

const readings = { count: 4, at: '2026-11-20T09:32:01Z', hasReady: true, longestPauseMs: 5_400 };
const none = { atLeastMs: 0, atMostMs: 0 };
const some = { atLeastMs: 5_900, atMostMs: 15_200 };

function says(language: Language, fields: Parameters<typeof buildChange>[0]): string {
  const change = buildChange({
    ...applied,
    verdict: 'recovered',
    verdictAt: '2026-11-20T09:32:02Z',
    ...fields,
  });
  const diagnosis = buildDiagnosis({ takenAt: '2026-11-20T09:32:01Z', findings: [] });
  const incident = buildIncident({ phase: 'settled', language, change, diagnosis });
  return aloud(renderCard(incident, undefined, { tell }).blocks);
}

it.each([
  ['en', some, 'Downtime: 5 s to 16 s (estimated 40 s).'],
  ['en', { atLeastMs: 0, atMostMs: 9_100 }, 'Downtime: at most 10 s (estimated 40 s).'],
  ['en', none, 'No downtime (checked 4 times, at most 6 s apart, estimated 40 s).'],
  ['ko', some, '서비스 중단: 5초~16초(예상: 40초).'],
  ['ko', none, '서비스 중단 없음(최대 6초 간격으로 4회 확인, 예상: 40초).'],
] as const)(
  'the card of a finished change states, in %s, what was measured: %o',
  (language, bounds, words) => {
    expect(says(language, { readings: { ...readings, ...bounds } })).toContain(words);
  },
);

it('states no estimate for an undo, whose price was shown at its review only', () => {
  const said = says('en', { readings: { ...readings, ...some }, undoes: true, verdict: 'undone' });
  expect(said).toContain('Downtime: 5 s to 16 s.');
});

it('states nothing where nothing was measured, after one reading, or while no pod is ready', () => {
  expect(says('en', { readings: { ...readings, ...none, count: 1 } })).not.toContain('owntime');
  expect(says('en', {})).not.toContain('owntime:');
  expect(says('en', { readings: { ...readings, ...some, hasReady: false } })).not.toContain('owntime:');
});

it('states no downtime that is longer than the change took', () => {
  const long = { ...readings, atLeastMs: 0, atMostMs: 31_200 };
  const said = says('en', { readings: long, appliedAt: '2026-11-20T09:31:34.500Z' });

  expect(said).toContain('28 s after the change');
  expect(said).toContain('Downtime: at most 28 s');
});

it('repeats no estimate of no downtime that came true', () => {
  const { remediation } = buildChange();
  const calm = { ...remediation, price: { ...remediation.price, downtime: { kind: 'none' as const } } };

  expect(says('en', { readings: { ...readings, ...none }, remediation: calm })).toContain(
    'No downtime (checked 4 times, at most 6 s apart).',
  );
});
