import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAlerts } from '#src/settings/load-alerts.js';

const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-assistants-'));
const token = 'a'.repeat(32);

function loaded(yaml: string, env: Record<string, string> = { A: token, B: 'b'.repeat(32) }) {
  const path = join(folder, 'alerts.yaml');
  writeFileSync(path, yaml);
  return loadAlerts(path, env);
}

describe('assistants in the settings', () => {
  it('have a token and the view of a user or a group', () => {
    const config = loaded(
      'assistants: [{name: a, token: {env: A}, user: U0123}, {name: b, token: {env: B}, group: oncall}]',
    );
    expect(config).toMatchObject({
      tokens: new Map([
        ['a', token],
        ['b', 'b'.repeat(32)],
      ]),
    });
  });

  it('are accepted as docs/mcp.md shows them', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/mcp.md'), 'utf8');
    const blocks = [...page.matchAll(/^```yaml\n((?:assistants|slackbot):[\s\S]*?)\n```$/gm)];
    const file = join(folder, 'robin');
    writeFileSync(file, 'c'.repeat(32));
    for (const [, yaml = ''] of blocks) {
      const own = yaml.replace('/secrets/robin', file);
      expect(loaded(own, { HOLMES_TOKEN: token, SLACK_SIGNING_SECRET: token })).not.toHaveProperty(
        'problems',
      );
    }
    expect(blocks.length).toBe(2);
  });

  it.each([
    ['slackbot without its secret', 'slackbot: { secret: { env: NONE } }'],
    ['slackbot with a short secret', 'slackbot: { secret: { env: SHORT } }'],
    ['slackbot with a secret in the file', 'slackbot: { secret: signing-secret }'],
    [
      'an assistant with the name of Slackbot',
      'assistants: [{ name: slackbot, token: {env: A}, user: U0123 }]',
    ],
  ])('are refused with %s', (_, yaml) => {
    expect(loaded(yaml, { A: token, SHORT: 'short' })).toHaveProperty('problems');
  });

  it.each([
    ['a short token', '{name: a, token: {env: A}, user: U0123}', { A: 'a'.repeat(31) }],
    ['no token', '{name: a, token: {env: C}, user: U0123}', {}],
    ['a token in the file itself', '{name: a, token: secret, user: U0123}', {}],
    ['nobody', '{name: a, token: {env: A}}', { A: token }],
    ['a user and a group', '{name: a, token: {env: A}, user: U0123, group: oncall}', { A: token }],
    ['a handle in place of an id', '{name: a, token: {env: A}, user: "@robin"}', { A: token }],
    [
      'the token of another',
      '{name: a, token: {env: A}, user: U1234}, {name: b, token: {env: B}, user: U1234}',
      { A: token, B: token },
    ],
    [
      'the name of another',
      '{name: a, token: {env: A}, user: U1234}, {name: a, token: {env: B}, user: U1234}',
      { A: token, B: 'b'.repeat(32) },
    ],
  ])('are refused with %s, and no problem shows a token', (_, assistants, env) => {
    const config = loaded(`assistants: [${assistants}]`, env);
    expect(config).toHaveProperty('problems');
    expect(JSON.stringify(config)).not.toContain('aaaa');
  });
});
