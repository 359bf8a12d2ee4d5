import { describe, expect, it } from 'vitest';
import type { Finding } from '#src/doctor/findings/finding.js';
import type { Change } from '#src/doctor/incidents/incident.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { renderEntry } from '#src/edges/slack/render/entry.js';
import type { Language } from '#src/engine/language/language.js';
import { aloud } from '../../../../support/read-aloud.js';
import {
  applied,
  buildChange,
  buildDiagnosis,
  buildFinding,
  buildIncident,
  tell,
} from '../../../../support/slack-builders.js';

const restored = [
  { path: 'spec.strategy.rollingUpdate.maxSurge', before: 0, after: '25%' },
  { path: 'spec.strategy.rollingUpdate.maxUnavailable', before: 1 },
];
const fragile = (confidence: Finding['confidence']) =>
  buildFinding({ cause: 'fragile-strategy', severity: 'info', confidence });

interface Look {
  readonly change?: Partial<Change>;
  readonly findings?: readonly Finding[];
  readonly language?: Language;
  readonly underWay?: { readonly updated: number; readonly wanted: number };
  readonly ready?: { readonly pods: number; readonly wanted: number; readonly old?: number };
}

function undone({ change = {}, findings = [], language = 'en', underWay, ready }: Look = {}) {
  const { undo: _, ...sent } = applied;
  return buildIncident({
    phase: 'settled',
    language,
    change: buildChange({
      ...sent,
      undoes: true,
      restored,
      verdict: 'undone',
      verdictAt: '2026-11-20T09:31:14Z',
      ...change,
    }),
    diagnosis: buildDiagnosis({
      takenAt: '2026-11-20T09:32:00Z',
      findings: [...findings],
      ...(underWay === undefined ? {} : { underWay }),
      ...(ready === undefined ? {} : { ready }),
    }),
  });
}

const card = (look?: Look) => aloud(renderCard(undone(look), undefined, { tell }).blocks);

describe('the card after an undo', () => {
  it('states the restored values and the revision that keeps running, and no recovery', () => {
    const rendered = card();
    expect(rendered.split('\n')[0]).toBe('# ⏪ Undone: ml/inference has its previous settings again');
    expect(rendered).toContain('Settings restored: `maxSurge` `25%` and `maxUnavailable` not set.');
    expect(rendered).toContain('Revision `2` keeps running.');
    expect(rendered).not.toMatch(/recovered|no longer finds|deadlock again|after the change/u);
  });

  it('names no revision as the one that runs where pods of an older one serve', () => {
    expect(card({ ready: { pods: 3, wanted: 3, old: 2 } })).not.toContain('keeps running');
    expect(card({ ready: { pods: 0, wanted: 3 } })).not.toContain('keeps running');
  });

  it.each([
    ['proven', 'The next update will deadlock again.'],
    ['possible', 'The next update may deadlock again.'],
  ] as const)('warns of the next update with the confidence of the finding (%s)', (confidence, words) => {
    expect(card({ findings: [fragile(confidence)] })).toContain(words);
  });

  it('warns of the next update in Korean', () => {
    const rendered = card({ findings: [fragile('proven')], language: 'ko' });
    expect(rendered).toContain('복원된 설정: `maxSurge` `25%`, `maxUnavailable` 설정 없음.');
    expect(rendered).toContain('다음 배포 때 다시 교착 상태가 발생합니다.');
  });

  it('states that the template is restored instead of naming a running revision', () => {
    const rendered = card({ change: { restored: [] }, underWay: { updated: 1, wanted: 3 } });
    expect(rendered).toContain('The previous pod template is restored, and a rollout to it has started.');
    expect(rendered).toContain('1 of 3 pods belong to the new revision');
    expect(rendered).not.toContain('keeps running');
  });

  it('does not claim an undo that the controller has not observed', () => {
    const rendered = card({ change: { verdict: 'unchanged' } });
    expect(rendered.split('\n')[0]).toContain('the controller of ml/inference has not observed it');
    expect(rendered).not.toContain('restored');
  });

  it('renders an older record that has verdict recovered and no restored values', () => {
    const { restored: _, ...older } = undone({ change: { verdict: 'recovered' } }).change as Change;
    const rendered = aloud(renderCard({ ...undone(), change: older }, undefined, { tell }).blocks);
    expect(rendered.split('\n')[0]).toContain('Undone: ml/inference');
    expect(rendered).not.toContain('recovered');
  });

  it('is verified in the thread without a cause that it would end', () => {
    const entry = (incident: ReturnType<typeof undone>) =>
      aloud(renderEntry(incident, undefined, { kind: 'applied', of: 'a' }, { tell }).blocks);
    expect(entry(undone())).toContain('Verifying the effect of the change.');
    expect(entry(undone({ change: { undoes: false, cause: 'surge-deadlock' } }))).toContain(
      'Verifying whether the cause is gone.',
    );
  });

  it('states the restored values in the thread too', () => {
    const { blocks } = renderEntry(undone(), undefined, { kind: 'verdict', of: 'a' }, { tell });
    expect(aloud(blocks)).toContain('Settings restored: `maxSurge` `25%`');
  });
});
