import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually, type Rig, startRig } from '../support/faults-rig.js';

/** A collector's view of a span, as OTLP over HTTP sends it in JSON. */
const Sent = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({
        attributes: z.array(
          z.object({ key: z.string(), value: z.object({ stringValue: z.string().optional() }) }),
        ),
      }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
            }),
          ),
        }),
      ),
    }),
  ),
});
interface Span {
  readonly service: string;
  readonly traceId: string;
  readonly name: string;
}

let collector: Server;
let rig: Rig;
const bodies: string[] = [];
const spans: Span[] = [];

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    bodies.push(body);
    for (const { resource, scopeSpans } of Sent.parse(JSON.parse(body)).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      for (const { traceId, name } of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ service, traceId, name });
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  rig = await startRig({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` } });
});
afterAll(async () => {
  await rig?.stop();
  collector?.close();
});

/** The trace that a request from Slack began and in which a span of the worker has this name. */
const traceWith = (began: string, name: string): string | undefined =>
  spans.find(
    ({ traceId, ...span }) =>
      span.name === name &&
      span.service === 'rollout-doctor-worker' &&
      spans.some((each) => each.traceId === traceId && each.name === began),
  )?.traceId;

it('follows a command from Slack to the cluster and back to its card', async () => {
  await rig.ask('shop/inference');
  await rig.untilDeadlock();

  await eventually(
    'the trace has arrived',
    () =>
      traceWith('slack command', 'slack chat.update') !== undefined ||
      traceWith('slack command', 'slack chat.postMessage') !== undefined,
  );
  const traceId =
    traceWith('slack command', 'slack chat.update') ?? traceWith('slack command', 'slack chat.postMessage');
  const names = spans.filter((span) => span.traceId === traceId).map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'slack command',
      'add diagnosis.diagnosis',
      'process diagnosis',
      'kubernetes get',
      'process delivery',
    ]),
  );
});

it('follows a click to the change and its verification', async () => {
  await rig.approve('dana', await rig.untilDeadlock());
  await rig.untilRecovered();

  const isWhole = () => {
    const id = traceWith('slack view_submission', 'kubernetes patch');
    return (
      id !== undefined && spans.some(({ traceId, name }) => traceId === id && name === 'process verification')
    );
  };
  await eventually('the trace has arrived', isWhole);
});

it('names the trace in the lines of the log', () => {
  const known = new Set(spans.map(({ traceId }) => traceId));
  const named = rig.logged.map(({ trace_id }) => trace_id).filter((each) => each !== undefined);

  expect(named.length).toBeGreaterThan(0);
  for (const each of named) expect(known).toContain(each);
});

it('sends no name of a workload or person, no token, and nothing that nobody began', () => {
  expect(bodies.length).toBeGreaterThan(0);
  for (const body of bodies) {
    expect(body).not.toMatch(/inference|gpu-a|U0DANA|xoxb-|xapp-/u);
  }
  expect(spans.map(({ name }) => name).filter((name) => /getNextJob|stalled/iu.test(name))).toEqual([]);
});

it('does without a collector that is away', async () => {
  const alone = await startRig({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' } });
  try {
    await alone.ask('shop/inference');
    await alone.untilDeadlock();

    expect(await alone.app.stop()).toBe(0);
  } finally {
    await alone.stop();
  }
});
