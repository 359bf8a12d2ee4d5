import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BoundedServer } from '#src/edges/http/http-server.js';
import { startHttpServer } from '#src/edges/http/http-server.js';

const requests = 60;

/**
 * In a process of its own: the answer and the next part of the body cross each other only between processes.
 */
const sender = `(async () => {
  const answers = [];
  for (let time = 0; time < ${requests}; time += 1) {
    const sent = fetch('http://127.0.0.1:' + process.argv[1], { method: 'POST', body: 'x'.repeat(2_100_000) });
    answers.push(await sent.then(
      async (answer) => answer.status + ' ' + (await answer.text()),
      (error) => String(error.cause ?? error),
    ));
  }
  console.log(JSON.stringify(answers));
})()`;

let server: BoundedServer;
beforeAll(async () => {
  server = await startHttpServer({
    port: 0,
    host: '127.0.0.1',
    maxConnections: 100,
    requestTimeoutMs: 30_000,
    routeOf: () => ({ method: 'POST', answer: async () => ({ status: 413, body: 'too large\n' }) }),
  });
});
afterAll(() => server.close());

describe('an answer before the whole body has arrived', () => {
  it('reaches a sender that goes on sending, each time', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', sender, String(server.port)]);
    expect(JSON.parse(stdout)).toEqual(Array.from({ length: requests }, () => '413 too large\n'));
  });

  it('is not followed by another one: what was sent is never taken for the next request', async () => {
    const hidden = 'POST /hidden HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n';
    const received = await new Promise<string>((resolve, reject) => {
      const sent = request({ port: server.port, host: '127.0.0.1', method: 'POST' }, (response) => {
        let text = `${response.statusCode} ${response.headers.connection} `;
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.once('close', () => resolve(text));
      });
      sent.once('error', reject);
      sent.setHeader('content-length', 100_000);
      sent.write(hidden);
    });
    expect(received).toBe('413 close too large\n');
  });
});
