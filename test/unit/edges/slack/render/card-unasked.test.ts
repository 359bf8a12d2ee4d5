import { describe, expect, it } from 'vitest';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { buildDiagnosis } from '../../../../support/diagnosis.js';
import { aloud } from '../../../../support/read-aloud.js';
import { buildIncident, tell } from '../../../../support/slack-builders.js';

const at = '2026-11-20T09:00:00Z';
const refusal = { reason: 'FailedScheduling', at };

function readCard(fields: Partial<Incident>): string {
  const incident = buildIncident({ phase: 'diagnosed', diagnosis: buildDiagnosis(), ...fields });
  return aloud(renderCard(incident, undefined, { tell }).blocks);
}

describe('a card opened by the sentinel', () => {
  it.each([
    ['en', 'found without an alert · first `FailedScheduling`'],
    ['ko', '알림 없이 발견됨 · 첫 `FailedScheduling`'],
  ] as const)('states its origin in %s with the reason and time of the first refusal', (language, words) => {
    const text = readCard({ language, origin: { via: 'sentinel', refusal } });

    expect(text).toContain(words);
    expect(text).toContain(`<!date^${Date.parse(at) / 1_000}^`);
  });

  it('states its origin without a time where none is known', () => {
    expect(readCard({ origin: { via: 'sentinel' } })).toContain('found without an alert');
    expect(readCard({ origin: { via: 'sentinel' } })).not.toContain('first `');
  });

  it('states its origin while it is diagnosed again', () => {
    expect(readCard({ phase: 'diagnosing', origin: { via: 'sentinel', refusal } })).toContain(
      'found without an alert',
    );
  });

  it('is distinct from the card of a person or an alert', () => {
    for (const via of ['command', 'alert'] as const)
      expect(readCard({ origin: { via } })).not.toContain('sentinel');
  });
});
