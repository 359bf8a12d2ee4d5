import { describe, expect, it } from 'vitest';
import { blamedNode } from '#src/doctor/findings/finding.js';
import {
  closeGroup,
  hasMember,
  isBound,
  isListedOnly,
  isTaking,
  isUnasked,
  joinGroup,
  leaveGroup,
  mayLead,
  membersMost,
  noteMember,
  removeMember,
  rootOf,
  startGroup,
} from '#src/doctor/incidents/group-rows.js';
import type { GroupMember, Incident, IncidentGroup } from '#src/doctor/incidents/incident.js';
import { askedByPerson } from '#src/doctor/incidents/incident-transitions.js';
import { buildDiagnosis, buildFinding } from '../../../support/diagnosis.js';
import { buildIncident } from '../../../support/records.js';

const at = '2026-11-21T03:00:00.000Z';
const later = '2026-11-21T03:15:00.000Z';
const root = { kind: 'Node', cluster: 'prod', name: 'n-b' } as const;
const other = { ...root, name: 'n-c' } as const;
const api = { cluster: 'prod', kind: 'Deployment', namespace: 'shop', name: 'api' } as const;
const member = (fields: Partial<GroupMember> = {}): GroupMember => ({
  id: 'i2',
  workload: api,
  state: 'sick',
  ...fields,
});

const sickOf = (name: string, cause: 'node-not-ready' | 'evicted' = 'node-not-ready') =>
  buildDiagnosis({ findings: [buildFinding({ cause, nodes: [name], ...blamedNode([name]) })] });

/** An alert's incident, looked at. */
function incident(fields: Partial<Incident> = {}): Incident {
  return buildIncident({
    origin: { via: 'alert' },
    phase: 'diagnosed',
    diagnosis: sickOf('n-b'),
    ...fields,
  });
}

const leads = (...members: readonly GroupMember[]): IncidentGroup => ({ role: 'leads', root, members });
const follows: IncidentGroup = { role: 'follows', root, lead: 'i9', workload: api };

describe('an incident shares its trouble', () => {
  it.each<[string, Partial<Incident>, boolean]>([
    ['with what its last look names', {}, true],
    ['while it is looked at again', { phase: 'diagnosing' }, true],
    ['while it could not be looked at', { phase: 'failed' }, true],
    [
      'not once its workload is gone',
      { phase: 'failed', failure: { catalogue: 'notices', key: 'workload-gone', values: {} }, gone: true },
      false,
    ],
    ['not once another one goes on in its place', { successor: 'i3' }, false],
    ['not before its first look', { phase: 'diagnosing', diagnosis: undefined }, false],
    ['not once it is well', { diagnosis: buildDiagnosis({ findings: [] }) }, false],
  ])('%s', (_, fields, shares) => {
    expect(rootOf(incident(fields))).toEqual(shares ? root : undefined);
  });
});

describe('an incident that', () => {
  it.each<[string, Partial<Incident>, { unasked: boolean; lead: boolean }]>([
    ['an alert opened is unasked, and may lead', {}, { unasked: true, lead: true }],
    ['an alert opened in its own thread too', { threadTs: '1.1' }, { unasked: true, lead: true }],
    [
      'a person asked for may lead in the channel',
      { origin: { via: 'command', by: 'U1' } },
      { unasked: false, lead: true },
    ],
    [
      'a person asked for in a thread does not lead: others would be lost there',
      { origin: { via: 'mention', by: 'U1' }, threadTs: '1.1' },
      { unasked: false, lead: false },
    ],
    ['a person asked for too is not unasked', { asked: true }, { unasked: false, lead: true }],
  ])('%s', (_, fields, expected) => {
    expect({ unasked: isUnasked(incident(fields)), lead: mayLead(incident(fields), root) }).toEqual(expected);
  });

  it('is asked for by a person is marked so, once its opener was none', () => {
    expect(askedByPerson(incident(), at)).toMatchObject({ asked: true, occurrences: 2 });
    expect(askedByPerson(incident({ origin: { via: 'command', by: 'U1' } }), at).asked).toBeUndefined();
    expect(askedByPerson(incident({ successor: 'i3' }), at)).toMatchObject({ version: 1 });
  });
});

describe('to lead', () => {
  it.each<[string, Partial<Incident>, boolean]>([
    ['starts where there was no group', {}, true],
    [
      'starts anew for another node while nobody stands under it',
      { group: { role: 'leads', root: other, members: [] } },
      true,
    ],
    ['starts where it stood under another one', { group: follows }, true],
    ['is written once', { group: leads() }, false],
    [
      'goes on for those that stand under it',
      { group: { role: 'leads', root: other, members: [member()] } },
      false,
    ],
  ])('%s', (_, fields, writes) => {
    const next = startGroup(incident(fields), root, at);
    expect(next?.group).toEqual(writes ? { ...leads(), since: at } : undefined);
    expect(next?.version).toBe(writes ? 2 : undefined);
  });
});

describe('to stand under another one', () => {
  const lead = incident({ id: 'i9', workload: api });

  it('notes whom, and where its card is', () => {
    expect(joinGroup(incident(), lead, { ts: '1.1' }, root, at)).toMatchObject({
      version: 2,
      updatedAt: at,
      group: { role: 'follows', root, lead: 'i9', workload: api, card: { ts: '1.1' } },
    });
    expect(joinGroup(incident(), lead, undefined, root, at)?.group).not.toHaveProperty('card');
  });

  it.each<[string, Partial<Incident>]>([
    ['is written once', { group: follows }],
    ['is not for one that others stand under', { group: leads(member()) }],
  ])('%s', (_, fields) => {
    expect(joinGroup(incident(fields), lead, undefined, root, at)).toBeUndefined();
  });

  it('leaves the card to the leading one, unless it has a thread of its own or somebody asked', () => {
    expect(isListedOnly(incident({ group: follows }))).toBe(true);
    expect(isListedOnly(incident({ group: follows, threadTs: '2.2' }))).toBe(false);
    expect(isListedOnly(incident({ group: follows, asked: true }))).toBe(false);
    expect(isListedOnly(incident({ group: leads(member()) }))).toBe(false);
    expect(isListedOnly(incident())).toBe(false);
  });

  it('ends where the leading card is gone', () => {
    const stood = leaveGroup(incident({ group: follows, threadTs: '1.1' }), at);

    expect(stood).toMatchObject({ version: 2, group: undefined, threadTs: '1.1' });
    expect(leaveGroup(incident({ group: leads(member()) }), at)).toBeUndefined();
  });
});

describe('the one that leads', () => {
  it('notes a member once, and what is new of it', () => {
    const first = noteMember(incident({ group: leads() }), root, member(), at);
    if (first === undefined) throw new Error('not noted');

    expect(first.group).toEqual({ ...leads(member()), since: at });
    expect(hasMember(first, root, 'i2')).toBe(true);
    expect(isBound(first)).toBe(true);
    expect(noteMember(first, root, member(), at)).toBeUndefined();
    expect(noteMember(first, root, member({ card: { ts: '1.2' } }), later)?.group).toEqual({
      ...leads(member({ card: { ts: '1.2' } })),
      since: at,
    });
  });

  it('keeps where a card is when that one gets well', () => {
    const known = incident({ group: leads(member({ card: { ts: '1.2' } }), member({ id: 'i3' })) });

    expect(noteMember(known, root, member({ state: 'well' }), at)?.group).toEqual(
      leads(member({ state: 'well', card: { ts: '1.2' } }), member({ id: 'i3' })),
    );
  });

  it('takes nobody in for another node, and no more than its record holds', () => {
    const many = Array.from({ length: membersMost }, (_, place) => member({ id: `m${place}` }));
    const full = incident({ group: leads(...many) });

    expect(noteMember(incident({ group: leads() }), other, member(), at)).toBeUndefined();
    expect(noteMember(incident(), root, member(), at)).toBeUndefined();
    expect(noteMember(incident({ group: follows }), root, member(), at)).toBeUndefined();
    expect(noteMember(full, root, member(), at)).toBeUndefined();
    expect(noteMember(full, root, member({ id: 'm7', state: 'well' }), at)).toBeDefined();
    expect(hasMember(full, other, 'm7')).toBe(false);
  });

  it('takes others of a mere coincidence in for a quarter of an hour after the last one', () => {
    const cause = { kind: 'Cause', cluster: 'prod', cause: 'evicted' } as const;
    const begun = incident({ group: { role: 'leads', root: cause, members: [], since: at } });

    expect(noteMember(begun, cause, member(), '2026-11-21T03:14:59.000Z')).toBeDefined();
    expect(noteMember(begun, cause, member(), later)).toBeUndefined();
    expect(isTaking(incident({ group: { ...leads(), since: at } as IncidentGroup }), later)).toBe(true);
  });

  it('takes nobody in where another incident goes on in its place before anybody was in', () => {
    expect(isTaking(incident({ group: leads(), successor: 'i3' }), at)).toBe(false);
    expect(isTaking(incident({ group: leads(member()), successor: 'i3' }), at)).toBe(true);
  });

  it('takes nobody in once its thread is gone, and leads on for those that it has', () => {
    const gone = closeGroup(incident({ group: leads(member(), member({ id: 'i3' })) }), 'i3', at);
    if (gone === undefined) throw new Error('not closed');

    expect(gone.group).toEqual({ ...leads(member()), closed: true });
    expect(noteMember(gone, root, member({ id: 'i4' }), at)).toBeUndefined();
    expect(noteMember(gone, root, member({ state: 'well' }), at)).toBeDefined();
    expect(closeGroup(gone, 'i2', at)?.group).toEqual({ ...leads(), closed: true });
    expect(closeGroup(gone, 'i4', at)).toBeUndefined();
    expect(
      startGroup({ ...gone, group: { role: 'leads', root, members: [], closed: true } }, other, at),
    ).toBeUndefined();
  });

  it('forgets one that went elsewhere', () => {
    const known = incident({ group: leads(member(), member({ id: 'i3' })) });

    expect(removeMember(known, 'i2', at)?.group).toEqual(leads(member({ id: 'i3' })));
    expect(removeMember(known, 'i4', at)).toBeUndefined();
  });
});
