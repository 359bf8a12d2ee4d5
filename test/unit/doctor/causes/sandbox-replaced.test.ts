import { describe, expect, it } from 'vitest';
import { applicationCrash } from '#src/doctor/causes/application-crash.js';
import { backingOff, crashSnapshot, ended, failingPod, kubeletEvent } from '../findings/crashes/build.js';
import { mustFind, told } from './run-rule.js';

/** The words of the kubelet, and its event for the containers that it stops with the sandbox. */
const changed = 'Pod sandbox changed, it will be killed and re-created.';
const sandboxEvent = (count: number, last = 60) =>
  kubeletEvent('SandboxChanged', changed, { count, last, first: 1800, type: 'Normal' });

const probe = { httpGet: { path: '/live', port: 8080 }, periodSeconds: 1, failureThreshold: 1 };

function answer(exitCode: number, events: Parameters<typeof crashSnapshot>[0]['events'], spec: object = {}) {
  const container = { state: backingOff, lastState: ended({ exitCode, seconds: 75 }), ready: false, spec };
  return told(
    mustFind(
      applicationCrash,
      crashSnapshot({ pods: [failingPod({ containers: [container] })], ...(events && { events }) }),
    ),
  );
}

describe('a container that a signal ends while the kubelet replaces its sandbox', () => {
  it.each([143, 137])('is answered with the sandbox and its node: exit code %i', (exitCode) => {
    const { reasoning, advice } = answer(exitCode, [sandboxEvent(50)]);
    expect(reasoning).toContain('sandbox-replaced');
    expect(advice).toContain('advice-sandbox-title');
  });

  it.each<[string, number, ReturnType<typeof sandboxEvent>[], object]>([
    ['was replaced once', 143, [sandboxEvent(1)], {}],
    ['was replaced before this run', 143, [sandboxEvent(50, 900)], {}],
    ['was not replaced', 143, [], {}],
    ['was replaced while the program ended by itself', 1, [sandboxEvent(50)], {}],
    [
      'was replaced, and a liveness probe can have ended the run',
      143,
      [sandboxEvent(50)],
      { livenessProbe: probe },
    ],
  ])('is not, where the sandbox %s', (_, exitCode, events, spec) => {
    expect(answer(exitCode, events, spec).reasoning).not.toContain('sandbox-replaced');
  });
});
