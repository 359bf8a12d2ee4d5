import { expect, it } from 'vitest';
import { mostSevereFirst } from '#src/doctor/incidents/open-first.js';
import { buildDiagnosis, buildFinding, buildIncident } from '../../../support/slack-builders.js';

it('sorts incidents by severity, and keeps the order of equally severe ones', () => {
  const [calm, warning, critical, second] = [
    buildIncident({ id: 'calm', diagnosis: buildDiagnosis({ findings: [] }) }),
    buildIncident({
      id: 'warning',
      diagnosis: buildDiagnosis({ findings: [buildFinding({ severity: 'warning' })] }),
    }),
    buildIncident({ id: 'critical' }),
    buildIncident({ id: 'second' }),
  ];
  expect(mostSevereFirst([calm, warning, critical, second]).map(({ id }) => id)).toEqual([
    'critical',
    'second',
    'warning',
    'calm',
  ]);
});
