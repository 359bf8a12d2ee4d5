import { describe, expect, it } from 'vitest';
import { alertBounds } from '#src/doctor/alerts/alert.js';
import { withRules } from '#src/doctor/alerts/apply-rules.js';
import { finished } from '#src/doctor/redaction/span.js';
import { maxAlertsPerRequest, parsingWebhook } from '#src/edges/webhooks/parse-webhook.js';
import { boundedAlert } from '../../support/alert-builders.js';

const many = 33_000;
const alert = (labels: unknown, more: object = {}) => ({ status: 'firing', labels, ...more });
const mapping = {
  alerts: '/items',
  name: '/title',
  labels: { namespace: '/ns' },
  tags: '/tags',
  resolvedWhen: [],
} as never;

type Source = 'alertmanager' | 'grafana' | 'pagerduty' | 'opsgenie' | 'incident-io' | 'generic';

function parse(source: Source, text: string) {
  return finished(
    parsingWebhook({ source, mapping: source === 'generic' ? mapping : undefined }, Buffer.from(text)),
  );
}

describe('a request with more alerts than allowed', () => {
  it.each([
    [
      'alertmanager',
      JSON.stringify({ alerts: Array.from({ length: many }, (_, at) => alert({ at: `${at}` })) }),
    ],
    ['grafana', JSON.stringify({ alerts: Array.from({ length: many }, (_, at) => alert({ at: `${at}` })) })],
    ['generic', JSON.stringify({ items: Array.from({ length: many }, (_, at) => ({ title: `${at}` })) })],
  ] as const)('of %s keeps the first ones and counts the others', (source, text) => {
    const parsed = parse(source, text);

    if ('type' in parsed) throw new Error(parsed.reason);
    expect(parsed.alerts).toHaveLength(maxAlertsPerRequest);
    expect(parsed.dropped).toBe(many - maxAlertsPerRequest);
  });

  it('does not parse the alerts that it drops', () => {
    const kept = Array.from({ length: maxAlertsPerRequest }, (_, at) => alert({ at: `${at}` }));
    const parsed = parse('alertmanager', JSON.stringify({ alerts: [...kept, 'no alert', null, 7] }));

    expect(parsed).toMatchObject({ dropped: 3 });
  });
});

const nested = (depth: number, open: string, close: string, inside = '1') =>
  open.repeat(depth) + inside + close.repeat(depth);

describe('a hostile body', () => {
  it.each([
    ['arrays within arrays', nested(200_000, '[', ']')],
    ['objects within objects', nested(200_000, '{"alerts":', '}')],
    [
      'a nested value among the labels',
      `{"alerts":[{"status":"firing","labels":{"a":${nested(200_000, '[', ']')}}}]}`,
    ],
    ['labels that are no object', '{"alerts":[{"status":"firing","labels":7}]}'],
    ['alerts that are no array', '{"alerts":{"length":1000000000}}'],
    [
      'a hundred thousand labels',
      JSON.stringify({
        alerts: [alert(Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`l${at}`, 'x'])))],
      }),
    ],
    ['a number beyond all numbers', `{"alerts":[{"status":"firing","labels":{"a":1e999999}}]}`],
    ['nothing', ''],
    ['half a character', '"\ud800'],
    ['JSON that ends early', '{"alerts":[{"status":"firing"'],
  ])('with %s is refused with 400', (_, text) => {
    for (const source of ['alertmanager', 'grafana', 'pagerduty', 'opsgenie', 'incident-io'] as const) {
      expect(parse(source, text)).toMatchObject({ type: 'refused', status: 400 });
    }
  });

  it.each([
    ['a map that cannot become a text', '{"toString":1}'],
    ['lists within lists', nested(69_000, '[', ']')],
    ['maps within maps', nested(69_000, '{"a":', '}')],
    ['a list of secrets', '[["password=x7"]]'],
    ['nothing', 'null'],
  ])('with %s as the name of the alert has the name of its message', (_, name) => {
    const body = `{"action":"Create","alert":{"alertId":"a","message":"m","details":{"alertname":${name}}}}`;

    expect(parse('opsgenie', body)).toMatchObject({ alerts: [{ name: 'm', labels: {} }] });
  });

  it('with a nested value at a mapped path gives an alert without that value', () => {
    const deep = nested(69_000, '[', ']');
    const parsed = parse('generic', `{"items":[{"title":${deep},"ns":${deep},"tags":${deep}}]}`);

    expect(parsed).toMatchObject({ alerts: [{ name: undefined, labels: {} }] });
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'with the label %s changes only its own object',
    (name) => {
      const labels = `{"${name}":"polluted","namespace":"shop"}`;
      const parsed = parse(
        'alertmanager',
        `{"alerts":[{"status":"firing","labels":${labels},"annotations":${labels}}]}`,
      );
      if ('type' in parsed) throw new Error(parsed.reason);
      const [raw] = parsed.alerts;
      if (raw === undefined) throw new Error('no alert');
      const bounded = boundedAlert(withRules(raw, [{ when: { namespace: 'shop' }, labels: { team: 'x' } }]));

      expect(bounded.labels.namespace).toBe('shop');
      expect(Object.getPrototypeOf(bounded.labels)).toBe(Object.prototype);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      expect(String({})).toBe('[object Object]');
    },
  );

  it.each<[string, object]>([
    [
      'thirty thousand labels',
      Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`l${at}`, 'x'])),
    ],
    ['a label value of a megabyte', { big: 'x '.repeat(500_000) }],
    ['a label name of a megabyte', { ['n'.repeat(1_000_000)]: 'x' }],
  ])('with %s is shortened to its limits', (_, labels) => {
    const text = JSON.stringify({
      alerts: [alert(labels, { annotations: labels, fingerprint: 'f'.repeat(1_000_000) })],
    });
    const parsed = parse('alertmanager', text);
    if ('type' in parsed) throw new Error(parsed.reason);
    const [raw] = parsed.alerts;
    if (raw === undefined) throw new Error('no alert');
    const bounded = boundedAlert(raw);

    expect(Object.keys(bounded.labels).length).toBeLessThanOrEqual(alertBounds.labels);
    expect(JSON.stringify(bounded).length).toBeLessThan(100_000);
    expect(bounded.fingerprint).toHaveLength(alertBounds.fingerprint);
  });
});
