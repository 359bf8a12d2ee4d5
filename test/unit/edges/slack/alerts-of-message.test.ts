import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { subjectOf } from '#src/doctor/alerts/subject-of.js';
import { AlertMessage, alertsOfMessage } from '#src/edges/slack/alerts-of-message.js';
import { boundedAlert } from '../../../support/alert-builders.js';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const clusters = { names: ['prod-eu'], aliases: {} };

function read(message: object) {
  const parsed = AlertMessage.parse({ ts: '1763694000.000100', bot_id: 'B0ALERT', ...message });
  return alertsOfMessage(parsed, digest).map((raw) => {
    const alert = boundedAlert(raw);
    return { ...alert, subject: subjectOf(alert, clusters) };
  });
}

const alertmanager = {
  subtype: 'bot_message',
  username: 'Alertmanager',
  text: '',
  attachments: [
    {
      id: 1,
      color: 'a30200',
      fallback:
        '[FIRING:2] KubeDeploymentRolloutStuck shop | <http://am.example.com/#/alerts?receiver=slack>',
      title: '[FIRING:2] KubeDeploymentRolloutStuck shop (web critical)',
      title_link: 'http://am.example.com/#/alerts?receiver=slack',
      fields: [
        { title: 'alertname', value: 'KubeDeploymentRolloutStuck', short: true },
        { title: 'cluster', value: 'prod-eu', short: true },
        { title: 'namespace', value: 'shop', short: true },
        { title: 'deployment', value: 'web', short: true },
      ],
      mrkdwn_in: ['fallback', 'pretext', 'text'],
    },
  ],
};

const grafanaAlert = (state: string, name: string, deployment: string): string =>
  `**${state}**\n\nValue: A=1\nLabels:\n - alertname = ${name}\n - namespace = shop\n - deployment = ${deployment}\nAnnotations:\n - summary = No progress\nSource: <https://grafana.example.com/alerting/grafana/x/view|https://grafana.example.com/alerting/grafana/x/view>`;

const robusta = {
  app_id: 'A0ROBUSTA',
  text: 'Crashing pod web-7d9c5b8f6-x2k4p in namespace shop',
  blocks: [
    {
      type: 'section',
      text: { type: 'mrkdwn', text: ':red_circle: *Crashing pod web-7d9c5b8f6-x2k4p in namespace shop*' },
    },
    { type: 'context', elements: [{ type: 'mrkdwn', text: '*Source:* `prod-eu`' }] },
  ],
  attachments: [
    {
      color: '#EF311F',
      blocks: [
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            text: '*Alert labels*\n• *namespace* : `shop`\n• *pod* : `web-7d9c5b8f6-x2k4p`',
          },
        },
      ],
    },
  ],
};

const web = { type: 'workload', query: { kind: 'Deployment', namespace: 'shop', name: 'web' } };

describe('an alert in a message', () => {
  it("is read from Alertmanager's attachment, with the fields that docs/alerts.md adds", () => {
    expect(read(alertmanager)).toMatchObject([
      {
        status: 'firing',
        name: 'KubeDeploymentRolloutStuck',
        startsAt: '2025-11-21T03:00:00.000Z',
        links: ['http://am.example.com/#/alerts?receiver=slack'],
        subject: { type: 'workload', query: { cluster: 'prod-eu', namespace: 'shop', name: 'web' } },
      },
    ]);
  });

  it("takes the words of Alertmanager's default title as names to look up", () => {
    const [alert] = read({
      attachments: [{ title: '[FIRING:1] KubePodNotReady shop (web critical)', fallback: 'x', text: '' }],
    });

    expect(alert?.subject).toMatchObject({ type: 'names', tokens: ['shop', 'web'] });
  });

  it('keeps its fingerprint when it is resolved and when the number of alerts changes', () => {
    const [first] = alertmanager.attachments;
    const titled = (title: string) => read({ ...alertmanager, attachments: [{ ...first, title }] })[0];
    const firing = titled('[FIRING:2] KubeDeploymentRolloutStuck shop (web critical)');
    const resolved = titled('[RESOLVED] KubeDeploymentRolloutStuck shop (web critical)');
    const other = titled('[FIRING:2] KubeDeploymentRolloutStuck shop (api critical)');

    expect([firing?.status, resolved?.status]).toEqual(['firing', 'resolved']);
    expect(resolved?.fingerprint).toBe(firing?.fingerprint);
    expect(other?.fingerprint).not.toBe(firing?.fingerprint);
  });

  it("is read from Grafana's text", () => {
    const alerts = read({
      attachments: [
        {
          title: '[FIRING:1] Stuck shop (web)',
          text: grafanaAlert('Firing', 'Stuck', 'web'),
          color: 'D63232',
        },
      ],
    });

    expect(alerts).toMatchObject([{ status: 'firing', name: 'Stuck', subject: web }]);
  });

  it('is several alerts where Grafana lists several, each with its own state', () => {
    const text = `${grafanaAlert('Firing', 'Stuck', 'web')}\n\n${grafanaAlert('Resolved', 'Stuck', 'api')}`;
    const alerts = read({ attachments: [{ title: '[FIRING:1, RESOLVED:1] Stuck shop', text }] });

    expect(alerts).toMatchObject([
      { status: 'firing', subject: web },
      { status: 'resolved', subject: { type: 'workload', query: { namespace: 'shop', name: 'api' } } },
    ]);
    expect(new Set(alerts.map(({ fingerprint }) => fingerprint)).size).toBe(2);
  });

  it("is read from Robusta's blocks, in the attachments too", () => {
    expect(read(robusta)).toMatchObject([
      { status: 'firing', subject: { type: 'pod', pod: { namespace: 'shop', name: 'web-7d9c5b8f6-x2k4p' } } },
    ]);
  });

  it.each([':white_check_mark: Prometheus Alert Resolved: Stuck', '✅ all is well with shop/web'])(
    'is resolved when its text is "%s"',
    (text) => {
      expect(read({ text })[0]?.status).toBe('resolved');
    },
  );

  it('is read from rich text, word by word', () => {
    const element = (text: string) => ({ type: 'text', text });
    const alerts = read({
      text: '',
      blocks: [
        {
          type: 'rich_text',
          elements: [{ type: 'rich_text_section', elements: [element('shop/'), element('web is stuck')] }],
        },
      ],
    });

    expect(alerts[0]?.subject).toMatchObject({
      type: 'names',
      workloads: [{ namespace: 'shop', name: 'web' }],
    });
  });

  it.each<[string, object]>([
    ['nothing', {}],
    ['attachments that are none', { attachments: 'x' }],
    ['attachments of numbers', { attachments: [1, { title: 7, fields: [3], blocks: 'no' }] }],
    ['blocks that are cut off', { blocks: [null, 1, { type: 'section' }, { type: 'section', text: null }] }],
    ['blocks in blocks without end', { blocks: [nested(200)] }],
    ['a hundred thousand lines', { text: 'a: b\n'.repeat(100_000) }],
  ])('is read without failing from %s', (_, message) => {
    expect(read(message).length).toBeLessThanOrEqual(10);
  });
});

function nested(depth: number): object {
  return depth === 0 ? { type: 'text', text: 'x' } : { type: 'section', elements: [nested(depth - 1)] };
}
