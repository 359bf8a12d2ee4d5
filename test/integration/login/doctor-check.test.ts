import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doctorCommand } from '#src/edges/cli/doctor-command.js';
import { loadConfig } from '#src/settings/config.js';
import { freePort } from '../../../demo/free-ports.js';
import { testKeyText } from '../../support/authority.js';
import { startCompanyLogin } from '../../support/company-login.js';

const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-login-'));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

let company: Awaited<ReturnType<typeof startCompanyLogin>>;
beforeAll(async () => {
  company = await startCompanyLogin('http://127.0.0.1:1/login/callback', { sub: 'dana', email: 'd@e.com' });
});
afterAll(async () => {
  await company.close();
  rmSync(folder, { recursive: true, force: true });
});

const slack = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', APPROVAL_KEYS: testKeyText };
const loginEnv = (issuer: string) => ({
  ...{
    LOGIN_ISSUER: issuer,
    LOGIN_CLIENT_ID: 'rollout-doctor',
    LOGIN_BASE_URL: 'https://doctor.example.com',
  },
  LOGIN_CLIENT_SECRET_FILE: file('secret', ' the-client-secret\n'),
});
const demanding = () => ({
  POLICY_FILE: file(
    'policy.yaml',
    'grants: [{ users: [U0DANA], namespaces: [ml], actions: "*" }]\ndemands: [{ login: true }]\n',
  ),
});

/** What `rollout-doctor doctor` prints of the configuration. */
async function engine(env: Readonly<Record<string, string>>): Promise<string> {
  let text = '';
  const streams = {
    out: async (more: string) => {
      text += more;
    },
    paint: (_: unknown, told: string) => told,
  };
  await doctorCommand({ only: ['configuration'], output: 'text', lang: 'en' }, streams as never, {
    ...slack,
    ...env,
  });
  return text;
}

describe('`rollout-doctor doctor`', () => {
  it('reports that the login answers, and prints no secret', async () => {
    const text = await engine({ ...demanding(), ...loginEnv(company.issuer) });
    expect(text).toContain(`The login at ${company.issuer} answers.`);
    expect(text).not.toContain('the-client-secret');
  });

  it('reports that the issuer cannot be reached, and why', async () => {
    const text = await engine({ ...demanding(), ...loginEnv(`http://127.0.0.1:${await freePort()}`) });
    expect(text).toContain('cannot be used: fetch failed');
    expect(text).toContain('ECONNREFUSED');
  });

  it('reports that the policy demands a login that is not set up', async () => {
    expect(await engine(demanding())).toContain('these approvals are refused');
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['absent', { LOGIN_CLIENT_SECRET_FILE: '' }, 'LOGIN_CLIENT_SECRET_FILE: missing'],
    ['missing on the disk', { LOGIN_CLIENT_SECRET_FILE: '/nonexistent/secret' }, '/nonexistent/secret'],
    ['empty', { LOGIN_CLIENT_SECRET_FILE: file('blank', ' \n') }, 'LOGIN_CLIENT_SECRET_FILE'],
  ])('names a secret file that is %s, and reports whether the issuer answers', async (_, change, named) => {
    const text = await engine({ ...demanding(), ...loginEnv(company.issuer), ...change });
    expect(text).toContain(named);
    expect(text).toContain(`The login at ${company.issuer} answers.`);
    expect(text).not.toContain('LOGIN_ISSUER is not set');
  });

  it.each([
    ['has the issuer but no secret', (issuer: string) => ({ LOGIN_ISSUER: issuer })],
    ['has no setting of the login', () => ({})],
  ])('does not ask a worker for the login, which %s', async (_, given) => {
    const text = await engine({ ...demanding(), ...given(company.issuer), WORKERS: 'remediation' });
    expect(text).not.toMatch(/LOGIN_|login/u);
  });

  it('does not mention a login that nobody demands', async () => {
    expect(await engine({})).not.toContain('login');
  });
});

describe('the settings of the login', () => {
  const problems = (change: Readonly<Record<string, string>>): readonly string[] => {
    const loaded = loadConfig({ ...slack, ...loginEnv('https://login.example.com'), ...change }, 'app');
    return loaded.type === 'config' ? [] : loaded.problems.map(({ where }) => where);
  };

  it('are complete with four variables', () => expect(problems({})).toEqual([]));

  it.each<[string, string]>([
    ['LOGIN_ISSUER', ''],
    ['LOGIN_CLIENT_ID', ''],
    ['LOGIN_CLIENT_SECRET_FILE', ''],
    ['LOGIN_BASE_URL', ''],
    ['LOGIN_ISSUER', 'http://login.example.com'],
    ['LOGIN_ISSUER', 'https://login.example.com?x=y'],
    ['LOGIN_ISSUER', 'http://localhost.example.com'],
    ['LOGIN_ISSUER', 'file:///etc/passwd'],
    ['LOGIN_BASE_URL', 'http://doctor.example.com'],
    ['LOGIN_BASE_URL', 'https://doctor.example.com#x'],
    ['LOGIN_BASE_URL', 'doctor.example.com'],
    ['LOGIN_MAX_AGE_SECONDS', '-1'],
    ['LOGIN_MAX_AGE_SECONDS', 'x'],
    ['LOGIN_CLIENT_SECRET_FILE', '/nonexistent'],
  ])('are refused with %s=%s', (name, value) => {
    expect(problems({ [name]: value })).toEqual([name]);
  });

  it('are refused with an empty secret', () => {
    expect(problems({ LOGIN_CLIENT_SECRET_FILE: file('empty', ' \n') })).toEqual([
      'LOGIN_CLIENT_SECRET_FILE',
    ]);
  });
});
