import { describe, expect, it, vi } from 'vitest';
import { isIrreversible, isPlanOfKind, kindName, Remediation } from '#src/doctor/fixes/remediation.js';
import { Incident } from '#src/doctor/incidents/incident.js';
import { Policy } from '#src/doctor/policy/policy.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { renderReview } from '#src/edges/slack/render/review.js';
import { diagnosisJson } from '#src/edges/terminal/diagnosis-json.js';
import { kubectlCommands } from '#src/edges/terminal/kubectl-command.js';
import { plain } from '#src/engine/language/prose.js';
import { createEngine, createTell } from '#src/service/create-engine.js';
import { aloud } from '../../support/read-aloud.js';
import { scenarios } from '../../support/scenarios/expectation.js';
import { snapshotOf } from '../../support/scenarios/snapshot-of.js';
import { buildApproval, buildIncident, buildReview } from '../../support/slack-builders.js';
import { state } from './raise-deadline/text.js';

/** The whole recipe beside the folder: one line in the list of kinds. */
vi.mock('#src/doctor/fixes/kinds/kinds.js', async (importOriginal) => {
  const { kinds } = await importOriginal<typeof import('#src/doctor/fixes/kinds/kinds.js')>();
  const { raiseDeadline } = await import('./raise-deadline/kind.js');
  return { kinds: [...kinds, raiseDeadline] };
});

describe('a remediation kind that is one folder and one line in the list', async () => {
  const [scenario] = scenarios().filter(({ expect: { id } }) => id === 'gpu-one-node');
  if (scenario === undefined) throw new Error('the recorded incident is missing');
  const snapshot = await snapshotOf(scenario);
  const engine = createEngine();
  const tell = createTell();
  const { workload, findings, ...diagnosed } = engine.diagnose(snapshot);
  const [finding] = findings;
  const [known] = finding?.remediations ?? [];
  if (finding === undefined || known === undefined) throw new Error('the recorded incident offers no fix');
  const { title: _title, effects: _effects, price, prediction } = known;
  const remediation = Remediation.parse({
    kind: 'raise-deadline',
    id: 'raise-deadline-1200',
    title: state('title', { seconds: 1_200 }),
    effects: [state('waits')],
    price,
    prediction,
    from: 600,
    to: 1_200,
  });
  const plan = engine.plan(remediation, snapshot);
  if (plan.type === 'refusal') throw new Error('it cannot be planned');
  const diagnosis = {
    ...diagnosed,
    workload,
    findings: [{ ...finding, remediations: [remediation] }],
  };
  const incident = buildIncident({ phase: 'diagnosed', workload, diagnosis });

  it.each([
    ['en', 'Raise the progress deadline to 1200 s'],
    ['ko', '진행 기한을 1200초로 연장'],
  ] as const)('is offered on the card in %s', (language, words) => {
    const card = JSON.stringify(renderCard({ ...incident, language }, undefined, { tell }));

    expect(card).toContain(words);
    expect(card).toContain('raise-deadline-1200');
  });

  it('is reviewed with its effects, its field and its price', () => {
    const review = buildReview({ approval: buildApproval({ remediation, plan }) });
    const place = { channel: 'C0INCIDENTS', threadTs: '1795167004.000100' };
    const said = aloud(renderReview(review, { language: 'en', tell, place }).blocks);

    expect(said).toContain('Kubernetes waits longer before it reports the rollout as failed.');
    expect(said).toContain('-  progressDeadlineSeconds: 600');
    expect(said).toContain('+  progressDeadlineSeconds: 1200');
  });

  it('is in the JSON with its kubectl command', () => {
    const commandsFor = () => kubectlCommands(plan, remediation, {});
    const [first] = diagnosisJson(diagnosis, tell, 'en', commandsFor).findings;

    expect(first?.remediations[0]).toMatchObject({
      kind: 'raise-deadline',
      kubectl: [expect.stringContaining('"progressDeadlineSeconds":1200')],
    });
  });

  it('survives the record in Redis, and has a name in the audit', () => {
    const read = Incident.parse(JSON.parse(JSON.stringify(incident)));

    expect(read.diagnosis?.findings[0]?.remediations).toEqual([remediation]);
    expect(plain(kindName('raise-deadline', 'en'))).toBe('raise the deadline');
  });

  it('can be granted by the policy', () => {
    const policy = {
      grants: [{ users: ['U0DANA'], namespaces: ['ml'], actions: ['raise-deadline'] }],
      demands: [],
    };

    expect(Policy.safeParse(policy).success).toBe(true);
  });

  it('is applied and undone by its own plan only', () => {
    const claim = { workload, remediation, undoes: false, plan };
    const other = { ...plan, request: { verb: 'delete' } } as const;

    expect(isPlanOfKind(claim)).toBe(true);
    expect(isPlanOfKind({ ...claim, plan: other })).toBe(false);
    expect(isIrreversible(remediation)).toBe(false);
  });
});
