import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { redirectUriOf } from '#src/edges/login/login-server.js';
import { freePort } from '../../../demo/free-ports.js';
import type { Message } from '../../../demo/slack/workspace/model.js';
import type { Part } from '../../../demo/stack.js';
import { client, openBrowser, startCompanyLogin } from '../../support/company-login.js';
import { eventually, type Rig, startRig } from '../../support/faults-rig.js';

const policy = `apiVersion: rollout-doctor/v1
grants:
  - groups: [ml-oncall]
    namespaces: ["*"]
    actions: "*"
demands:
  - { namespaces: ["*"], login: true }
brakes:
  cancelSeconds: 0
`;

/** Dana of the local Slack, whom the company knows by her address. */
const dana = { sub: 'id-of-dana', email: 'dana@example.com' };

export interface LoginRig {
  readonly app: Part;
  readonly remediation: Part;
  /** A deadlock in a namespace of its own, which has a card. */
  deadlocked(namespace: string): Promise<ReturnType<typeof incidentOf>>;
  stop(): Promise<void>;
}

/**
 * App, diagnosis worker and remediation worker as processes, a real Redis, the local Slack, and a real OpenID
 * Connect provider. Dana logs in there.
 */
export async function startLoginRig(): Promise<LoginRig> {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-login-'));
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const company = await startCompanyLogin(redirectUriOf(baseUrl), dana);
  const secretFile = join(folder, 'LOGIN_CLIENT_SECRET');
  writeFileSync(secretFile, `${client.secret}\n`, { mode: 0o600 });
  const rig = await startRig({
    policy,
    scenario: 'none',
    workers: 0,
    furtherWorkers: [{ WORKERS: 'alert,diagnosis,verification,delivery' }, { WORKERS: 'remediation' }],
    env: {
      LOGIN_ISSUER: company.issuer,
      LOGIN_CLIENT_ID: client.id,
      LOGIN_CLIENT_SECRET_FILE: secretFile,
      LOGIN_BASE_URL: baseUrl,
      LOGIN_PORT: String(port),
    },
  });
  const [, remediation] = rig.workers;
  if (remediation === undefined) throw new Error('two workers');
  return {
    app: rig.app,
    remediation,
    deadlocked: async (namespace) => {
      const at = await rig.also(namespace);
      await at.ask(`deploy/inference -n ${namespace}`);
      return incidentOf(at, await at.untilDeadlock());
    },
    async stop() {
      await rig.stop();
      await company.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function incidentOf(rig: Rig, card: Message) {
  return {
    rig,
    /** Reviews and presses Apply in Slack. @returns the link in the window of that person alone */
    async pressesApply(): Promise<string> {
      await rig.approve('dana', card);
      const url = await rig.slack.until(() => linkIn(rig, 'dana'), { what: 'the link to the login' });
      const view = rig.slack.as('dana').modal();
      if (view !== undefined) await rig.slack.as('dana').closes(view);
      return url;
    },
    /** Logs in with a browser of her own. */
    async logsIn(url: string) {
      const browser = openBrowser();
      return { browser, page: await browser.open(url) };
    },
    outcomes: (outcome: string) => rig.counted('rollout_doctor_logins_total', { outcome }),
    /** The cluster got no change. */
    expectUnchanged: () => expect(rig.changes()).toEqual([]),
    /** One change, verified, and one message in the thread that names who confirmed. */
    async expectOneChange() {
      const recovered = await rig.untilRecovered();
      expect(rig.changes().filter(({ resource }) => resource === 'deployments')).toHaveLength(1);
      expect(rig.cards()).toHaveLength(1);
      const thread = () => rig.slack.thread(recovered).map(({ text }) => text);
      await eventually('the thread states who confirmed', () =>
        thread().some((text) => text.includes('Confirmed with the company login')),
      );
      expect(thread().filter((text) => text.includes('Confirmed with the company login'))).toEqual([
        expect.stringContaining(rig.slack.as('dana').id),
      ]);
    },
  };
}

const link = /"url":"(http:[^"]+\/confirm\/[^"]+)"/u;

function linkIn({ slack }: Rig, person: string): string | undefined {
  return link.exec(JSON.stringify(slack.as(person).modal()?.blocks ?? []))?.[1];
}
