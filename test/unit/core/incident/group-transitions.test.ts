import { describe, expect, it } from 'vitest';
import { blamedNode } from '#src/core/diagnosis/finding.js';
import {
  closeGroup,
  hasMember,
  isBound,
  isUnasked,
  joinGroup,
  leaveGroup,
  mayLead,
  membersMost,
  moveCardToThread,
  noteMember,
  removeMember,
  rootOf,
  startGroup,
} from '#src/core/incident/group-transitions.js';
import type { Incident } from '#src/core/incident/incident.js';
import type { GroupMember, IncidentGroup } from '#src/core/incident/incident-group.js';
import { anotherIncident, successorOf } from '#src/core/incident/incident-succession.js';
import { askedByPerson } from '#src/core/incident/incident-transitions.js';
import { buildDiagnosis, buildFinding } from '#support/diagnosis.js';
import { buildIncident } from '#support/records.js';

const at = '2026-11-21T03:00:00.000Z';
const root = { kind: 'Node', cluster: 'prod', name: 'n-b' } as const;
const other = { ...root, name: 'n-c' } as const;
const api = { cluster: 'prod', kind: 'Deployment', namespace: 'shop', name: 'api' } as const;
const member = (fields: Partial<GroupMember> = {}): GroupMember => ({
  id: 'i2',
  workload: api,
  state: 'sick',
  ...fields,
});

const affectedBy = (name: string, cause: 'node-not-ready' | 'evicted' = 'node-not-ready') =>
  buildDiagnosis({ findings: [buildFinding({ cause, nodes: [name], ...blamedNode([name]) })] });

/** A diagnosed incident of an alert. */
function incident(fields: Partial<Incident> = {}): Incident {
  return buildIncident({
    origin: { via: 'alert' },
    phase: 'diagnosed',
    diagnosis: affectedBy('n-b'),
    ...fields,
  });
}

const leads = (...members: readonly GroupMember[]): IncidentGroup => ({ role: 'leads', root, members });
const follows: IncidentGroup = { role: 'follows', root, lead: 'i9', workload: api };

describe('an incident can be grouped by its cause', () => {
  it.each<[string, Partial<Incident>, boolean]>([
    ['with the cause that its last diagnosis names', {}, true],
    ['while it is diagnosed again', { phase: 'diagnosing' }, true],
    ['after a failed diagnosis', { phase: 'failed' }, true],
    [
      'not after its workload was deleted',
      { phase: 'failed', failure: { catalogue: 'notices', key: 'workload-gone', values: {} }, gone: true },
      false,
    ],
    ['not after another incident replaced it', { successor: 'i3' }, false],
    ['not before its first diagnosis', { phase: 'diagnosing', diagnosis: undefined }, false],
    ['not after it recovered', { diagnosis: buildDiagnosis({ findings: [] }) }, false],
  ])('%s', (_, fields, shares) => {
    expect(rootOf(incident(fields))).toEqual(shares ? root : undefined);
  });
});

describe('the origin of an incident', () => {
  it.each<[string, Partial<Incident>, { unasked: boolean; lead: boolean }]>([
    ['in an alert allows it to lead', {}, { unasked: true, lead: true }],
    ['in an alert in its own thread allows it too', { threadTs: '1.1' }, { unasked: true, lead: true }],
    [
      "in a person's request in the channel allows it to lead",
      { origin: { via: 'command', by: 'U1' } },
      { unasked: false, lead: true },
    ],
    [
      "in a person's request in a thread does not: other cards would be lost there",
      { origin: { via: 'mention', by: 'U1' }, threadTs: '1.1' },
      { unasked: false, lead: false },
    ],
    [
      'in an alert and a later request by a person counts as requested',
      { asked: true },
      { unasked: false, lead: true },
    ],
  ])('%s', (_, fields, expected) => {
    expect({ unasked: isUnasked(incident(fields)), lead: mayLead(incident(fields)) }).toEqual(expected);
  });

  it('is kept, and a request by a person is recorded unless a person opened the incident', () => {
    expect(askedByPerson(incident(), at)).toMatchObject({ asked: true, occurrences: 2 });
    expect(askedByPerson(incident({ origin: { via: 'command', by: 'U1' } }), at).asked).toBeUndefined();
    expect(askedByPerson(incident({ successor: 'i3' }), at)).toMatchObject({ version: 1 });
  });
});

describe('leading a group', () => {
  it.each<[string, Partial<Incident>, boolean]>([
    ['starts where there was no group', {}, true],
    [
      'starts again for another node while it has no members',
      { group: { role: 'leads', root: other, members: [] } },
      true,
    ],
    ['starts where it was a member of another group', { group: follows }, true],
    ['is written once', { group: leads() }, false],
    ['continues for its members', { group: { role: 'leads', root: other, members: [member()] } }, false],
  ])('%s', (_, fields, writes) => {
    const next = startGroup(incident(fields), root, at);
    expect(next?.group).toEqual(writes ? leads() : undefined);
    expect(next?.version).toBe(writes ? 2 : undefined);
  });
});

describe('joining another incident', () => {
  const lead = incident({ id: 'i9', workload: api });

  it('records the leading incident and the place of its card', () => {
    expect(joinGroup(incident(), lead, { ts: '1.1' }, root, at)).toMatchObject({
      version: 2,
      updatedAt: at,
      group: { role: 'follows', root, lead: 'i9', workload: api, card: { ts: '1.1' } },
    });
    expect(joinGroup(incident(), lead, undefined, root, at)?.group).not.toHaveProperty('card');
  });

  it.each<[string, Partial<Incident>]>([
    ['is written once', { group: follows }],
    ['is refused for an incident with members', { group: leads(member()) }],
  ])('%s', (_, fields) => {
    expect(joinGroup(incident(fields), lead, undefined, root, at)).toBeUndefined();
  });

  it('moves the card into that thread, unless it has one or a person waits in the channel', () => {
    const joined = incident({ group: follows });

    expect(moveCardToThread(joined, '1.1', at)).toMatchObject({
      threadTs: '1.1',
      group: { ...follows, inItsThread: true },
    });
    expect(moveCardToThread({ ...joined, threadTs: '2.2' }, '1.1', at)).toBeUndefined();
    expect(moveCardToThread({ ...joined, asked: true }, '1.1', at)).toBeUndefined();
    expect(moveCardToThread(incident(), '1.1', at)).toBeUndefined();
  });

  it('ends when that thread is gone', () => {
    const moved = leaveGroup(incident({ group: { ...follows, inItsThread: true }, threadTs: '1.1' }), at);

    expect(moved).toMatchObject({ version: 2, group: undefined, threadTs: undefined });
    expect(leaveGroup(incident({ group: leads(member()) }), at)).toBeUndefined();
  });
});

describe('the leading incident', () => {
  it('records a member once, and its later changes', () => {
    const first = noteMember(incident({ group: leads() }), root, member(), at);
    if (first === undefined) throw new Error('not noted');

    expect(first.group).toEqual(leads(member()));
    expect(hasMember(first, root, 'i2')).toBe(true);
    expect(isBound(first)).toBe(true);
    expect(noteMember(first, root, member(), at)).toBeUndefined();
    expect(noteMember(first, root, member({ card: { ts: '1.2' } }), at)?.group).toEqual(
      leads(member({ card: { ts: '1.2' } })),
    );
  });

  it("keeps the place of a member's card when the member recovers", () => {
    const known = incident({ group: leads(member({ card: { ts: '1.2' } }), member({ id: 'i3' })) });

    expect(noteMember(known, root, member({ state: 'well' }), at)?.group).toEqual(
      leads(member({ state: 'well', card: { ts: '1.2' } }), member({ id: 'i3' })),
    );
  });

  it('accepts no member for another node, and no more members than its record can hold', () => {
    const many = Array.from({ length: membersMost }, (_, place) => member({ id: `m${place}` }));
    const full = incident({ group: leads(...many) });

    expect(noteMember(incident({ group: leads() }), other, member(), at)).toBeUndefined();
    expect(noteMember(incident(), root, member(), at)).toBeUndefined();
    expect(noteMember(incident({ group: follows }), root, member(), at)).toBeUndefined();
    expect(noteMember(full, root, member(), at)).toBeUndefined();
    expect(noteMember(full, root, member({ id: 'm7', state: 'well' }), at)).toBeDefined();
    expect(hasMember(full, other, 'm7')).toBe(false);
  });

  it('accepts no new members once its thread is gone, and still leads its members', () => {
    const withoutThread = closeGroup(incident({ group: leads(member(), member({ id: 'i3' })) }), 'i3', at);
    if (withoutThread === undefined) throw new Error('not closed');

    expect(withoutThread.group).toEqual({ ...leads(member()), closed: true });
    expect(noteMember(withoutThread, root, member({ id: 'i4' }), at)).toBeUndefined();
    expect(noteMember(withoutThread, root, member({ state: 'well' }), at)).toBeDefined();
    expect(closeGroup(withoutThread, 'i2', at)?.group).toEqual({ ...leads(), closed: true });
    expect(closeGroup(withoutThread, 'i4', at)).toBeUndefined();
    expect(
      startGroup({ ...withoutThread, group: { role: 'leads', root, members: [], closed: true } }, other, at),
    ).toBeUndefined();
  });

  it('removes a member that joined another group', () => {
    const known = incident({ group: leads(member(), member({ id: 'i3' })) });

    expect(removeMember(known, 'i2', at)?.group).toEqual(leads(member({ id: 'i3' })));
    expect(removeMember(known, 'i4', at)).toBeUndefined();
  });
});

describe('an incident in the thread of another one', () => {
  const inside = incident({
    threadTs: '1.1',
    group: { ...follows, inItsThread: true },
    diagnosis: buildDiagnosis({ findings: [] }),
  });

  it.each<[string, Incident, ReturnType<typeof affectedBy>, boolean]>([
    ['continues while it has the same cause', inside, affectedBy('n-b', 'evicted'), false],
    ['is replaced when it has a cause of its own, also after it recovered', inside, buildDiagnosis(), true],
    ['is replaced where another node is the cause', inside, affectedBy('n-c'), true],
    ['ends where no problem is found', inside, buildDiagnosis({ findings: [] }), false],
    [
      'keeps its card where the card has its own place',
      { ...inside, group: follows },
      buildDiagnosis(),
      false,
    ],
  ])('%s', (_, before, now, another) => {
    expect(anotherIncident(before, now) !== undefined).toBe(another);
  });

  it('has a successor in the channel', () => {
    expect(successorOf(inside, 'i3', at)).not.toHaveProperty('threadTs');
    expect(successorOf({ ...inside, group: undefined }, 'i3', at).threadTs).toBe('1.1');
  });
});
