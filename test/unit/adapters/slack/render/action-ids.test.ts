import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unknownActions } from '#src/adapters/slack/listeners/actions/unknown.js';
import {
  actionIds,
  json,
  MenuValue,
  menuValue,
  numberedActionIds,
  RemediationValue,
  remediationValue,
  WorkloadValue,
  workloadValue,
} from '#src/adapters/slack/render/action-ids.js';

describe('button values', () => {
  it('round-trip an incident and a remediation', () => {
    const remediationId = 'exclude-nodes:gpu-a.eu.example,gpu-b';
    expect(RemediationValue.parse(remediationValue('abc123', remediationId))).toEqual({
      incidentId: 'abc123',
      remediationId,
    });
  });

  it('round-trip a workload, whatever the name of its cluster', () => {
    const query = { cluster: 'arn:aws:eks:eu:1:cluster/a', kind: 'DaemonSet', namespace: 'n', name: 'x' };
    expect(WorkloadValue.parse(workloadValue(query))).toEqual(query);
    expect(WorkloadValue.parse(workloadValue({ name: 'x' }))).toEqual({ name: 'x' });
  });

  it('round-trip the button behind a menu entry and its value, if Slack accepts both', () => {
    const value = remediationValue('abc123', 'undo-rollout-1');
    const entry = menuValue(actionIds.review, value);
    expect(MenuValue.parse(entry)).toEqual({ action: actionIds.review, value });
    expect(menuValue(actionIds.review, 'x'.repeat(150))).toBeUndefined();
  });

  it.each([
    '',
    '|',
    'remediation.review',
    'approval.reject|a',
    'change.cancel|a',
    '|remediation.review',
    'incident.menu|x',
  ])('of a menu represent no other button: %j', (value) => {
    expect(MenuValue.safeParse(value).success).toBe(false);
  });

  it('are refused without an error when they are forged', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })), (value) => {
        const remediation = RemediationValue.safeParse(value);
        if (remediation.success) expect(remediation.data.incidentId).toMatch(/^[A-Za-z0-9-]+$/);
        expect(['remediation.review', 'incident.look-again', 'request.make', undefined]).toContain(
          MenuValue.safeParse(value).data?.action,
        );
        const workload = WorkloadValue.safeParse(value);
        if (workload.success) expect(workload.data.name).not.toMatch(/[\s<>]/);
      }),
      { numRuns: 300 },
    );
    expect(WorkloadValue.safeParse('["","Pod","n","x"]').success).toBe(false);
    expect(WorkloadValue.safeParse('["","","n",""]').success).toBe(false);
  });

  it('that are not JSON are undefined', () => {
    expect(json('{')).toBeUndefined();
  });
});

describe('the pattern of unknown actions', () => {
  const known = [
    ...Object.values(actionIds).filter((id) => !numberedActionIds.includes(id)),
    ...numberedActionIds.map((id) => `${id}.0`),
    `${actionIds.chooseWorkload}.12`,
    'link.runbook',
  ];

  it.each(known)('does not match %s, which has its own listener', (id) => {
    expect(unknownActions().test(id)).toBe(false);
  });

  it.each([
    '',
    'x',
    'workload.choose',
    'workload.choose.x',
    'request.make',
    'request.choose.1.2',
    'remediation.reviewed',
    'remediation-review',
    'a\nb',
  ])('matches %j', (id) => {
    expect(unknownActions().test(id)).toBe(true);
  });
});
