import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { V1Pod } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '#src/cli/run-cli.js';
import { deploymentOf, type NodeIncident, nodeIncidents } from './incidents.js';
import { type RealCluster, startRealCluster } from './real-cluster.js';

/** With `KEEP_RECORDINGS=yes` the recordings replace those of `test/scenarios/real-node`. */
const kept = fileURLToPath(new URL('../scenarios/real-node/', import.meta.url));

let real: RealCluster;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-recordings-'));
  real = await startRealCluster();
  // All begin at once: most of their time is back-off.
  for (const incident of nodeIncidents) {
    await real.cluster.createNamespace(incident.id);
    if (incident.isHasty !== true) await begin(incident);
  }
});

async function begin(incident: NodeIncident): Promise<void> {
  const { id, registry = 'serve', beside = [] } = incident;
  real.registry.behave(id, registry);
  for (const object of beside) await real.cluster.create(object);
  await real.cluster.create(deploymentOf(incident, real.registry.host));
}
afterAll(async () => {
  await real?.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Diagnosed {
  readonly findings: readonly {
    readonly cause: string;
    readonly confidence: string;
    readonly facts: Readonly<Record<string, unknown>>;
  }[];
}

async function command(...args: readonly string[]): Promise<string> {
  const out: string[] = [];
  const err: string[] = [];
  const status = await runCli(args, {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    paint: { colour: false, width: 100 },
    watched: false,
  });
  if (status > 1) throw new Error(`${args.join(' ')} ended with ${status}: ${err.join('')}`);
  return out.join('');
}

const diagnosed = async (namespace: string, ...source: readonly string[]): Promise<Diagnosed> =>
  JSON.parse(await command('diagnose', `${namespace}/web`, '--output', 'json', ...source));

async function record({ id, title, cause, never = [] }: NodeIncident): Promise<string> {
  const file = join(folder, `${id}.json`);
  const takenAt = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  await command('record', file, '-n', id, '--kubeconfig', real.cluster.controlPlane.adminKubeconfig);
  if (process.env.KEEP_RECORDINGS === 'yes') {
    const workload = { kind: 'Deployment', namespace: id, name: 'web' };
    const expected = { id, title, takenAt, workload, cause, ...(never.length === 0 ? {} : { never }) };
    await mkdir(join(kept, id), { recursive: true });
    await writeFile(join(kept, id, 'objects.json'), await readFile(file));
    await writeFile(join(kept, id, 'expect.json'), `${JSON.stringify(expected, undefined, 1)}\n`);
  }
  return file;
}

describe('an incident on a real node', () => {
  it.each(nodeIncidents)('$title', async (incident) => {
    const { id, reached, cause, never = [], facts = {} } = incident;
    if (incident.isHasty === true) await begin(incident);
    await real.cluster.until<V1Pod, true>({
      what: `${id} to show what it is about`,
      selection: { kind: 'Pod', namespace: id },
      deadlineMilliseconds: 600_000,
      check: (pods) => reached(pods) || undefined,
    });
    const file = await record(incident);
    const live = await diagnosed(id, '--kubeconfig', real.cluster.controlPlane.adminKubeconfig);
    const later = await diagnosed(id, '--from', file);
    await real.cluster.remove({ kind: 'Deployment', namespace: id, name: 'web' });
    for (const { findings } of [live, later]) {
      expect(findings[0]).toMatchObject({ cause, facts });
      expect(findings.filter((finding) => never.some((each) => each === finding.cause))).toEqual([]);
    }
  });
});
