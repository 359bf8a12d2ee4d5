import { describe, expect, it } from 'vitest';
import type { Change } from '#src/doctor/incidents/incident.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { renderEntry } from '#src/edges/slack/render/entry.js';
import type { Language } from '#src/engine/language/language.js';
import type { LastWriter } from '#src/engine/owners/declaration.js';
import { aloud } from '../../../../support/read-aloud.js';
import {
  applied,
  buildChange,
  buildDiagnosis,
  buildIncident,
  tell,
} from '../../../../support/slack-builders.js';

const byArgoCd: LastWriter = {
  manager: 'argocd-controller',
  operation: 'Update',
  at: '2026-11-20T09:31:16Z',
  owner: { by: 'Argo CD', kind: 'Application', namespace: 'argocd', name: 'shop' },
};
const byOperator: LastWriter = {
  manager: 'manager',
  operation: 'Apply',
  owner: { by: 'operator', kind: 'Driver', namespace: 'ml', name: 'llm' },
};
const byHand: LastWriter = { manager: 'kubectl-edit', operation: 'Update' };

function incident(reversal: Partial<NonNullable<Change['reversal']>>, language: Language = 'en') {
  return buildIncident({
    phase: 'settled',
    language,
    change: buildChange({
      ...applied,
      verdict: 'unchanged',
      verdictAt: '2026-11-20T09:31:18Z',
      reversal: { paths: ['spec.strategy.rollingUpdate.maxSurge'], isFormer: true, ...reversal },
    }),
    diagnosis: buildDiagnosis({ takenAt: '2026-11-20T09:31:18Z' }),
  });
}

const card = (...args: Parameters<typeof incident>) =>
  aloud(renderCard(incident(...args), undefined, { tell }).blocks);
const title = (...args: Parameters<typeof incident>) => card(...args).split('\n')[0];

describe('the card after another client reverted a change', () => {
  it.each<[string, Parameters<typeof incident>, string]>([
    ['Argo CD', [{ by: byArgoCd }], 'Argo CD Application argocd/shop reverted the change to ml/inference'],
    ['an operator', [{ by: byOperator }], 'The controller of Driver ml/llm reverted the change to'],
    [
      'a person who wrote another value',
      [{ by: byHand, isFormer: false }],
      'kubectl-edit overwrote the change',
    ],
    ['nobody known', [{}], 'The change to ml/inference was reverted'],
    [
      'Argo CD, in Korean',
      [{ by: byArgoCd }, 'ko'],
      'Argo CD Application argocd/shop이 ml/inference 변경을 되돌렸습니다',
    ],
    ['an operator, in Korean', [{ by: byOperator }, 'ko'], 'Driver ml/llm 컨트롤러가 ml/inference 변경을'],
  ])('names in its title who did it: %s', (_, args, words) => {
    expect(title(...args)).toContain(`🟠 ${words}`);
  });

  it('states the fields, the field manager and the time, and what is found now', () => {
    const words = card({ by: byArgoCd });

    expect(words).toContain('Previous values are back: `spec.strategy.rollingUpdate.maxSurge`.');
    expect(words).toContain('Written by `argocd-controller` ');
    expect(words).toContain('The same check still finds `surge-deadlock`.');
    expect(words).not.toContain('did not help');
  });

  it('offers no undo: nothing is left of the change', () => {
    expect(card({ by: byArgoCd })).not.toContain('Undo');
  });

  it('is also the message in the thread', () => {
    const { blocks } = renderEntry(
      incident({ by: byArgoCd }),
      undefined,
      { kind: 'verdict', of: 'a'.repeat(32) },
      { tell },
    );

    expect(aloud(blocks)).toContain('Written by `argocd-controller`');
  });
});
