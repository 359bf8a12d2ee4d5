import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CauseId, Confidence, Severity } from '#src/doctor/findings/cause-id.js';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import { conclusionOf, isAbsent } from '#src/doctor/findings/main-finding.js';
import type { AnyRule } from '#src/doctor/findings/rule.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { clusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { buildDetected, ruleText } from '../../../support/diagnosis.js';
import { node, pod } from '../../../support/placement-builders.js';
import { buildPatchStrategy } from '../../../support/records.js';
import { buildDeployment } from '../../../support/rollout-builders.js';

function snapshot(fields: Partial<Snapshot> = {}): Snapshot {
  return {
    takenAt: '2026-11-20T09:30:00Z',
    cluster: 'prod',
    workload: buildDeployment(),
    index: indexObjects(clusterObjects({})),
    logs: [],
    unseen: [],
    ...fields,
  };
}

function rule(id: CauseId, fields: Partial<AnyRule> = {}): AnyRule {
  return {
    id,
    facts: z.record(z.string(), z.unknown()),
    text: ruleText,
    origin: 'template',
    appliesTo: ['Deployment'],
    needs: [],
    supersedes: [],
    detect: () => buildDetected({ cause: id }),
    ...fields,
  };
}

function finding(id: CauseId, severity: Severity, confidence: Confidence = 'proven'): AnyRule {
  return rule(id, { detect: () => buildDetected({ cause: id, severity, confidence }) });
}

function fail(): never {
  throw new RangeError('Invalid time value');
}

const found = (rules: readonly AnyRule[], of = snapshot()) =>
  diagnose(of, rules).findings.map(({ cause }) => cause);

describe('diagnose', () => {
  it('orders findings by severity, then by confidence, then by rule', () => {
    const rules = [
      finding('fragile-strategy', 'info'),
      finding('insufficient-capacity', 'critical', 'likely'),
      finding('volume-unbound', 'critical'),
      finding('surge-deadlock', 'critical'),
      finding('node-cordoned', 'warning'),
    ];
    const order = [
      'surge-deadlock',
      'volume-unbound',
      'insufficient-capacity',
      'node-cordoned',
      'fragile-strategy',
    ];

    const [first, second, ...rest] = order;

    expect(found([...rules].reverse())).toEqual(order);
    expect(found(rules)).toEqual([second, first, ...rest]);
  });

  it('omits a finding that another one explains better, even when that one is itself omitted', () => {
    const chain = [
      rule('surge-deadlock', { supersedes: ['capacity-contention'] }),
      rule('capacity-contention', { supersedes: ['progress-deadline-exceeded'] }),
      rule('progress-deadline-exceeded'),
    ];

    expect(found(chain)).toEqual(['surge-deadlock']);
    expect(found([...chain].reverse())).toEqual(['surge-deadlock']);
  });

  it('lets a note about future updates hide no finding', () => {
    const note = rule('fragile-strategy', {
      supersedes: ['node-cordoned'],
      detect: () => buildDetected({ cause: 'fragile-strategy', severity: 'info' }),
    });

    expect(found([note, rule('node-cordoned')])).toContain('node-cordoned');
  });

  it('names a rule that throws, and keeps the findings of the others', () => {
    const broken = rule('volume-unbound', {
      detect: () => {
        throw new Error('no such volume');
      },
    });
    const diagnosis = diagnose(snapshot(), [broken, rule('surge-deadlock')]);

    expect(diagnosis.defects).toEqual([{ cause: 'volume-unbound', message: 'no such volume' }]);
    expect(diagnosis.findings.map(({ cause }) => cause)).toEqual(['surge-deadlock']);
  });

  it('lowers the confidence of what a failed rule might have explained better', () => {
    const broken = rule('surge-deadlock', {
      supersedes: ['insufficient-capacity'],
      detect: () => {
        throw new RangeError('Invalid time value');
      },
    });
    const { findings } = diagnose(snapshot(), [
      broken,
      finding('insufficient-capacity', 'critical'),
      finding('node-cordoned', 'critical'),
    ]);

    expect(findings.map(({ cause, confidence }) => [cause, confidence])).toEqual([
      ['node-cordoned', 'proven'],
      ['insufficient-capacity', 'likely'],
    ]);
  });

  it.each<readonly [string, readonly AnyRule[], string]>([
    ['every rule ran and found no problem', [rule('node-cordoned', { detect: () => undefined })], 'nothing'],
    ['a rule found only a note', [finding('fragile-strategy', 'info')], 'nothing'],
    ['a rule found a cause', [finding('surge-deadlock', 'critical')], 'found'],
    ['a rule failed and the others found no problem', [rule('node-cordoned', { detect: fail })], 'unchecked'],
    [
      'a rule failed and another one found a cause',
      [rule('node-cordoned', { detect: fail }), finding('surge-deadlock', 'critical')],
      'found',
    ],
  ])('concludes with the evidence available: %s', (_, rules, conclusion) => {
    expect(conclusionOf(diagnose(snapshot(), rules))).toBe(conclusion);
  });

  describe('where what was not read decides whether another cause is the one', () => {
    const because = { catalogue: 'waiting', key: 'because-no-gates', values: {} };
    const open = rule('quota-exceeded', { detect: () => undefined, undecidedBy: () => ['ResourceQuota x'] });
    const decided = rule('quota-exceeded', { detect: () => undefined, undecidedBy: () => [] });
    const deadlock = rule('quota-deadlock', {
      detect: () =>
        buildDetected({
          cause: 'quota-deadlock',
          confidence: 'proven',
          waitCycle: [],
          remediations: [buildPatchStrategy()],
          ruledOut: [
            { cause: 'quota-exceeded', because },
            { cause: 'admission-denied', because },
          ],
        }),
    });
    const named = {
      key: 'better-unread',
      values: { causes: ['quota-exceeded'], kinds: ['ResourceQuota x'] },
    };

    it('neither excludes that cause nor proves anything, and names it', () => {
      expect(diagnose(snapshot(), [deadlock, open]).findings[0]).toMatchObject({
        confidence: 'likely',
        ruledOut: [{ cause: 'admission-denied' }],
        weakenedBy: [named],
      });
    });

    it('recommends no fix of a deadlock that rests on its absence', () => {
      const [found] = diagnose(snapshot(), [deadlock, open]).findings;
      expect(found?.remediations).toEqual([]);
      expect(found?.withheld).toContainEqual({
        kind: 'patch-strategy',
        because: expect.objectContaining({
          key: 'withheld-undecided',
          values: { decides: 'ResourceQuota x' },
        }),
      });
    });

    it('excludes it where everything that decides was read', () => {
      expect(diagnose(snapshot(), [deadlock, decided]).findings[0]).toMatchObject({
        confidence: 'proven',
        ruledOut: [{ cause: 'quota-exceeded' }, { cause: 'admission-denied' }],
        weakenedBy: [],
      });
    });

    it('names it beside what it would explain better, and beside nothing else', () => {
      const better = { ...open, supersedes: ['admission-denied'] as const };
      const causes = ['admission-denied', 'node-cordoned'] as const;
      const [first, second] = diagnose(snapshot(), [better, ...causes.map((id) => rule(id))]).findings;
      expect([first, second]).toMatchObject([
        { cause: 'admission-denied', weakenedBy: [named] },
        { cause: 'node-cordoned', weakenedBy: [] },
      ]);
    });
  });

  it.each([
    ['possible', [{ key: 'better-unread', values: { causes: ['surge-deadlock'], kinds: ['Node'] } }]],
    ['likely', []],
  ] as const)('where no node was recorded, names what a %s finding may be instead', (confidence, beside) => {
    const unseen = [{ what: 'Node', namespace: '', because: 'not-recorded', message: '' }] as const;
    const better = rule('surge-deadlock', {
      needs: ['Node'],
      supersedes: ['insufficient-capacity'],
      detect: () => undefined,
    });
    const rules = [better, finding('insufficient-capacity', 'warning', confidence)];
    expect(diagnose(snapshot({ unseen }), rules).findings[0]?.weakenedBy).toMatchObject(beside);
  });

  it('runs no rule for a kind of workload that it does not support', () => {
    expect(found([rule('ordered-ready-stuck', { appliesTo: ['StatefulSet'] })])).toEqual([]);
  });

  it('names the causes that an unread kind weakens', () => {
    const unread = { what: 'Node', namespace: '', because: 'forbidden', message: 'no' } as const;
    const rules = [rule('surge-deadlock', { needs: ['Node'] }), rule('rollout-paused', { needs: ['Pod'] })];

    expect(diagnose(snapshot({ unseen: [unread] }), rules).unseen).toEqual([
      { ...unread, weakens: ['surge-deadlock'] },
    ]);
  });

  it.each([
    ['LeaderWorkerSet', 'LeaderWorkerSet', 'likely'],
    ['Revision', 'KnativeService', 'likely'],
    ['Revision', 'RayService', 'proven'],
    ['InHouse', 'KnativeService', 'proven'],
  ] as const)('below a %s, where a %s could not be read, leaves a finding %s', (kind, what, confidence) => {
    const whole = snapshot({ unseen: [{ what, namespace: 'shop', because: 'forbidden', message: '' }] });
    const owner = { apiVersion: 'v1', kind, name: 'llm', uid: 'u', controller: true };
    const metadata = { ...whole.workload.metadata, ownerReferences: [owner] };
    const proving = rule('quota-exceeded', {
      detect: () => buildDetected({ cause: 'quota-exceeded', confidence: 'proven' }),
    });
    const workload = { ...whole.workload, metadata } as Snapshot['workload'];

    expect(diagnose({ ...whole, workload }, [proving]).findings[0]).toMatchObject({ confidence });
  });

  describe('with an object that does not parse', () => {
    const broken = (what: Snapshot['unseen'][number]['what'], namespace: string) =>
      snapshot({ unseen: [{ what, namespace, because: 'malformed', message: `${what} odd` }] });
    const proving = rule('quota-exceeded', {
      needs: ['ResourceQuota', 'Pod'],
      detect: () => buildDetected({ cause: 'quota-exceeded', confidence: 'proven' }),
    });
    const silent = rule('quota-exceeded', { needs: ['ResourceQuota', 'Pod'], detect: () => undefined });

    it.each([
      ['a quota of its namespace', 'ResourceQuota', 'shop', 'likely', 'unchecked'],
      ['a quota whose namespace cannot be read', 'ResourceQuota', '', 'likely', 'unchecked'],
      ['a quota of another namespace', 'ResourceQuota', 'other', 'proven', 'nothing'],
      ['a pod of another namespace', 'Pod', 'other', 'likely', 'unchecked'],
      ['a kind that the rule does not read', 'Lease', 'shop', 'proven', 'nothing'],
    ] as const)(
      'proves nothing that may rest on it, and excludes nothing: %s',
      (_, what, where, confidence, end) => {
        const [finding] = diagnose(broken(what, where), [proving]).findings;
        expect(finding).toMatchObject({ confidence });
        expect(finding?.weakenedBy).toHaveLength(confidence === 'proven' ? 0 : 1);

        const calm = diagnose(broken(what, where), [silent]);
        expect(conclusionOf(calm)).toBe(end);
        expect(isAbsent('quota-exceeded', calm)).toBe(end === 'nothing');
        expect(calm.unseen).toMatchObject([{ message: `${what} odd` }]);
      },
    );
  });

  it.each([
    ['forbidden', 'not-simulated'],
    ['not-served', 'refused'],
  ] as const)('treats a claim as missing only when claims were read: %s', (because, outcome) => {
    const wanted = pod('new', { claim: 'data' });
    const index = indexObjects(clusterObjects({ Node: [node('n-a')], Pod: [wanted] }));
    const unseen = [{ what: 'PersistentVolumeClaim', namespace: 'shop', because, message: '' }] as const;
    const calls: string[] = [];
    const asking = rule('volume-unbound', {
      detect: ({ placement }) => {
        calls.push(placement.evaluate(wanted).outcome);
        return undefined;
      },
    });
    diagnose(snapshot({ index, unseen }), [asking]);

    expect(calls).toEqual([outcome]);
  });
});
