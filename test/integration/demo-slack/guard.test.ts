import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLocalSlack, type LocalSlack } from '../../../demo/slack/create-local-slack.js';

let slack: LocalSlack;
beforeAll(async () => {
  slack = await createLocalSlack({ page: false });
});
afterAll(() => slack.close());

/** A request with headers that fetch would not send. */
function status(
  path: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(slack.url + path, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('the guard of the local Slack', () => {
  it('accepts requests for the names of this machine only', async () => {
    const { port } = new URL(slack.url);
    expect(await status('/api/api.test', { host: `127.0.0.1:${port}` })).toBe(200);
    expect(await status('/api/api.test', { host: `localhost:${port}` })).toBe(200);
    expect(await status('/api/api.test', { host: `rebound.example:${port}` })).toBe(403);
    expect(await status('/api/api.test', { host: '127.0.0.1' })).toBe(403);
  });

  it('rejects requests from pages of another site', async () => {
    expect(await status('/ui/say', { origin: 'https://evil.example' }, 'POST')).toBe(403);
    expect(await status('/ui/say', { 'sec-fetch-site': 'cross-site' }, 'POST')).toBe(403);
    expect(await status('/api/api.test', { 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await status('/api/api.test', { 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await status('/api/api.test', { 'sec-fetch-site': 'none' })).toBe(200);
  });

  it('accepts a link from another site to a message, but no form', async () => {
    const followed = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect(await status('/archives/C0MLONCALL/p1', followed)).toBe(404);
    expect(await status('/ui/say', followed, 'POST')).toBe(403);
  });
});
