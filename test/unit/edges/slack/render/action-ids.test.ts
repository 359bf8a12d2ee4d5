import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unknownActions } from '#src/edges/slack/listeners/index.js';
import {
  actionIds,
  HandOverBlock,
  handOverBlock,
  json,
  MenuValue,
  menuValue,
  numberedActionIds,
  RemediationValue,
  remediationValue,
  TakeOverValue,
  takeOverValue,
  WorkloadValue,
  workloadValue,
} from '#src/edges/slack/render/action-ids.js';

describe('button values', () => {
  it('carry incident and remediation there and back', () => {
    const remediationId = 'exclude-nodes:gpu-a.eu.example,gpu-b';
    expect(RemediationValue.parse(remediationValue('abc123', remediationId))).toEqual({
      incidentId: 'abc123',
      remediationId,
    });
  });

  it('carry a workload there and back, whatever its cluster is called', () => {
    const query = { cluster: 'arn:aws:eks:eu:1:cluster/a', kind: 'DaemonSet', namespace: 'n', name: 'x' };
    expect(WorkloadValue.parse(workloadValue(query))).toEqual(query);
    expect(WorkloadValue.parse(workloadValue({ name: 'x' }))).toEqual({ name: 'x' });
  });

  it('carry the button that an entry of a menu stands for, and its value, if Slack takes both', () => {
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
  ])('of a menu stand for no other button: %j', (value) => {
    expect(MenuValue.safeParse(value).success).toBe(false);
  });

  it('that name a person and an incident are read back, and others are refused', () => {
    expect(TakeOverValue.parse(takeOverValue('abc123', 'U0DANA'))).toEqual({
      incidentId: 'abc123',
      from: 'U0DANA',
    });
    expect(HandOverBlock.parse(handOverBlock('abc123'))).toBe('abc123');
    for (const forged of ['', 'abc123', '../x.U0DANA', 'abc123.u<', 'abc123.U0DANA.x']) {
      expect(TakeOverValue.safeParse(forged).success).toBe(false);
      expect(HandOverBlock.safeParse(forged).success).toBe(false);
    }
  });

  it('that are forged are refused and never throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })), (value) => {
        const remediation = RemediationValue.safeParse(value);
        if (remediation.success) expect(remediation.data.incidentId).toMatch(/^[A-Za-z0-9-]+$/);
        expect([
          'remediation.review',
          'incident.assign',
          'incident.look-again',
          'request.make',
          undefined,
        ]).toContain(MenuValue.safeParse(value).data?.action);
        const workload = WorkloadValue.safeParse(value);
        if (workload.success) expect(workload.data.name).not.toMatch(/[\s<>]/);
      }),
      { numRuns: 300 },
    );
    expect(WorkloadValue.safeParse('["","Pod","n","x"]').success).toBe(false);
    expect(WorkloadValue.safeParse('["","","n",""]').success).toBe(false);
  });

  it('that are no JSON give undefined', () => {
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

  it.each(known)('leaves %s to its listener', (id) => {
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
  ])('takes %j', (id) => {
    expect(unknownActions().test(id)).toBe(true);
  });
});
