import { describe, expect, it } from 'vitest';
import { blamedNode } from '#src/doctor/findings/finding.js';
import { groupRows, showsGroup, totalsOf, withoutListed } from '#src/doctor/incidents/group-rows.js';
import type { GroupMember, Incident } from '#src/doctor/incidents/incident.js';
import { buildDiagnosis, buildFinding } from '../../../support/diagnosis.js';
import { buildIncident } from '../../../support/records.js';

const root = { kind: 'Node', cluster: 'prod', name: 'n-b' } as const;

function member(name: string, fields: Partial<GroupMember> = {}): GroupMember {
  const workload = { cluster: 'prod', kind: 'Deployment', namespace: 'shop', name } as const;
  const ready = { pods: 1, wanted: 2 };
  return { id: name, workload, state: 'sick', severity: 'critical', ready, alerts: 3, ...fields };
}

function lead(members: readonly GroupMember[], fields: Partial<Incident> = {}): Incident {
  return buildIncident({
    origin: { via: 'alert' },
    phase: 'diagnosed',
    diagnosis: buildDiagnosis({ findings: [buildFinding({ ...blamedNode(['n-b']) })] }),
    group: { role: 'leads', root, members },
    ...fields,
  });
}

const namesOf = (incident: Incident) => groupRows(incident).map(({ workload }) => workload.name);

describe('the workloads of a group', () => {
  it('are sorted by what is affected, then by severity, then by the share of ready pods', () => {
    const rows = [
      member('recovered', { state: 'well', ready: { pods: 0, wanted: 9 } }),
      member('warned', { severity: 'warning', ready: { pods: 0, wanted: 2 } }),
      member('most-ready', { ready: { pods: 8, wanted: 9 } }),
      member('down', { ready: { pods: 0, wanted: 2 } }),
    ];

    expect(namesOf(lead(rows))).toEqual(['down', 'most-ready', 'inference', 'warned', 'recovered']);
  });

  it('are named once each, by the incident that is open, with the alerts of all', () => {
    const over = member('api', { id: 'i2', state: 'well', card: { ts: '1.2' } });
    const rows = groupRows(lead([over, member('api', { id: 'i3' }), member('web'), over]));

    expect(rows.filter(({ workload }) => workload.name === 'api')).toEqual([
      expect.objectContaining({ id: 'i3', state: 'sick', alerts: 9, card: { ts: '1.2' } }),
    ]);
  });

  it.each([
    ['the later diagnosis found it well', '2026-11-20T10:00:01Z', 'well'],
    ['the later diagnosis found it affected', '2026-11-20T09:59:59Z', 'sick'],
  ] as const)('are as their last diagnosis found them: %s', (_, diagnosedAt, state) => {
    const affected = member('api', { id: 'i2', diagnosedAt: '2026-11-20T10:00:00Z' });
    const well = member('api', { id: 'i3', state: 'well', diagnosedAt });

    for (const members of [
      [affected, well],
      [well, affected],
    ]) {
      const rows = groupRows(lead(members));

      expect(rows.find(({ workload }) => workload.name === 'api')?.state).toBe(state);
    }
  });

  it('count the workload that leads as recovered once a later incident of it found it well', () => {
    const incident = lead([member('web')]);
    const { workload, diagnosis } = incident;
    if (diagnosis === undefined) throw new Error('it is diagnosed');
    const diagnosedAt = new Date(Date.parse(diagnosis.takenAt) + 60_000).toISOString();
    const later: GroupMember = { ...member('web'), id: 'i9', workload, state: 'well', diagnosedAt };
    const { group } = incident;
    if (group?.role !== 'leads') throw new Error('it leads');

    const rows = groupRows({ ...incident, group: { ...group, members: [...group.members, later] } });

    expect(rows.map(({ workload: { name }, state }) => [name, state])).toEqual([
      ['web', 'sick'],
      [workload.name, 'well'],
    ]);
  });

  it('add up', () => {
    const elsewhere = { ...member('cart').workload, namespace: 'ml' };
    const rows = groupRows(
      lead([
        member('api', { severity: 'warning' }),
        member('cart', { workload: elsewhere, state: 'well' }),
        member('web'),
      ]),
    );

    expect(totalsOf(rows)).toEqual({
      affected: 3,
      workloads: 4,
      namespaces: 2,
      alerts: 9,
      ready: { pods: 4, wanted: 7 },
      severity: 'critical',
    });
  });
});

describe('the card of an incident shows the group', () => {
  const two = [member('api')];

  it.each<[string, Incident, boolean]>([
    ['where nobody asked for its workload', lead(two), true],
    ['not where nobody follows', lead([]), false],
    ['not where a person asked for it', lead(two, { asked: true }), false],
    ['not while people decide on a change of it', lead(two, { phase: 'awaiting', approvalId: 'a1' }), false],
    ['also once another incident goes on in its place', lead(two, { successor: 'i9' }), true],
    [
      'not where all that follow are of its own workload',
      lead([member('inference', { workload: lead([]).workload })]),
      false,
    ],
  ])('%s', (_, incident, shows) => {
    expect(showsGroup(incident)).toBe(shows);
  });
});

describe('a list of open incidents', () => {
  const first = lead([member('web'), member('api')]);
  const follower = (name: string, fields: Partial<Incident> = {}): Incident =>
    buildIncident({
      id: name,
      origin: { via: 'alert' },
      phase: 'diagnosed',
      group: { role: 'follows', root, lead: first.id, workload: first.workload },
      ...fields,
    });
  const other = buildIncident({ id: 'other', phase: 'diagnosed' });
  const storm = [follower('web'), follower('api')];

  it('has one entry for a group, in place of those that its card lists', () => {
    expect(withoutListed([first, ...storm, other], [first, ...storm, other])).toEqual([first, other]);
  });

  describe('of which some are diagnosed and wait for their group', () => {
    const { channel, diagnosis } = first;
    const waiting = (name: string, fields: Partial<Incident> = {}) =>
      buildIncident({
        id: name,
        origin: { via: 'alert' },
        phase: 'diagnosed',
        workload: member(name).workload,
        channel,
        ...(diagnosis === undefined ? {} : { diagnosis }),
        ...fields,
      });
    const listed = (...all: readonly Incident[]) => withoutListed(all, all).map(namesOrId);
    const namesOrId = (incident: Incident) =>
      groupRows(incident).length > 0 ? namesOf(incident).toSorted() : incident.id;

    it('has them in the entry of the group', () => {
      const names = ['api', 'cart', 'inference', 'shop', 'web'];
      expect(listed(waiting('shop'), first, ...storm, waiting('cart'))).toEqual([names]);
      expect(listed(lead([]), waiting('cart'))).toEqual([['cart', 'inference']]);
    });

    it.each<[string, Partial<Incident>]>([
      ['has a card in another channel', { channel: 'C0OTHER' }],
      ['has a person who asked', { asked: true }],
      ['has a thread', { threadTs: '1.2' }],
      ['has another root', { diagnosis: buildDiagnosis({ findings: [] }) }],
    ])('has one by itself that %s', (_, fields) => {
      expect(listed(lead([]), waiting('cart', fields))).toEqual([['inference'], 'cart']);
    });
  });

  it('has the group also where the incident that leads it is over', () => {
    expect(withoutListed([...storm, other], [...storm, other, first])).toEqual([first, other]);
  });

  it('keeps those that have a card of their own, or whose group nobody may show', () => {
    const asked = follower('web', { asked: true });

    expect(withoutListed([first, asked], [first, asked])).toEqual([first, asked]);
    expect(withoutListed(storm, storm)).toEqual(storm);
  });
});
