import { describe, expect, it } from 'vitest';
import type { Incident, IncidentAlert } from '#src/doctor/incidents/incident.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import type { Message } from '#src/edges/slack/render/message.js';
import { renderPointer, renderQuestion } from '#src/edges/slack/render/pointer.js';
import { buildDiagnosis } from '../../../../support/diagnosis.js';
import { aloud } from '../../../../support/read-aloud.js';
import { buildIncident, tell } from '../../../../support/slack-builders.js';

const entry = (fields: Partial<IncidentAlert> = {}): IncidentAlert => ({
  id: 'a1',
  name: 'KubeDeploymentRolloutStuck',
  source: 'alertmanager',
  status: 'firing',
  firings: 1,
  at: '2026-11-21T03:00:00Z',
  ...fields,
});

function readCard(fields: Partial<Incident>): string {
  const incident = buildIncident({ origin: { via: 'alert' }, phase: 'diagnosed', ...fields });
  return aloud(renderCard(incident, undefined, { tell }).blocks);
}

/** What Slack reads marks in: mrkdwn and the notification. Rich text is literal. */
function parsed({ text, blocks }: Pick<Message, 'text' | 'blocks'>): string {
  return text + JSON.stringify(blocks.filter(({ type }) => type !== 'rich_text'));
}

const calm = buildDiagnosis({ findings: [] });
const resolved = entry({ status: 'resolved' });

describe('a card opened by alerts', () => {
  it.each<[string, Partial<Incident>, string, string]>([
    [
      'a firing alert',
      { alerts: [entry()] },
      'Alert: `KubeDeploymentRolloutStuck`.',
      '알림: `KubeDeploymentRolloutStuck`',
    ],
    ['an alert that fired often', { alerts: [entry()], occurrences: 7 }, 'fired 7 times', '7번 발생'],
    [
      'one resolved alert of two',
      { alerts: [entry(), entry({ id: 'a2', name: 'Other', status: 'resolved' })], occurrences: 3 },
      '1 of 2 still firing, 3 times in total',
      '2개 중 1개 발생 중',
    ],
    [
      'a resolved alert during the diagnosis',
      { alerts: [resolved], phase: 'diagnosing', diagnosis: calm },
      'the alert is resolved. Verifying …',
      '실제로 해소되었는지 확인하는 중',
    ],
    [
      'a resolved alert whose cause is gone',
      { alerts: [resolved], diagnosis: calm },
      'the same check no longer finds a problem. Closed.',
      '종료합니다',
    ],
    [
      'a resolved alert whose cause is still present',
      { alerts: [resolved], diagnosis: buildDiagnosis() },
      'The alert is resolved, but the cause is still present.',
      '원인이 그대로 남아 있습니다',
    ],
    [
      'a resolved alert without a diagnosis',
      { alerts: [resolved], phase: 'failed' },
      'but this could not be verified',
      '확인하지 못했습니다',
    ],
    [
      'a resolved alert after a failed check',
      {
        alerts: [resolved],
        diagnosis: buildDiagnosis({ findings: [], defects: [{ cause: 'preempted', message: 'x' }] }),
      },
      'but this could not be verified',
      '확인하지 못했습니다',
    ],
    [
      'an incident that another one replaced',
      { alerts: [entry()], diagnosis: buildDiagnosis(), successor: 'i2' },
      'now has a different problem',
      '에 다른 문제가 생겼습니다',
    ],
  ])('shows the state of %s', (_, fields, english, korean) => {
    expect(readCard({ ...fields, language: 'en' })).toContain(english);
    expect(readCard({ ...fields, language: 'ko' })).toContain(korean);
  });

  it('has no buttons after another incident has replaced it', () => {
    const incident = buildIncident({ phase: 'diagnosed', diagnosis: buildDiagnosis(), successor: 'i2' });

    expect(JSON.stringify(renderCard(incident, undefined, { tell }).blocks)).not.toContain('"actions"');
  });

  it('shows the name of an alert as plain data', () => {
    const name =
      '<!channel> *x* <https://evil.example|here> `y` xoxb-1111111111-2222222222-CanaryCanaryCanaryCan';
    const message = renderCard(
      buildIncident({ phase: 'diagnosed', diagnosis: calm, alerts: [entry({ name })] }),
      undefined,
      { tell },
    );

    expect(parsed(message)).not.toMatch(/<!channel>|<https/);
    expect(JSON.stringify(message)).not.toContain('Canary');
  });
});

describe('a message beside the card', () => {
  const web = { cluster: 'prod', kind: 'Deployment', namespace: 'shop', name: 'web' } as const;
  const question = {
    of: 1,
    at: '2026-11-21T03:00:00Z',
    place: { channel: 'C1' },
    about: 'name',
    called: '<!here> web',
    choices: [web, { ...web, name: 'api' }],
  } as const;

  it('asks which workload is meant, with one button each', () => {
    const { blocks, text } = renderQuestion(question, 'en');

    expect(aloud(blocks)).toContain('which matches several workloads. Which one?');
    expect(JSON.stringify(blocks)).toContain('Deployment shop/api (prod)');
    expect(parsed({ blocks, text })).not.toContain('<!here>');
    expect(
      aloud(renderQuestion({ ...question, about: 'cluster', called: 'staging' }, 'ko').blocks),
    ).toContain('staging');
  });

  it('links to the incident where its address is known', () => {
    const incident = buildIncident({});
    const link = 'https://acme.slack.com/archives/C1/p1';

    expect(JSON.stringify(renderPointer(incident, link).blocks)).toContain(link);
    expect(JSON.stringify(renderPointer(incident, undefined).blocks)).not.toContain('"actions"');
  });
});
