import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadAlerts } from '#src/settings/load-alerts.js';

const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-alerts-'));
const path = join(folder, 'alerts.yaml');
const secretPath = join(folder, 'secret');

beforeAll(() => writeFileSync(secretPath, 'a-secret-in-a-file\n'));
afterAll(() => rmSync(folder, { recursive: true }));

function load(yaml: string, env: Record<string, string> = {}) {
  writeFileSync(path, yaml);
  return loadAlerts(path, env);
}

const webhook = (secret: string) =>
  `channel: C012ABC\nwebhooks: [{ name: am, source: alertmanager, auth: { type: bearer, token: ${secret} } }]`;

describe('the alert settings', () => {
  it('are empty without a file, and for an empty one', () => {
    expect(loadAlerts(undefined, {})).toMatchObject({ settings: { webhooks: [], slack: [] } });
    expect(load('')).toMatchObject({ settings: { webhooks: [], slack: [] } });
  });

  it.each([
    ['a variable', '{ env: AM_TOKEN }', 'a-secret-in-the-env'],
    ['a file', `{ file: ${secretPath} }`, 'a-secret-in-a-file'],
  ])('read a secret from %s and keep it separate', (_, from, secret) => {
    const loaded = load(webhook(from), { AM_TOKEN: 'a-secret-in-the-env' });

    expect('secrets' in loaded && loaded.secrets.get('am')).toBe(secret);
    expect('settings' in loaded && JSON.stringify(loaded.settings)).not.toContain(secret);
  });

  it('keep the key of PagerDuty apart from the settings', () => {
    const loaded = load('pagerduty: { token: { env: PD_KEY }, from: oncall@example.com }', {
      PD_KEY: 'u+0123456789abcdef',
    });
    expect('settings' in loaded && loaded.settings.pagerduty?.apiUrl).toBe('https://api.pagerduty.com');
    expect('settings' in loaded && loaded.noteTokens?.pagerduty).toBe('u+0123456789abcdef');
    expect('settings' in loaded && JSON.stringify(loaded.settings)).not.toContain('u+0123456789abcdef');
  });

  it('keep the key of incident.io apart from the settings', () => {
    const loaded = load('incidentIo: { token: { env: IO_KEY } }', { IO_KEY: 'inc_0123456789abcdef' });
    expect('settings' in loaded && loaded.settings.incidentIo?.apiUrl).toBe('https://api.incident.io');
    expect('settings' in loaded && loaded.noteTokens?.['incident-io']).toBe('inc_0123456789abcdef');
    expect('settings' in loaded && JSON.stringify(loaded.settings)).not.toContain('inc_0123456789abcdef');
  });

  it.each<[string, string, Record<string, string>, string]>([
    ['a file that is none', '{ a: [', {}, 'file-unusable'],
    ['a wrong value by its place', 'channel: incidents', {}, 'the id of a Slack channel'],
    ['a secret that is missing', webhook('{ env: AM_TOKEN }'), {}, 'AM_TOKEN'],
    ['a secret that is too short', webhook('{ env: AM_TOKEN }'), { AM_TOKEN: 'canary' }, '12 characters'],
    [
      'a key of PagerDuty that is missing',
      'pagerduty: { token: { env: PD_KEY }, from: oncall@example.com }',
      { OTHER: 'canary-canary-canary' },
      'PD_KEY',
    ],
    [
      'an address of PagerDuty without TLS',
      'pagerduty: { token: { env: PD_KEY }, from: oncall@example.com, apiUrl: http://pd.example }',
      { PD_KEY: 'canary-canary-canary' },
      'pagerduty.apiUrl',
    ],
    [
      'a signing secret of another form, which would be decoded to a shorter key',
      'channel: C012ABC\nwebhooks: [{ name: io, source: incident-io, auth: { type: standard-webhooks, secret: { env: IO } } }]',
      { IO: 'whsec_!!!canary!!!' },
      'whsec_',
    ],
    ['a sentinel without a channel', 'sentinel: {}', {}, 'sentinel.channel'],
    [
      'quiet hours in a zone that is none',
      'channel: C012ABC\nsentinel: { quietHours: { timeZone: Asia/Soul, windows: [{ from: 22:00, to: 07:00 }] } }',
      {},
      'ALERTS_FILE sentinel.quietHours.timeZone',
    ],
    ['a word of the sentinel that is unknown', 'channel: C012ABC\nsentinel: { chanels: [] }', {}, 'chanels'],
    ['a secret in a file that is not there', webhook('{ file: /no/such/file }'), {}, '/no/such/file'],
  ])('are refused with what was expected: %s', (_, yaml, env, expected) => {
    const loaded = load(yaml, env);
    const problems = 'problems' in loaded ? JSON.stringify(loaded.problems) : '';

    expect(problems).toContain(expected);
    expect(problems).not.toContain('canary');
  });
});
