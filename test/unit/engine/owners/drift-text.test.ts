import { describe, expect, it } from 'vitest';
import { languages } from '#src/engine/language/language.js';
import { plain } from '#src/engine/language/prose.js';
import { driftInFull, driftInShort } from '#src/engine/owners/drift-text.js';
import type { FieldDrift, Owner, Verdict } from '#src/engine/owners/field-drift.js';

const argo: Owner = { by: 'Argo CD', kind: 'Application', namespace: 'argocd', name: 'shop' };
const operator: Owner = { by: 'operator', kind: 'InferenceService', namespace: 'ml', name: 'llm' };
const other: Owner = { by: 'other', kind: '', namespace: '', name: 'deploy-bot' };

function field(verdict: Verdict, fields: Partial<FieldDrift> = {}): FieldDrift {
  return { path: 'spec.paused', verdict, restsOn: [], ...fields };
}
const short = (given: FieldDrift | undefined, language: 'en' | 'ko' = 'en') => {
  const prose = driftInShort(given, language);
  return prose === undefined ? undefined : plain(prose);
};
const full = (fields: readonly FieldDrift[], language: 'en' | 'ko' = 'en') =>
  driftInFull(fields, language).map(plain);

describe('what becomes of a change, in short', () => {
  it.each<[string, FieldDrift | undefined]>([
    ['nobody asked', undefined],
    ['it stays', field({ type: 'stays' })],
    ['it stays while the owner is suspended', field({ type: 'stays', while: 'suspended' }, { owner: argo })],
  ])('is not mentioned where %s', (_, given) => {
    expect(short(given)).toBeUndefined();
  });

  it.each<[Verdict, Owner | undefined, string]>([
    [{ type: 'reverted-at-once' }, argo, 'Argo CD reverts it at once'],
    [{ type: 'operator-reverts' }, operator, 'the controller of InferenceService reverts it at once'],
    [{ type: 'reverted-within', seconds: 600 }, argo, 'Argo CD reverts it within 10 min'],
    [{ type: 'reverted-within' }, argo, 'Argo CD reverts it at its next reconciliation'],
    [{ type: 'reverted-at-next', event: 'sync' }, argo, 'Argo CD reverts it at the next sync'],
    [{ type: 'reverted-at-next', event: 'upgrade' }, argo, 'the next Helm upgrade reverts it'],
    [{ type: 'reverted-at-next', event: 'apply' }, argo, 'the next kubectl apply reverts it'],
    [
      { type: 'next-upgrade-conflicts', event: 'upgrade' },
      argo,
      'the next Helm upgrade fails with a conflict',
    ],
    [
      { type: 'next-upgrade-conflicts', event: 'apply' },
      argo,
      'the next server-side kubectl apply fails with a conflict',
    ],
    [{ type: 'unknown', because: 'other-manager' }, other, 'deploy-bot might revert it'],
    [{ type: 'unknown', because: 'no-evidence' }, undefined, 'might be reverted'],
  ])('%j by %j is “%s”', (verdict, owner, sentence) => {
    const given = field(verdict, owner && { owner });
    expect(short(given)).toBe(sentence);
    expect(short(given, 'ko')).toMatch(/\p{Script=Hangul}/u);
  });

  it('has the Korean particle that follows from the name of the owner', () => {
    const revertedBy = (owner: Owner) => short(field({ type: 'reverted-at-once' }, { owner }), 'ko');
    expect(revertedBy(operator)).toBe('InferenceService 컨트롤러가 즉시 되돌림');
    expect(revertedBy({ ...other, name: 'team-7' })).toBe('team-7이 즉시 되돌림');
  });
});

describe('what becomes of each field, in full', () => {
  const restsOn = [{ type: 'owner-object', kind: 'Application', namespace: 'argocd', name: 'shop' }] as const;
  const surge = { path: 'spec.strategy.rollingUpdate.maxSurge' };

  it('is one paragraph for all fields with the same owner, verdict and evidence', () => {
    const atOnce = field({ type: 'reverted-at-once' }, { owner: argo, restsOn });
    const paragraphs = full([atOnce, { ...atOnce, ...surge }]);
    expect(paragraphs).toHaveLength(1);
    expect(paragraphs[0]).toMatch(
      /spec\.paused.*maxSurge.*reverts it at once.*Evidence: Application argocd\/shop/u,
    );
  });

  it.each<[string, Partial<FieldDrift>]>([
    ['verdict', { verdict: { type: 'reverted-at-next', event: 'sync' } }],
    ['owner', { owner: other }],
    ['evidence', { restsOn: [] }],
  ])('is a paragraph of its own for a field with another %s', (_, fields) => {
    const atOnce = field({ type: 'reverted-at-once' }, { owner: argo, restsOn });
    const paragraphs = full([atOnce, { ...atOnce, ...surge, ...fields }]);
    expect(paragraphs.map((text) => [text.includes('spec.paused'), text.includes('maxSurge')])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it.each<[FieldDrift['restsOn'][number], string]>([
    [{ type: 'managed-fields', manager: 'helm', operation: 'Apply' }, 'managed fields of helm (Apply)'],
    [{ type: 'last-applied' }, 'kubectl.kubernetes.io/last-applied-configuration'],
    [{ type: 'owner-reference' }, 'metadata.ownerReferences'],
    [{ type: 'owner-unread', kind: 'Application', because: 'forbidden' }, 'Application not read (forbidden)'],
  ])('names its evidence: %j', (evidence, text) => {
    expect(full([field({ type: 'stays' }, { restsOn: [evidence] })])[0]).toContain(`Evidence: ${text}.`);
  });

  it('has no evidence to name where only marks on the workload decide', () => {
    expect(full([field({ type: 'stays' }, { restsOn: [{ type: 'marks' }] })])).toEqual([
      'Change of spec.paused: stays.',
    ]);
  });

  it.each(languages)(
    'gives a reason of its own for each unknown fate and each condition (%s)',
    (language) => {
      const reasons = [
        'default-value',
        'other-version',
        'taken-by-another',
        'merged-managers',
        'no-evidence',
        'owner-unread',
        'owner-missing',
        'operator',
        'other-manager',
        'ignore-rule',
      ] as const;
      const conditions = [
        'suspended',
        'reconcile-disabled',
        'not-applied',
        'difference-ignored',
        'drift-ignored',
      ] as const;
      const texts = full(
        [
          ...reasons.map((because) => field({ type: 'unknown', because })),
          ...conditions.map((each) => field({ type: 'stays', while: each })),
          field({ type: 'stays' }),
        ],
        language,
      );
      expect(new Set(texts).size).toBe(reasons.length + conditions.length + 1);
    },
  );
});
