import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { scenario } from '../../support/command-line-run.js';
import { eventually } from '../../support/faults-rig.js';
import { type LocalIncident, startLocalIncident } from '../../support/local-incident.js';
import { bareEnvironment, shippedProgram } from '../../support/shipped-programs.js';
import { isDeadlocked } from '../../support/shown-words.js';
import { rolloutDoctor } from './run.js';

describe('diagnose --watch', () => {
  let incident: LocalIncident;
  beforeEach(async () => {
    incident = await startLocalIncident();
  });
  afterEach(() => incident.close());

  async function watch() {
    const args = [
      shippedProgram('rollout-doctor'),
      'diagnose',
      'ml/inference',
      '--watch',
      '--kubeconfig',
      incident.kubeconfig,
    ];
    const child = spawn(process.execPath, args, { env: bareEnvironment() });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      out += chunk;
    });
    const ended = once(child, 'close') as Promise<[number | null]>;
    await eventually('the first diagnosis is printed', async () => out.includes('as of '));
    return { child, ended, first: out.length, printed: () => out };
  }

  it('prints changes, and ends with status 0 when the problem is gone', async () => {
    const { ended, first, printed } = await watch();
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
    const [connection] = connectClusters({ kubeconfig: incident.kubeconfig, contexts: [] });
    const patched = await connection?.call({
      method: 'PATCH',
      path: '/apis/apps/v1/namespaces/ml/deployments/inference',
      contentType: 'application/merge-patch+json',
      body: { spec: { strategy } },
    });
    expect(patched?.status).toBe(200);

    const [status] = await ended;
    const changes = printed().slice(first).trim().replace(/\s+/g, ' ');
    expect(changes).toContain(`No longer the case: ml/inference ${isDeadlocked}`);
    expect(changes).toMatch(/No problem found for ml\/inference\.$/);
    expect(changes).not.toContain('Recommended fix');
    expect(status).toBe(0);
  });

  it('prints nothing without a change, and ends at Ctrl-C with the status of the diagnosis', async () => {
    const { child, ended, first, printed } = await watch();
    const before = incident.cluster.requests.length;
    await eventually(
      'the workload is diagnosed again',
      async () =>
        incident.cluster.requests.slice(before).filter(({ resource }) => resource === 'events').length > 0,
    );
    child.kill('SIGINT');

    expect(await ended).toEqual([1, null]);
    expect(printed().slice(first)).toBe('');
  });
});

describe('diagnose --watch', () => {
  it.each([
    ['recorded objects', ['--from', scenario('gpu-one-node')], 'needs a live cluster'],
    ['an output other than text', ['-o', 'json'], 'prints text only'],
  ])('rejects %s', async (_, options, line) => {
    const { status, out, err } = await rolloutDoctor(['diagnose', 'shop/inference', '--watch', ...options]);
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain(line);
  });
});
