import { describe, expect, it } from 'vitest';
import type { Approval } from '#src/doctor/incidents/approval.js';
import { awaitsSecondStep, isPastExpiry, peopleIn } from '#src/doctor/incidents/approval-transitions.js';
import { type alertReactions, reactionOf } from '#src/doctor/incidents/delivery.js';
import { type Incident, type Phase, phases } from '#src/doctor/incidents/incident.js';
import { approvalDistrusted, approvalRequested } from '#src/doctor/incidents/incident-approvals.js';
import {
  hasPullRequest,
  isPullRequestUnderWay,
  pullRequestMoved,
  pullRequestStarted,
} from '#src/doctor/incidents/pull-request-transitions.js';
import { visibleApproval, visibleIncident } from '#src/doctor/incidents/visible-incident.js';
import type { Sight } from '#src/doctor/policy/view.js';
import { buildDiagnosis } from '../../../support/diagnosis.js';
import { buildApproval, buildDryRun, buildIncident, buildPatchStrategy } from '../../../support/records.js';

const at = '2026-11-20T10:00:00.000Z';
const place = { repository: 'acme/deploy', branch: 'main', path: 'prod' };
const words = { catalogue: 'judge', key: 'complete', values: {} };
const diagnosis = buildDiagnosis();

const inGit = (fields: Partial<Approval> = {}): Approval =>
  buildApproval({ gitTarget: place, decisions: [], ...fields });
const started = (fields: Partial<Incident> = {}, approval = inGit()): Incident | undefined =>
  pullRequestStarted(buildIncident({ phase: 'diagnosed', look: 1, diagnosis, ...fields }), approval, at);
const opening = (fields: Partial<Incident> = {}): Incident => {
  const incident = started(fields);
  if (incident === undefined) throw new Error('not started');
  return incident;
};

describe('an approved pull request', () => {
  it('is the incident’s, which stays as diagnosed', () => {
    const approval = inGit({
      decisions: [
        { by: 'U0ERIN', decision: 'approve', at, reason: 'The team has agreed' },
        { by: 'U0ERIN', decision: 'approve', at, reason: '' },
      ] as unknown as Approval['decisions'],
    });
    expect(started({ version: 4 }, approval)).toMatchObject({
      version: 5,
      updatedAt: at,
      phase: 'diagnosed',
      pullRequest: {
        approvalId: 'a1',
        cause: 'surge-deadlock',
        remediationId: 'patch-strategy-in-place',
        title: buildPatchStrategy().title,
        changes: approval.plan.changes,
        target: place,
        state: 'opening',
        approvedBy: ['U0ERIN'],
        reasons: [{ by: 'U0ERIN', reason: 'The team has agreed' }],
        approvedAt: at,
      },
    });
  });

  it('says whether it undoes a change, and whether it can be undone', () => {
    const undo = { request: { verb: 'restart' }, expects: [] } as unknown as NonNullable<
      Approval['plan']['undo']
    >;
    const { plan } = inGit();
    const flags = (fields: Partial<Approval>) => {
      const pullRequest = started({}, inGit(fields))?.pullRequest;
      return [pullRequest?.undoes, pullRequest?.hasUndo];
    };
    expect(flags({})).toEqual([undefined, undefined]);
    expect(flags({ plan: { ...plan, undo } })).toEqual([undefined, true]);
    expect(flags({ plan: { ...plan, undo }, undoes: true })).toEqual([true, undefined]);
  });

  it('goes where its dry run found the workload', () => {
    const found = { ...place, path: 'other' };
    const edit = { place: found, file: 'a', line: 1, blob: 'b', diff: [] };
    const dryRun = buildDryRun({ edit } as never);
    expect(started({}, inGit({ dryRun }))?.pullRequest?.target).toEqual(found);
    expect(started({}, inGit({ dryRun: buildDryRun() }))?.pullRequest?.target).toEqual(place);
  });

  it.each(phases.map((phase) => [phase, ['diagnosed', 'awaiting', 'settled'].includes(phase)] as const))(
    'starts in phase %s: %s',
    (phase, expected) => {
      expect(started({ phase }) !== undefined).toBe(expected);
    },
  );

  it('ends the wait for approvals', () => {
    const awaiting = { phase: 'awaiting', approvalId: 'a1' } as const;
    expect(started(awaiting)).toMatchObject({ phase: 'diagnosed', approvalId: undefined });
    const change = { approvalId: 'a0', verdict: 'recovered' } as unknown as NonNullable<Incident['change']>;
    expect(started({ ...awaiting, change })).toMatchObject({ phase: 'settled', approvalId: undefined });
  });

  it('does not start without a place in Git, for an older diagnosis, or where another incident goes on', () => {
    expect(started({}, buildApproval({}))).toBeUndefined();
    expect(started({ look: 2 })).toBeUndefined();
    expect(started({ successor: 'i2' })).toBeUndefined();
  });

  it.each([
    ['opening', true],
    ['open', true],
    ['merged', true],
    ['closed', false],
    ['failed', false],
  ] as const)('waits while another one is %s: %s', (state, expected) => {
    const { pullRequest } = opening();
    const other = { ...(pullRequest as object), approvalId: 'a0', state } as unknown as NonNullable<
      Incident['pullRequest']
    >;
    expect(isPullRequestUnderWay({ pullRequest: other })).toBe(expected);
    expect(started({ pullRequest: other }) === undefined).toBe(expected);
  });

  it('does not start twice', () => {
    const { pullRequest } = opening();
    const closed = { ...(pullRequest as object), state: 'closed' } as unknown as NonNullable<
      Incident['pullRequest']
    >;
    expect(started({ pullRequest: closed })).toBeUndefined();
    expect(isPullRequestUnderWay({})).toBe(false);
  });

  it('moves on, by its own approval alone', () => {
    const incident = opening({ version: 4 });
    const moved = pullRequestMoved(incident, 'a1', { state: 'open', number: 7 }, '2026-11-20T11:00:00.000Z');
    expect(moved).toMatchObject({
      version: 6,
      updatedAt: '2026-11-20T11:00:00.000Z',
      pullRequest: { state: 'open', number: 7, approvalId: 'a1' },
    });
    expect(moved && pullRequestMoved(moved, 'a1', { state: 'open', number: 7 }, at)).toBeUndefined();
    expect(pullRequestMoved(incident, 'a2', { state: 'open' }, at)).toBeUndefined();
    expect(pullRequestMoved(buildIncident({}), 'a1', { state: 'open' }, at)).toBeUndefined();
    expect([
      hasPullRequest(incident, 'a1'),
      hasPullRequest(incident, 'a2'),
      hasPullRequest({}, 'a1'),
    ]).toEqual([...[true, false, false]]);
  });
});

describe('the reaction on the message of an alert', () => {
  const alerted: Partial<Incident> = {
    origin: { via: 'alert' },
    alerts: [],
    threadTs: '1.0',
    phase: 'diagnosed',
    diagnosis,
  };
  const reaction = (fields: Partial<Incident> = {}) => reactionOf(buildIncident({ ...alerted, ...fields }));
  const found = (severity: 'critical' | 'warning' | 'info') => ({
    diagnosis: { ...diagnosis, findings: [{ severity }] as never },
  });
  const nothing = { ...diagnosis, findings: [], defects: [], unseen: [] };

  it.each<[string, Partial<Incident>, (typeof alertReactions)[number] | undefined]>([
    ['looks while there is no diagnosis', { diagnosis: undefined, phase: 'diagnosing' }, 'looking'],
    ['shows a critical finding', found('critical'), 'critical'],
    ['shows a warning', found('warning'), 'warning'],
    ['shows that nothing is wrong', { diagnosis: nothing }, 'healthy'],
    ['shows that notes alone are nothing', found('info'), 'healthy'],
    [
      'shows that not everything was checked',
      { diagnosis: { ...nothing, defects: [{ cause: 'x' }] as never } },
      'unknown',
    ],
    ['shows that the diagnosis failed', { phase: 'failed' }, 'unknown'],
    ['is absent on what a person asked', { origin: { via: 'command', by: 'U0' } }, undefined],
    ['is absent without an alert', { alerts: undefined }, undefined],
    ['is absent without a message', { threadTs: undefined }, undefined],
    ['is absent where another incident goes on', { successor: 'i2' }, undefined],
    ['is its own beside a group', { group: { role: 'follows' } as never, ...found('critical') }, 'critical'],
  ])('%s', (_, fields, expected) => {
    expect(reaction(fields)).toBe(expected);
  });
});

describe('a request to approve a fix', () => {
  const request = (remediationId: string) => ({
    remediationId,
    title: words,
    undoes: false,
    by: 'U0DANA',
    at,
    users: ['U0ERIN'],
    groups: [],
  });
  const asked = (...ids: readonly string[]): Incident =>
    buildIncident({ version: 3, approvalRequests: ids.map(request) });

  it('is kept beside the former ones', () => {
    expect(approvalRequested(buildIncident({ version: 3 }), request('a'))).toMatchObject({
      version: 4,
      updatedAt: at,
      approvalRequests: [request('a')],
    });
    expect(approvalRequested(asked('a'), request('b'))?.approvalRequests).toEqual([
      request('a'),
      request('b'),
    ]);
  });

  it('is made once for each fix, and five times in all', () => {
    expect(approvalRequested(asked('a', 'b'), request('b'))).toBeUndefined();
    expect(approvalRequested(asked('a', 'b', 'c', 'd'), request('e'))?.approvalRequests).toHaveLength(5);
    expect(approvalRequested(asked('a', 'b', 'c', 'd', 'e'), request('f'))).toBeUndefined();
  });
});

describe('an approval that cannot be trusted', () => {
  const change = { approvalId: 'a1' } as unknown as NonNullable<Incident['change']>;
  const distrusted = (phase: Phase, fields: Partial<Incident>) =>
    approvalDistrusted(
      buildIncident({ phase, version: 3, diagnosis, approvalId: 'a1', ...fields }),
      'a1',
      words,
      at,
    );
  const mark = { approvalId: 'a1', at, because: words };

  it('takes back the change that it claims to be under way', () => {
    expect(distrusted('applying', { change })).toMatchObject({
      version: 4,
      phase: 'diagnosed',
      approvalId: undefined,
      change: undefined,
      distrusted: mark,
    });
    expect(distrusted('applying', { change, diagnosis: undefined }).phase).toBe('failed');
  });

  it('keeps a change that is made, and the change of another approval', () => {
    expect(distrusted('verifying', { change })).toMatchObject({
      phase: 'verifying',
      approvalId: 'a1',
      change,
      distrusted: mark,
    });
    const other = { ...change, approvalId: 'a0' };
    expect(distrusted('applying', { change: other })).toMatchObject({ phase: 'applying', change: other });
  });

  it('ends the wait for more people on it', () => {
    expect(distrusted('awaiting', {})).toMatchObject({ phase: 'diagnosed', approvalId: undefined });
    expect(distrusted('awaiting', { approvalId: 'a0' })).toMatchObject({
      phase: 'awaiting',
      approvalId: 'a0',
    });
  });
});

describe('an approval', () => {
  it('is over at its expiry, and where that cannot be read', () => {
    const past = (expiresAt: string): boolean => isPastExpiry({ expiresAt }, Date.parse(at));
    expect([
      past('2026-11-20T10:00:00.001Z'),
      past('2026-11-20T10:00:00.000Z'),
      past('2026-11-20T09:59:59.999Z'),
      past('soon'),
    ]).toEqual([false, true, true, true]);
  });

  it('names all who asked and decided', () => {
    const decisions = [{ by: 'U0ERIN', decision: 'reject', at }] as unknown as Approval['decisions'];
    expect(peopleIn({ initiators: ['U0DANA', 'U0KIM'], decisions })).toEqual(['U0DANA', 'U0KIM', 'U0ERIN']);
  });

  it('awaits its second step from the first one until its end', () => {
    const { plan } = buildApproval({});
    const running: Partial<Approval> = {
      state: 'running',
      plan: { ...plan, afterwards: { verb: 'delete-pods', pods: [] } },
      applied: { at } as never,
    };
    const awaits = (fields: Partial<Approval>) => awaitsSecondStep(buildApproval({ ...running, ...fields }));
    expect(awaits({})).toBe(true);
    expect(awaits({ plan })).toBe(false);
    expect(awaits({ state: 'done' })).toBe(false);
    expect(awaits({ applied: undefined })).toBe(false);
    expect(awaits({ secondStep: { type: 'ended' } as never })).toBe(false);
    expect(awaits({ secondStep: { type: 'begun' } as never })).toBe(true);
  });
});

describe('an incident as some people may read it', () => {
  const rule = { clusters: ['*'], namespaces: ['ml'], logs: true };
  const own: Sight = { allOf: [[rule]] };
  const everything: Sight = { allOf: [] };
  const member = (namespace: string) => ({
    id: namespace,
    workload: { cluster: 'prod', kind: 'Deployment', namespace, name: 'x' },
    state: 'sick',
  });
  const leads = (...namespaces: readonly string[]) =>
    ({ role: 'leads', root: {}, members: namespaces.map(member) }) as unknown as NonNullable<
      Incident['group']
    >;
  const follows = (namespace: string) =>
    ({
      role: 'follows',
      root: {},
      lead: 'i0',
      workload: member(namespace).workload,
    }) as unknown as NonNullable<Incident['group']>;
  const groupSeen = (group: NonNullable<Incident['group']>, sight = own) =>
    visibleIncident(buildIncident({ diagnosis, group }), sight).group;

  it('is whole for those who see everything', () => {
    const incident = buildIncident({ diagnosis, group: leads('ml', 'shop') });
    expect(visibleIncident(incident, everything)).toEqual(incident);
    expect(visibleIncident(buildIncident({}), own)).toEqual(buildIncident({}));
  });

  it('has no members of other namespaces in its group', () => {
    expect(groupSeen(leads('ml', 'shop'))).toEqual(leads('ml'));
    expect(groupSeen(leads('ml'))).toEqual(leads('ml'));
    expect(groupSeen(leads('shop'))).toEqual(leads());
  });

  it('does not name the workload of another namespace that it follows', () => {
    expect(groupSeen(follows('ml'))).toEqual(follows('ml'));
    expect(groupSeen(follows('shop'))).toBeUndefined();
    expect(Object.keys(visibleIncident(buildIncident({ group: follows('shop') }), own))).not.toContain(
      'group',
    );
  });

  it('has requests, changes and approvals without names of other namespaces', () => {
    const foreign = [{ namespace: 'shop', names: ['shop/batch'] }];
    const hiding = { ...diagnosis, foreign } as typeof diagnosis;
    const title = { catalogue: 'patch-strategy', key: 'title', values: { pod: 'shop/batch' } };
    const incident = buildIncident({
      diagnosis: hiding,
      change: { approvalId: 'a1', failure: title } as unknown as NonNullable<Incident['change']>,
      pullRequest: { approvalId: 'a1', title } as unknown as NonNullable<Incident['pullRequest']>,
      approvalRequests: [{ title }] as unknown as NonNullable<Incident['approvalRequests']>,
    });
    const seen = visibleIncident(incident, own);
    for (const field of ['change', 'pullRequest', 'approvalRequests'] as const) {
      expect(seen[field]).not.toEqual(incident[field]);
      expect(visibleIncident(incident, everything)[field]).toEqual(incident[field]);
    }
    const approval = buildApproval({ remediation: { ...buildPatchStrategy(), title } });
    expect(visibleApproval(approval, incident, own)).not.toEqual(approval);
    expect(visibleApproval(approval, incident, everything)).toEqual(approval);
    expect(visibleApproval(approval, buildIncident({}), own)).toBe(approval);
    expect(visibleApproval(undefined, incident, own)).toBeUndefined();
  });
});
