import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { commandBody, type Mode, manifest, type Rig, sendSigned, startRig } from '../../support/slack-rig.js';

let rig: Rig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

describe('the app over HTTP', () => {
  it('handles the same trigger once', async () => {
    rig = await startRig();
    const to = { port: rig.port, secret: rig.slack.signingSecret };
    for (const _ of [1, 2]) expect((await sendSigned(to, commandBody())).status).toBe(200);
    await rig.slack.as('dana').runs('/rollout-doctor ml/training', { channel: 'ml-oncall' });
    const asked = await rig.untilAsked('requestDiagnosis', 2);
    expect(asked[1]).toMatchObject({ query: { name: 'training' } });
  });
});

describe.each<Mode>(['http', 'socket'])('the app over %s', (mode) => {
  it('refuses to start with a token that Slack does not accept', async () => {
    await expect(startRig({ mode, botToken: 'xoxb-local-a', ...rejecting() })).rejects.toMatchObject({
      code: 'slack-refused',
    });
  });

  it('can be stopped twice', async () => {
    rig = await startRig({ mode });
    await rig.app.stop();
    await rig.app.stop();
  });
});

describe('the app in HTTP mode', () => {
  it('starts while Slack does not answer, and handles commands afterwards', async () => {
    rig = await startRig({
      beforeStart: (slack) => slack.faults.serverError({ method: 'auth.test', times: 1 }),
    });
    expect(rig.logged.map(({ msg }) => msg)).toContain('Slack does not answer yet');
    await rig.slack.as('dana').runs('/rollout-doctor ml/inference', { channel: 'ml-oncall' });
    await rig.untilAsked('requestDiagnosis', 1);
  });
});

describe('the port of HTTP mode', () => {
  it('serves only the paths for Slack and /healthz', async () => {
    rig = await startRig();
    const url = `http://127.0.0.1:${rig.port}`;
    const health = await fetch(`${url}/healthz`);
    expect([health.status, await health.text()]).toEqual([200, 'ok\n']);
    const others = ['/', '/metrics', '/readyz', '/slack', '/slack/install', '/slack/events/', '/healthz/x'];
    for (const path of others) expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 404]);
    expect((await fetch(`${url}/slack/events`)).status).toBe(405);
  });

  it('is not opened in Socket Mode', async () => {
    rig = await startRig({ mode: 'socket' });
    expect(rig.port).toBeUndefined();
  });

  it('is reported when another process uses it', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(startRig({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    other.close();
  });
});

describe('the manifests', () => {
  it('request the same scopes and events, and differ only in URLs and Socket Mode', () => {
    const http = JSON.parse(
      readFileSync(new URL('../../../manifest.http.json', import.meta.url), 'utf8'),
    ) as unknown;
    const withoutUrls = JSON.parse(
      JSON.stringify(http, (name, value: unknown) =>
        name === 'url' || name === 'request_url' ? undefined : name === 'socket_mode_enabled' ? true : value,
      ),
    ) as unknown;
    expect(withoutUrls).toEqual(manifest);
  });
});

function rejecting() {
  return {
    beforeStart: (slack: Rig['slack']) => {
      slack.faults.fail({ method: 'auth.test', error: 'invalid_auth' });
    },
  };
}
