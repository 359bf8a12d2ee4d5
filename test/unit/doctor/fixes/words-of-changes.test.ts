import { describe, expect, it } from 'vitest';
import { effect } from '#src/doctor/fixes/effects-text.js';
import { state as exclude } from '#src/doctor/fixes/kinds/exclude-nodes/text.js';
import { state as restart } from '#src/doctor/fixes/kinds/restart-rollout/text.js';
import { refusalStatement } from '#src/doctor/fixes/refusals.js';
import { state as check } from '#src/doctor/forecasts/text.js';
import { plain } from '#src/engine/language/prose.js';
import type { Statement } from '#src/engine/language/statement.js';
import { createTell } from '#src/service/create-engine.js';

const tell = createTell();
const drifted = (found: string) =>
  refusalStatement('drifted', { workload: 'shop/web', path: 'spec.paused', found });

/** A statement with the words that it must have in each language, and must not have. */
const cases: readonly (readonly [string, Statement, string, string, RegExp])[] = [
  ['a field that is gone', drifted('-'), 'is no longer set', '설정되어 있지 않음', /now -|값: -/u],
  ['a field with another value', drifted('true'), 'is now true', '값: true', /not set|설정되어/u],
  [
    'a change that a kind has not',
    refusalStatement('not-applicable', { workload: 'shop/web', kind: 'restart-rollout' }),
    'This change does not apply to shop/web.',
    '이 변경을 적용할 수 없습니다',
    /restart-rollout/u,
  ],
  [
    'one pod that stops',
    effect('stops-until-then', { pods: 1, graceSeconds: 30 }),
    'stops 1 pod (up to 30 s).',
    '(최대 30초)',
    /each|파드당/u,
  ],
  [
    'two pods that stop',
    effect('undo-stops', { pods: 2, graceSeconds: 30 }),
    'stops 2 pods (up to 30 s each).',
    '(파드당 최대 30초)',
    /1 pod/u,
  ],
  [
    'one term of an affinity',
    exclude('in-every-term', { terms: 1 }),
    'the existing term',
    '기존 노드 어피니티 항목에',
    /each of|1개/u,
  ],
  ['an exclusion that replaces no pod', exclude('replaces', { pods: 0 }), 'rollout.', '시작됩니다', /0/u],
  ['a restart that evicts none', restart('evicts', { pods: 0 }), 'no pod now', '지금은', /0/u],
  [
    'pod slots',
    check('needs', { resource: 'pods', pods: 2 }),
    '2 new pods need a pod slot',
    '파드 슬롯',
    /need pods/u,
  ],
];

describe('the words about a change', () => {
  it.each(cases)('fit %s', (_, statement, en, ko, wrong) => {
    expect(plain(tell(statement, 'en'))).toContain(en);
    expect(plain(tell(statement, 'ko'))).toContain(ko);
    for (const language of ['en', 'ko'] as const) expect(plain(tell(statement, language))).not.toMatch(wrong);
  });
});
