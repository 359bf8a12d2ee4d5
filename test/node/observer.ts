import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CoreV1Event, V1Pod } from '@kubernetes/client-node';
import { expect } from 'vitest';
import { runCli } from '#src/edges/cli/run-process.js';
import { deploymentOf, type NodeIncident } from './incidents/incident.js';
import type { RealCluster } from './real-cluster.js';

/** With `KEEP_RECORDINGS=yes` the recordings replace those of `test/scenarios/real-node`. */
const kept = fileURLToPath(new URL('../scenarios/real-node/', import.meta.url));

export interface Diagnosed {
  readonly findings: readonly {
    readonly cause: string;
    readonly severity: string;
    readonly confidence: string;
    readonly summary: string;
    readonly facts: Readonly<Record<string, unknown>>;
  }[];
}

/** What is recorded of an incident, and what is expected of its diagnosis. */
export type Recorded = Pick<NodeIncident, 'id' | 'title' | 'cause' | 'never' | 'container' | 'later'>;

/** Brings incidents about on real nodes, records them and has them diagnosed by the command line. */
export interface Observer {
  begin(incident: NodeIncident): Promise<void>;
  untilPods(namespace: string, reached: NodeIncident['reached']): Promise<true>;
  untilEvent(namespace: string, reason: string): Promise<true>;
  /** Returns the file, and the moment of the diagnosis. */
  record(incident: Recorded): Promise<readonly [file: string, at: string]>;
  diagnosed(namespace: string, ...source: readonly string[]): Promise<Diagnosed>;
  /** Waits for the state of the incident, records and diagnoses it, and removes the workload. */
  expectDiagnosis(incident: NodeIncident): Promise<Diagnosed>;
  end(): Promise<void>;
}

export async function openObserver(real: RealCluster): Promise<Observer> {
  const { cluster, registry } = real;
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-recordings-'));
  const kubeconfig = ['--kubeconfig', cluster.controlPlane.adminKubeconfig];

  async function begin(incident: NodeIncident): Promise<void> {
    const { id, beside = [] } = incident;
    registry.behave(id, incident.registry ?? 'serve');
    await cluster.createNamespace(id);
    for (const object of beside) {
      await cluster.create({ ...object, metadata: { ...object.metadata, namespace: id } });
    }
    await cluster.create(deploymentOf(incident, registry.host));
    for (const { reached, act } of incident.steps ?? []) {
      await untilPods(id, reached);
      await act({ ...real, namespace: id });
    }
  }

  /** Back-offs and evictions take their time. */
  const untilPods = (namespace: string, reached: NodeIncident['reached']): Promise<true> =>
    cluster.until<V1Pod, true>({
      what: `the pods of ${namespace} to show what it is about`,
      selection: { kind: 'Pod', namespace },
      deadlineMilliseconds: 600_000,
      check: (pods) => reached(pods) || undefined,
    });

  const untilEvent = (namespace: string, wanted: string): Promise<true> =>
    cluster.until<CoreV1Event, true>({
      what: `an event ${wanted} in ${namespace}`,
      selection: { kind: 'Event', namespace },
      deadlineMilliseconds: 300_000,
      check: (events) => events.some(({ reason }) => reason === wanted) || undefined,
    });

  async function record({ id, title, cause, never = [], container, later = 0 }: Recorded) {
    const file = join(folder, `${id}.json`);
    const at = new Date(Date.now() + later * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
    await command('record', file, '-n', id, ...kubeconfig);
    if (process.env.KEEP_RECORDINGS === 'yes') {
      const workload = { kind: 'Deployment', namespace: id, name: 'web' };
      const expected = {
        ...{ id, title, takenAt: at, workload, cause },
        ...(never.length === 0 ? {} : { never }),
        ...(container === undefined ? {} : { mustMention: [container] }),
      };
      await mkdir(join(kept, id), { recursive: true });
      await writeFile(join(kept, id, 'objects.json'), await readFile(file));
      await writeFile(join(kept, id, 'expect.json'), `${JSON.stringify(expected, undefined, 1)}\n`);
    }
    return [file, at] as const;
  }

  const diagnosed = async (namespace: string, ...source: readonly string[]): Promise<Diagnosed> =>
    JSON.parse(await command('diagnose', `${namespace}/web`, '--output', 'json', ...source));

  async function expectDiagnosis(incident: NodeIncident): Promise<Diagnosed> {
    const { id, reached, event, later = 0 } = incident;
    await untilPods(id, reached);
    if (event !== undefined) await untilEvent(id, event);
    const [file, at] = await record(incident);
    const live = later === 0 ? await diagnosed(id, ...kubeconfig) : undefined;
    const recorded = await diagnosed(id, '--from', file, '--at', at);
    await cluster.remove({ kind: 'Deployment', namespace: id, name: 'web' });
    if (live !== undefined) expectAnswer(live, incident);
    expectAnswer(recorded, incident);
    return recorded;
  }

  const end = (): Promise<void> => rm(folder, { recursive: true, force: true });
  return { begin, untilPods, untilEvent, record, diagnosed, expectDiagnosis, end };
}

/** The first finding is the right one. Settings that may matter one day are no problem of today. */
function expectAnswer(
  { findings }: Diagnosed,
  { cause, never = [], container = '', facts = {} }: NodeIncident,
): void {
  const problems = findings.filter(({ severity }) => severity !== 'info');
  if (cause === null) expect(problems).toEqual([]);
  else expect(problems[0]).toMatchObject({ cause, facts, summary: expect.stringContaining(container) });
  expect(problems.filter((finding) => never.some((each) => each === finding.cause))).toEqual([]);
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
