import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalCluster, type LocalCluster } from '../../demo/cluster/local-cluster.js';
import type { Message } from '../../demo/slack/workspace/model.js';
import type { Part, StackOptions } from '../../demo/stack.js';
import { eventually, type Rig, scenarios, startRig } from './faults-rig.js';
import { aloud } from './read-aloud.js';
import { rolloutDoctor } from './run-command-line.js';

export interface ClusterSpec {
  /** Of `CLUSTER_NAME`, by default the key of the cluster. */
  readonly name?: string;
  /** Further environment of its workers. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The app without credentials, and clusters with the recorded GPU deadlock and two workers each. */
export interface ClustersRig<Key extends string> {
  readonly rig: Rig;
  cluster(key: Key): LocalCluster;
  /** The worker that diagnoses, and the one that changes. */
  workersOf(key: Key): readonly Part[];
  strategyIn(key: Key): string;
  /** Patches that the API server received, without dry runs. */
  changesIn(key: Key): number;
  cardsOf(name: string): readonly Message[];
  /** Asks again and again: which workers run is known some seconds later. */
  askUntil(what: string, person: string, isSo: () => boolean): Promise<void>;
  isTold(person: string, words: RegExp): boolean;
  /** Opens Home again and again until it contains these words; returns the page. */
  untilHome(person: string, isSo: (page: string) => boolean): Promise<string>;
  stop(): Promise<void>;
}

export async function startClusters<Key extends string>(
  specs: Readonly<Record<Key, ClusterSpec>>,
  options: StackOptions = {},
): Promise<ClustersRig<Key>> {
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-clusters-'));
  const approvalKeys = `main:${randomBytes(32).toString('base64')}`;
  const keys = Object.keys(specs) as Key[];
  const clusters = new Map<Key, LocalCluster>();
  const furtherWorkers: Record<string, string>[] = [];
  for (const [at, key] of keys.entries()) {
    // Equal seeds would give the clusters equal uids.
    const local = await createLocalCluster({ seed: at + 1 });
    clusters.set(key, local);
    await local.loadRecording(join(scenarios, 'gpu-one-node'));
    const path = join(folder, key);
    await writeFile(path, local.kubeconfig(), { mode: 0o600 });
    const { name = key, env = {} } = specs[key];
    const own = { CLUSTER_NAME: name, KUBECONFIG: path, APPROVAL_KEYS: '', ANSWER_KEYS: '', ...env };
    furtherWorkers.push(
      {
        ...own,
        WORKERS: 'diagnosis,verification',
        ANSWER_KEYS: await deriveKeys(approvalKeys, 'answer-keys', name),
      },
      {
        ...own,
        WORKERS: 'remediation',
        APPROVAL_KEYS: await deriveKeys(approvalKeys, 'cluster-keys', name),
      },
    );
  }
  const rig = await startRig({
    ...options,
    scenario: 'none',
    env: {
      ...{ CLUSTER_ACCESS: 'workers', KUBECONFIG: '', APPROVAL_KEYS: approvalKeys },
      ANSWER_KEYS: await deriveKeys(approvalKeys, 'answer-keys'),
      ...options.env,
    },
    furtherWorkers,
  });
  const cluster = (key: Key): LocalCluster => {
    const found = clusters.get(key);
    if (found === undefined) throw new Error(`no cluster ${key}`);
    return found;
  };
  return {
    rig,
    cluster,
    workersOf(key) {
      const first = 1 + 2 * keys.indexOf(key);
      return rig.workers.slice(first, first + 2);
    },
    strategyIn(key) {
      const [found] = cluster(key).list('apps/v1', 'Deployment', 'shop') as unknown as readonly {
        readonly spec: { readonly strategy: unknown };
      }[];
      return JSON.stringify(found?.spec.strategy);
    },
    changesIn: (key) =>
      cluster(key).requests.filter(({ verb, query }) => verb === 'patch' && !query.includes('dryRun')).length,
    cardsOf: (name) => rig.cards().filter((card) => rig.says(card).includes(`\`${name}\``)),
    async askUntil(what, person, isSo) {
      let at = 0;
      await eventually(`${person} is answered about ${what}`, async () => {
        if (Date.now() - at > 3_000) {
          at = Date.now();
          await rig.ask(what, person);
        }
        return isSo();
      });
    },
    isTold: (person, words) => rig.slack.ephemerals(person).some((message) => words.test(rig.says(message))),
    async untilHome(person, isSo) {
      const actor = rig.slack.as(person);
      let openedAt = 0;
      let page = '';
      await eventually(`Home of ${person} shows what is wanted`, () => {
        // As a person does: the app answers each opening.
        if (Date.now() - openedAt > 1_000) {
          openedAt = Date.now();
          actor.opensHome();
        }
        page = aloud(actor.home()?.blocks ?? []);
        return isSo(page);
      });
      return page;
    },
    async stop() {
      await rig.stop();
      for (const local of clusters.values()) await local.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** As an operator makes them. */
async function deriveKeys(keys: string, ...args: readonly string[]): Promise<string> {
  const { out } = await rolloutDoctor(args, { env: { APPROVAL_KEYS: keys } });
  return out.trim();
}
