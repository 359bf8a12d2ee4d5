import { describe, expect, it } from 'vitest';
import { Approval, approvalStates } from '#src/doctor/incidents/approval.js';
import { Incident, IncidentGroup, phases, storedVerdicts } from '#src/doctor/incidents/incident.js';
import { buildDiagnosis } from '../../../support/diagnosis.js';
import { buildApproval, buildIncident } from '../../../support/records.js';
import { applied, buildChange } from '../../../support/slack-builders.js';

const stored = (record: object): unknown => JSON.parse(JSON.stringify(record));
const at = '2026-11-20T09:30:00Z';
const statement = { catalogue: 'verification', key: 'complete', values: { ready: 1, wanted: 1 } };
const { workload } = buildIncident({});
const node = { kind: 'Node', cluster: 'prod', name: 'gpu-a' } as const;
const quota = { kind: 'ResourceQuota', cluster: 'prod', namespace: 'ml', name: 'team' } as const;
const alert = { id: 'x', name: 'Down', source: 'alertmanager', status: 'firing', firings: 2, at } as const;
const member = { id: 'i2', workload, state: 'sick', card: { ts: '1.2', threadTs: '1.1' } } as const;
const decision = { by: 'U0DANA', at, decision: 'approve', reason: 'go on' } as const;
const leads: IncidentGroup = { role: 'leads', root: node, members: [member], closed: true };
const follows: IncidentGroup = {
  role: 'follows',
  root: quota,
  lead: 'i1',
  workload,
  card: { ts: '1.2' },
};

describe('a stored incident is parsed', () => {
  const fully: Partial<Incident> = {
    threadTs: '1.1',
    asked: true,
    alerts: [alert],
    diagnosis: buildDiagnosis(),
    approvalId: 'a1',
    successor: 'i2',
    lineage: [{ id: 'i0', revision: '1', cause: 'surge-deadlock' }],
    group: leads,
    failure: statement,
  };
  it.each<readonly [string, Partial<Incident>]>([
    ['with all optional fields', fully],
    ['with a change in progress', { change: buildChange() }],
    ['with a change that was made', { change: buildChange({ ...applied, progress: statement }) }],
    ['with a change that failed', { change: buildChange({ failure: statement }) }],
    ['seen by the sentinel', { origin: { via: 'sentinel', refusal: { reason: 'Evicted', at } } }],
    ['under another one', { group: follows }],
    ...(['command', 'mention', 'shortcut', 'alert'] as const).map(
      (via) => [`that came by ${via}`, { origin: { via } }] as const,
    ),
    ...phases.map((phase) => [`while ${phase}`, { phase }] as const),
    [
      'with a change that another client reverted',
      {
        change: buildChange({
          verdict: 'unchanged',
          verdictAt: at,
          reversal: {
            paths: ['spec.paused'],
            isFormer: true,
            by: {
              manager: 'argocd-controller',
              operation: 'Update',
              at,
              owner: { by: 'Argo CD', kind: 'Application', namespace: '', name: 'shop' },
            },
          },
        }),
      },
    ],
    ...storedVerdicts.map(
      (verdict) => [`found ${verdict}`, { change: buildChange({ verdict, verdictAt: at }) }] as const,
    ),
  ])('%s', (_, fields) => {
    const incident = buildIncident(fields);

    expect(Incident.parse(stored(incident))).toEqual(incident);
  });

  it.each<readonly [string, object]>([
    ['an unknown phase', { phase: '' }],
    ['another version of the record', { v: 2 }],
    ['an unknown origin', { origin: { via: '' } }],
    ['a refusal without its time', { origin: { via: 'sentinel', refusal: { reason: 'Evicted' } } }],
    ['an alert without its count', { alerts: [{ ...alert, firings: undefined }] }],
    ['an alert in an unknown state', { alerts: [{ ...alert, status: '' }] }],
    ['a change without a cause', { change: { ...buildChange(), cause: undefined } }],
    ['an unknown verdict', { change: { ...buildChange(), verdict: '' } }],
    ['an earlier one without its id', { lineage: [{ revision: '1', cause: 'surge-deadlock' }] }],
    ['an earlier one without its revision', { lineage: [{ id: 'i0', cause: 'surge-deadlock' }] }],
    ['a failure without words', { failure: {} }],
  ])('and not with %s', (_, fields) => {
    expect(Incident.safeParse(stored({ ...buildIncident({}), ...fields })).success).toBe(false);
  });
});

describe('a stored group of incidents is parsed', () => {
  const bare = { role: 'follows', root: node, lead: 'i1', workload } as const;
  it.each<readonly [string, IncidentGroup]>([
    ['of the leader', leads],
    ['of a leader without members', { role: 'leads', root: quota, members: [] }],
    [
      'with a recovered member without a card',
      { ...leads, members: [{ id: 'i2', workload, state: 'well' }] },
    ],
    ['of a member', follows],
    ['of a member whose leader has no card', bare],
  ])('%s', (_, group) => {
    expect(IncidentGroup.parse(stored(group))).toEqual(group);
  });

  it.each<readonly [string, object]>([
    ['an unknown role', { ...leads, role: '' }],
    ['a root of another kind', { ...leads, root: { ...node, kind: '' } }],
    ['a root without a name', { ...leads, root: { ...node, name: undefined } }],
    ['a quota without its namespace', { ...leads, root: { ...quota, namespace: undefined } }],
    ['a member in an unknown state', { ...leads, members: [{ ...member, state: '' }] }],
    ['a member without its workload', { ...leads, members: [{ ...member, workload: undefined }] }],
    ['a card that is nowhere', { ...follows, card: {} }],
    ['no leader', { ...bare, lead: undefined }],
  ])('and not with %s', (_, group) => {
    expect(IncidentGroup.safeParse(stored(group)).success).toBe(false);
  });
});

describe('a stored approval is parsed', () => {
  it.each<readonly [string, Partial<Approval>]>([
    ['with a decision', { decisions: [decision] }],
    ['with a rejection', { decisions: [{ ...decision, decision: 'reject' }] }],
    ['that two have to give', { needs: 2, initiators: ['U0ALICE'] }],
    ...approvalStates.map((state) => [`while ${state}`, { state }] as const),
  ])('%s', (_, fields) => {
    const approval = buildApproval(fields);

    expect(Approval.parse(stored(approval))).toEqual(approval);
  });

  it.each<readonly [string, object]>([
    ['an unknown state', { state: '' }],
    ['another version of the record', { v: 2 }],
    ['no required approver', { needs: 0 }],
    ['half a person needed', { needs: 1.5 }],
    ['an unknown decision', { decisions: [{ ...decision, decision: '' }] }],
    ['a decision without its reason', { decisions: [{ ...decision, reason: undefined }] }],
    ['a decision without a person', { decisions: [{ ...decision, by: undefined }] }],
    ['no plan', { plan: undefined }],
    ['no digest of its plan', { digest: undefined }],
    ['no end', { expiresAt: undefined }],
  ])('and not with %s', (_, fields) => {
    expect(Approval.safeParse(stored({ ...buildApproval({}), ...fields })).success).toBe(false);
  });
});
