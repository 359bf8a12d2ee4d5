import { describe, expect, it } from 'vitest';
import type { Incident } from '#src/core/incident/incident.js';
import { openFirst } from '#src/core/incident/open-first.js';
import { buildChange, buildDiagnosis, buildFinding, buildIncident } from '#support/slack-builders.js';

const at = (hour: number): string => `2026-11-20T${String(hour).padStart(2, '0')}:00:00Z`;

function incident(id: string, hour: number, fields: Partial<Incident> = {}): Incident {
  return buildIncident({
    id,
    createdAt: at(hour),
    workload: { cluster: 'prod', kind: 'Deployment', namespace: 'ml', name: id },
    diagnosis: buildDiagnosis({ takenAt: at(hour) }),
    ...fields,
  });
}

const well = (hour: number) => buildDiagnosis({ takenAt: at(hour), findings: [] });
const ids = (incidents: readonly Incident[]) => incidents.map(({ id }) => id);

describe('open is', () => {
  it.each([
    ['what is being looked at', { phase: 'diagnosing', diagnosis: undefined }, true],
    ['what waits for approval', { phase: 'awaiting' }, true],
    ['what is being changed', { phase: 'applying', change: buildChange() }, true],
    ['what is being verified', { phase: 'verifying', change: buildChange() }, true],
    ['what is being changed, though it was found well', { phase: 'applying', diagnosis: well(9) }, true],
    ['what is being verified, though it was found well', { phase: 'verifying', diagnosis: well(9) }, true],
    ['what waits for approval, though it was found well', { phase: 'awaiting', diagnosis: well(9) }, true],
    ['not a look that failed after one that found trouble', { phase: 'failed' }, false],
    ['what was found unwell', { phase: 'diagnosed' }, true],
    ['a change that did not help', { phase: 'settled', change: buildChange({ verdict: 'unchanged' }) }, true],
    ['not what was found well', { phase: 'diagnosed', diagnosis: well(9) }, false],
    [
      'not what has only notes for the future',
      { phase: 'diagnosed', diagnosis: buildDiagnosis({ findings: [buildFinding({ severity: 'info' })] }) },
      false,
    ],
    ['not what has recovered', { phase: 'settled', diagnosis: well(9) }, false],
    ['not what could not be looked at', { phase: 'failed', diagnosis: undefined }, false],
  ] as const)('%s', (_, fields, open) => {
    const sorted = openFirst([incident('web', 9, fields as Partial<Incident>)]);
    expect(sorted.open).toHaveLength(open ? 1 : 0);
    expect(sorted.over).toHaveLength(open ? 0 : 1);
  });
});

it('an older incident is over when a later look at the workload found it well', () => {
  const { workload } = incident('web', 0);
  const sorted = openFirst([
    incident('morning', 9, { workload }),
    incident('noon', 12, { workload, diagnosis: well(12) }),
  ]);
  expect(ids(sorted.open)).toEqual([]);
  expect(ids(sorted.over)).toEqual(['noon', 'morning']);
});

it('of two incidents of a workload that is still unwell, the one that looked last is open', () => {
  const { workload } = incident('web', 0);
  const sorted = openFirst([
    incident('elsewhere', 12, { workload }),
    incident('again', 9, { workload, diagnosis: buildDiagnosis({ takenAt: at(13) }) }),
  ]);
  expect(ids(sorted.open)).toEqual(['again']);
  expect(ids(sorted.over)).toEqual(['elsewhere']);
});

it('an incident without a look counts from when it was opened', () => {
  const { workload } = incident('web', 0);
  const unseen = { workload, phase: 'failed', diagnosis: undefined } as const;
  const later = openFirst([incident('seen', 9, { workload }), incident('failed', 12, unseen)]);
  const earlier = openFirst([incident('seen', 9, { workload }), incident('failed', 8, unseen)]);
  expect([ids(later.open), ids(earlier.open)]).toEqual([[], ['seen']]);
});

it.each(['kind', 'namespace', 'name'] as const)('another %s is another workload', (field) => {
  const { workload } = incident('web', 0);
  const sorted = openFirst([
    incident('web', 9, { workload }),
    incident('other', 12, {
      workload: { ...workload, [field]: field === 'kind' ? 'StatefulSet' : 'elsewhere' },
      diagnosis: well(12),
    }),
  ]);
  expect(ids(sorted.open)).toEqual(['web']);
});

it('a change under way stays open beside a later look', () => {
  const { workload } = incident('web', 0);
  const sorted = openFirst([
    incident('changing', 9, { workload, phase: 'awaiting' }),
    incident('later', 12, { workload, diagnosis: well(12) }),
  ]);
  expect(ids(sorted.open)).toEqual(['changing']);
});

it('the same name in another cluster is another workload', () => {
  const sorted = openFirst([
    incident('web', 9),
    incident('other', 12, {
      workload: { ...incident('web', 0).workload, cluster: 'test' },
      diagnosis: well(12),
    }),
  ]);
  expect(ids(sorted.open)).toEqual(['web']);
});

it('the newest come first', () => {
  expect(ids(openFirst([incident('a', 9), incident('b', 12), incident('c', 10)]).open)).toEqual([
    'b',
    'c',
    'a',
  ]);
});
