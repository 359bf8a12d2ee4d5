import { describe, expect, it } from 'vitest';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { openFirst, withoutRepeated } from '#src/doctor/incidents/open-first.js';
import { buildChange, buildDiagnosis, buildFinding, buildIncident } from '../../../support/slack-builders.js';

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

const healthy = (hour: number) => buildDiagnosis({ takenAt: at(hour), findings: [] });
const ids = (incidents: readonly Incident[]) => incidents.map(({ id }) => id);

describe('the list of open incidents contains', () => {
  it.each([
    ['an incident that is being diagnosed', { phase: 'diagnosing', diagnosis: undefined }, true],
    ['an incident that waits for approval', { phase: 'awaiting' }, true],
    ['an incident that is being changed', { phase: 'applying', change: buildChange() }, true],
    ['an incident that is being verified', { phase: 'verifying', change: buildChange() }, true],
    [
      'an incident that is being changed, though no problem was found',
      { phase: 'applying', diagnosis: healthy(9) },
      true,
    ],
    [
      'an incident that is being verified, though no problem was found',
      { phase: 'verifying', diagnosis: healthy(9) },
      true,
    ],
    [
      'an incident that waits for approval, though no problem was found',
      { phase: 'awaiting', diagnosis: healthy(9) },
      true,
    ],
    ['no incident whose diagnosis failed after one that found a problem', { phase: 'failed' }, false],
    ['an incident with a finding', { phase: 'diagnosed' }, true],
    ['a change that did not help', { phase: 'settled', change: buildChange({ verdict: 'unchanged' }) }, true],
    ['no incident without findings', { phase: 'diagnosed', diagnosis: healthy(9) }, false],
    [
      'no incident with only notes about future updates',
      { phase: 'diagnosed', diagnosis: buildDiagnosis({ findings: [buildFinding({ severity: 'info' })] }) },
      false,
    ],
    ['no incident that recovered', { phase: 'settled', diagnosis: healthy(9) }, false],
    ['no incident whose diagnosis failed', { phase: 'failed', diagnosis: undefined }, false],
  ] as const)('%s', (_, fields, open) => {
    const sorted = openFirst([incident('web', 9, fields as Partial<Incident>)]);
    expect(sorted.open).toHaveLength(open ? 1 : 0);
    expect(sorted.over).toHaveLength(open ? 0 : 1);
  });
});

it('an older incident has ended when a later diagnosis found the workload healthy', () => {
  const { workload } = incident('web', 0);
  const sorted = openFirst([
    incident('morning', 9, { workload }),
    incident('noon', 12, { workload, diagnosis: healthy(12) }),
  ]);
  expect(ids(sorted.open)).toEqual([]);
  expect(ids(sorted.over)).toEqual(['noon', 'morning']);
});

it('of two incidents of an affected workload, the one with the later diagnosis is open', () => {
  const { workload } = incident('web', 0);
  const sorted = openFirst([
    incident('elsewhere', 12, { workload }),
    incident('again', 9, { workload, diagnosis: buildDiagnosis({ takenAt: at(13) }) }),
  ]);
  expect(ids(sorted.open)).toEqual(['again']);
  expect(ids(sorted.over)).toEqual(['elsewhere']);
});

it('an incident without a diagnosis counts from its opening', () => {
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
      diagnosis: healthy(12),
    }),
  ]);
  expect(ids(sorted.open)).toEqual(['web']);
});

it('a change in progress stays open beside a later diagnosis', () => {
  const { workload } = incident('web', 0);
  const sorted = openFirst([
    incident('changing', 9, { workload, phase: 'awaiting' }),
    incident('later', 12, { workload, diagnosis: healthy(12) }),
  ]);
  expect(ids(sorted.open)).toEqual(['changing']);
});

it('the same name in another cluster is another workload', () => {
  const sorted = openFirst([
    incident('web', 9),
    incident('other', 12, {
      workload: { ...incident('web', 0).workload, cluster: 'test' },
      diagnosis: healthy(12),
    }),
  ]);
  expect(ids(sorted.open)).toEqual(['web']);
});

it('the newest incidents are first', () => {
  expect(ids(openFirst([incident('a', 9), incident('b', 12), incident('c', 10)]).open)).toEqual([
    'b',
    'c',
    'a',
  ]);
});

it('of requests in which nothing was found, the newest of a workload is listed, and every change', () => {
  const { workload } = incident('web', 1);
  const nothing = { workload, diagnosis: buildDiagnosis({ findings: [] }) };
  const over = [
    incident('newest', 4, nothing),
    incident('asked-again', 3, nothing),
    incident('changed', 2, { ...nothing, phase: 'settled', change: buildChange({ verdict: 'recovered' }) }),
    incident('found', 1, { workload }),
    incident('not-read', 1, { workload, phase: 'failed', diagnosis: undefined }),
  ];
  expect(withoutRepeated(over).map(({ id }) => id)).toEqual(['newest', 'changed', 'found', 'not-read']);
});
