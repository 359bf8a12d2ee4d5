import { describe, expect, it } from 'vitest';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { blamedNode } from '#src/doctor/findings/finding.js';
import type {
  Incident,
  IncidentAlert,
  IncidentGroup,
  IncidentIdentity,
} from '#src/doctor/incidents/incident.js';
import {
  anotherIncident,
  comesBack,
  earlierIncident,
  succeededBy,
  successorOf,
} from '#src/doctor/incidents/incident-succession.js';
import { buildDiagnosis, buildFinding } from '../../../support/diagnosis.js';
import { buildIncident } from '../../../support/records.js';

const at = '2026-11-21T05:00:00.000Z';
const alerts: readonly IncidentAlert[] = [
  { id: 'x', name: 'Down', source: 'alertmanager', status: 'firing', firings: 1, at },
];
const found = (fields: Partial<Diagnosis> = {}) => buildDiagnosis(fields);
const healthy = buildDiagnosis({ findings: [] });
const otherCause = found({ findings: [buildFinding({ cause: 'image-pull-failure' })] });
const otherRevision = found({ revision: '3' });
const identity: IncidentIdentity = { revision: '2', cause: 'surge-deadlock' };
const alerted = (fields: Partial<Incident> = {}) =>
  buildIncident({ phase: 'diagnosing', diagnosis: found(), alerts, ...fields });

describe('a new diagnosis has', () => {
  it.each<readonly [string, Incident, Diagnosis, IncidentIdentity | undefined]>([
    ['the same, with the same revision and cause', alerted(), found(), undefined],
    [
      'another incident, with another cause',
      alerted(),
      otherCause,
      { revision: '2', cause: 'image-pull-failure' },
    ],
    [
      'another incident, with another revision',
      alerted(),
      otherRevision,
      { revision: '3', cause: 'surge-deadlock' },
    ],
    ['the same cause, where no problem is found any more', alerted(), healthy, undefined],
    [
      'the same cause, where no problem was found before',
      alerted({ diagnosis: healthy }),
      otherCause,
      undefined,
    ],
    [
      'the same cause, where there was no earlier diagnosis',
      alerted({ diagnosis: undefined }),
      otherCause,
      undefined,
    ],
    ['the same, where people requested it', buildIncident({ diagnosis: found() }), otherCause, undefined],
  ])('%s', (_, incident, now, about) => {
    expect(anotherIncident(incident, now)).toEqual(about);
  });
});

describe('an incident whose card leads a group', () => {
  const root = { kind: 'Node', cluster: 'prod', name: 'gpu-a' } as const;
  const { workload } = buildIncident({});
  const members = [{ id: 'i0', workload, state: 'sick' }] as const;
  const leads: IncidentGroup = { role: 'leads', root, members };
  const onNode = (name: string) =>
    found({ findings: [buildFinding({ cause: 'node-not-ready', nodes: [name], ...blamedNode([name]) })] });
  const unasked = { via: 'alert' } as const;

  it.each<readonly [string, Partial<Incident>, Diagnosis, IncidentIdentity | undefined]>([
    ['continues while both share their cause', { group: leads }, onNode('gpu-a'), undefined],
    [
      'is another incident with another cause',
      { group: leads },
      onNode('gpu-b'),
      { revision: '2', cause: 'node-not-ready' },
    ],
    ['is another incident without a cause', { group: leads }, found(), identity],
    ['continues where no problem is found', { group: leads }, healthy, undefined],
    ['continues where nobody is in its group', { group: { ...leads, members: [] } }, found(), undefined],
    ['continues where a person asked for it', { group: leads, asked: true }, found(), undefined],
  ])('%s', (_, fields, now, about) => {
    const incident = buildIncident({ diagnosis: onNode('gpu-a'), origin: unasked, ...fields });

    expect(anotherIncident(incident, now)).toEqual(about);
  });
});

describe('the earlier incident with the same cause', () => {
  const lineage = [
    { id: 'i7', revision: '2', cause: 'image-pull-failure' },
    { id: 'i8', revision: '1', cause: 'surge-deadlock' },
    { id: 'i9', revision: '2', cause: 'surge-deadlock' },
  ] as const;

  it.each<readonly [string, Incident, string | undefined]>([
    ['has both revision and cause', buildIncident({ lineage }), 'i9'],
    [
      'is none where only one of them is the same',
      buildIncident({ lineage: lineage.slice(0, 2) }),
      undefined,
    ],
    ['is none where there was none', buildIncident({}), undefined],
  ])('%s', (_, incident, id) => {
    expect(earlierIncident(incident, identity)).toBe(id);
  });
});

describe('an incident that another one replaces', () => {
  it('has ended, names its successor and waits for no approval', () => {
    const incident = alerted({ look: 3, approvalId: 'a1' });

    expect(succeededBy(incident, 3, 'i2', at)).toEqual({
      ...incident,
      version: 2,
      updatedAt: at,
      phase: 'diagnosed',
      approvalId: undefined,
      successor: 'i2',
    });
  });

  it.each<readonly [string, Partial<Incident>]>([
    ['has been diagnosed again', { look: 4 }],
    ['is not being diagnosed', { look: 3, phase: 'diagnosed' }],
  ])('stays open where it %s', (_, fields) => {
    expect(succeededBy(alerted(fields), 3, 'i2', at)).toBeUndefined();
  });
});

describe('its successor', () => {
  it('begins without a diagnosis, with the workload, the alerts, the thread and the lineage', () => {
    const incident = alerted({ version: 9, look: 5, occurrences: 7, threadTs: '1.1', approvalId: 'a1' });
    const { workload, origin, language, channel } = incident;

    expect(successorOf(incident, 'i2', at)).toEqual({
      v: 1,
      id: 'i2',
      version: 1,
      phase: 'diagnosing',
      workload,
      origin,
      createdAt: at,
      updatedAt: at,
      language,
      channel,
      threadTs: '1.1',
      occurrences: 1,
      alerts,
      lineage: [{ ...identity, id: 'i1' }],
      look: 1,
    });
  });

  it('has neither thread nor alerts where there were none, nor a cause that was never found', () => {
    const next = successorOf(buildIncident({}), 'i2', at);

    expect(next).not.toHaveProperty('threadTs');
    expect(next).not.toHaveProperty('alerts');
    expect(next.lineage).toEqual([]);
  });

  it('keeps ten earlier incidents, the newest last, each once', () => {
    const lineage = Array.from({ length: 10 }, (_, number) => ({ ...identity, id: `o${number}` }));
    const ids = (incident: Incident) => successorOf(incident, 'i2', at).lineage?.map(({ id }) => id);

    expect(ids(alerted({ lineage }))).toEqual([...lineage.slice(1).map(({ id }) => id), 'i1']);
    expect(ids(alerted({ id: 'o3', lineage }))).toEqual([
      ...lineage.filter(({ id }) => id !== 'o3').map(({ id }) => id),
      'o3',
    ]);
  });
});

describe('an incident that reopens', () => {
  const withoutAlerts = alerted({ phase: 'diagnosed', successor: 'i2', look: 2, occurrences: 3 });
  const after = buildIncident({ id: 'i2', diagnosis: otherCause, alerts });

  it('is diagnosed again, with the lineage of its successor', () => {
    const back = comesBack({ ...withoutAlerts, alerts: [] }, after, at);

    expect(back).not.toHaveProperty('successor');
    expect(back).toMatchObject({
      phase: 'diagnosing',
      look: 3,
      occurrences: 4,
      updatedAt: at,
      alerts,
      lineage: [{ id: 'i2', revision: '2', cause: 'image-pull-failure' }],
    });
  });

  it('keeps its alerts where its successor has none', () => {
    const { alerts: _, ...without } = after;

    expect(comesBack(withoutAlerts, without, at)?.alerts).toEqual(alerts);
  });

  it('is unchanged where it is open already', () => {
    expect(comesBack(alerted(), after, at)).toBeUndefined();
  });
});
