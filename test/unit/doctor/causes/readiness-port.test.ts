import { describe, expect, it } from 'vitest';
import { readinessFailing } from '#src/doctor/causes/readiness-failing.js';
import { ago, crashSnapshot, failingPod, kubeletEvent } from '../findings/crashes/build.js';
import { mustFind, told } from './run-rule.js';

const refused = 'Get "http://10.2.0.9:8080/ready": dial tcp 10.2.0.9:8080: connect: connection refused';
const named = { ports: [{ name: 'http', containerPort: 8080 }] };

/** `shop/web` that runs for 15 minutes, with a log and the answer of its probe. */
function answer(lines: readonly string[], said = refused, port: number | string = 8080) {
  const readinessProbe = { httpGet: { path: '/ready', port } };
  const running = { running: { startedAt: ago(900) } };
  return told(
    mustFind(
      readinessFailing,
      crashSnapshot({
        pods: [
          failingPod({ containers: [{ ready: false, state: running, spec: { ...named, readinessProbe } }] }),
        ],
        events: [kubeletEvent('Unhealthy', `Readiness probe failed: ${said}`, { container: 'app', last: 5 })],
        logs: [
          { namespace: 'shop', pod: 'web-1-a', container: 'app', previous: false, lines, truncated: false },
        ],
      }),
    ),
  );
}

describe('a probe of a port on which nothing listens', () => {
  it.each([8080, 'http'])('is shown with the port that the log names: %s', (port) => {
    const { reasoning, advice } = answer(['Tomcat started on port 9090 (http)'], refused, port);
    expect(reasoning).toContain('listens-instead');
    expect(advice).toEqual(['advice-port-title', 'advice-title']);
  });

  it.each<[string, readonly string[], string?]>([
    ['the log names the port of the probe too', ['listening on :8080', 'metrics: listening on :9090']],
    ['the log names no port', ['connected to db:5432']],
    ['the program answers', ['listening on :9090'], 'HTTP probe failed with statuscode: 503'],
  ])('has no other port where %s', (_, lines, said) => {
    const { reasoning, advice } = answer(lines, said);
    expect(reasoning).not.toContain('listens-instead');
    expect(advice).toEqual(['advice-title']);
  });
});
