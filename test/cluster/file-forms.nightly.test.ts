import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { mainFindingOf, openQuestionOf } from '#src/doctor/findings/main-finding.js';
import { recordedSource } from '#src/edges/cli/sources.js';
import { WorkloadKind } from '#src/engine/objects/workload.js';
import { createEngine } from '#src/service/create-engine.js';
import { scenariosFolder } from '../support/scenarios/scenario-folders.js';
import { type ControlPlane, startControlPlane } from './harness/control-plane.js';
import { ensureTool } from './harness/tools.js';
import { type Kubectl, kubectlOf, loadRecording } from './kubectl-text/load-recording.js';

interface Expected {
  readonly takenAt: string;
  readonly cause: string;
  readonly workload: { readonly kind: string; readonly namespace: string; readonly name: string };
}

interface Form {
  readonly name: string;
  /** Makes the files, and returns what people would name. */
  readonly make: (kubectl: Kubectl, namespace: string, folder: string) => Promise<string>;
  /** Incidents whose cause the form cannot hold: its answer stays open, or is a mere possibility. */
  readonly lacks?: readonly string[];
}

const engine = createEngine();
const kinds = 'deployments,replicasets,pods,events,resourcequotas';
const quota = 'quota-memory-three-replicas';

function store(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

async function single(folder: string, name: string, ...texts: readonly Promise<string>[]): Promise<string> {
  const parts: string[] = [];
  for (const text of texts) parts.push(await text);
  store(folder, name, parts.join('\n'));
  return join(folder, name);
}

/** The objects of each kind in a file of its own, under the name that a program gives it. */
async function each(
  {
    kubectl,
    folder,
    output,
  }: { readonly kubectl: Kubectl; readonly folder: string; readonly output: string },
  files: Readonly<Record<string, readonly string[]>>,
): Promise<string> {
  for (const [path, args] of Object.entries(files)) {
    store(folder, path, await kubectl(['get', ...args, '-o', output]));
  }
  return folder;
}

const forms: readonly Form[] = [
  {
    name: 'Deployments, pods and events as YAML',
    make: (kubectl, namespace, folder) =>
      single(folder, 'o.yaml', kubectl(['get', 'deploy,pods,events', '-n', namespace, '-o', 'yaml'])),
    lacks: [quota, 'gpu-one-node'],
  },
  {
    name: 'JSON documents one after the other',
    make: (kubectl, namespace, folder) =>
      single(
        folder,
        'o.json',
        kubectl(['get', 'nodes', '-o', 'json']),
        kubectl(['get', kinds, '-n', namespace, '-o', 'json']),
      ),
  },
  {
    name: 'YAML documents one after the other',
    make: (kubectl, namespace, folder) =>
      single(
        folder,
        'o.yaml',
        kubectl(['get', kinds, '-n', namespace, '-o', 'yaml']),
        kubectl(['get', 'nodes', '-o', 'yaml']),
      ),
  },
  {
    name: 'a folder with sub-folders',
    make: (kubectl, namespace, folder) =>
      each(
        { kubectl, folder, output: 'json' },
        {
          'cluster/nodes.json': ['nodes'],
          'shop/apps/workloads.json': ['deploy,rs', '-n', namespace],
          'shop/core/pods.json': ['pods', '-n', namespace],
          'shop/core/rest.json': ['events,quota', '-n', namespace],
        },
      ),
  },
  {
    name: 'cluster-info dump as a stream',
    make: (kubectl, namespace, folder) =>
      single(folder, 'dump.txt', kubectl(['cluster-info', 'dump', '--namespaces', namespace])),
    lacks: [quota],
  },
  {
    name: 'cluster-info dump as a folder',
    async make(kubectl, namespace, folder) {
      const to = join(folder, 'dump');
      await kubectl(['cluster-info', 'dump', '--namespaces', namespace, '--output-directory', to]);
      return to;
    },
    lacks: [quota],
  },
  {
    name: 'a folder as oc adm inspect lays it out',
    make: (kubectl, namespace, folder) =>
      each(
        { kubectl, folder, output: 'yaml' },
        {
          'cluster-scoped-resources/core/nodes.yaml': ['nodes'],
          [`namespaces/${namespace}/apps/deployments.yaml`]: ['deploy', '-n', namespace],
          [`namespaces/${namespace}/apps/replicasets.yaml`]: ['rs', '-n', namespace],
          [`namespaces/${namespace}/core/pods.yaml`]: ['pods', '-n', namespace],
          [`namespaces/${namespace}/core/events.yaml`]: ['events', '-n', namespace],
          [`namespaces/${namespace}/core/resourcequotas.yaml`]: ['quota', '-n', namespace],
        },
      ),
  },
  {
    name: 'a folder as a support bundle lays it out',
    make: (kubectl, namespace, folder) =>
      each(
        { kubectl, folder, output: 'json' },
        {
          'cluster-resources/nodes.json': ['nodes'],
          [`cluster-resources/deployments/${namespace}.json`]: ['deploy', '-n', namespace],
          [`cluster-resources/replicasets/${namespace}.json`]: ['rs', '-n', namespace],
          [`cluster-resources/pods/${namespace}.json`]: ['pods', '-n', namespace],
          [`cluster-resources/events/${namespace}.json`]: ['events', '-n', namespace],
          [`cluster-resources/resource-quota/${namespace}.json`]: ['quota', '-n', namespace],
        },
      ),
  },
  { name: 'descriptions', make: (kubectl, _, folder) => single(folder, 'all.txt', described(kubectl)) },
  {
    name: 'everything pasted into one file',
    async make(kubectl, namespace, folder) {
      const events = await kubectl(['get', 'events', '-n', namespace]);
      const table = await kubectl(['get', 'pods', '-n', namespace, '-o', 'wide']);
      const text = `$ kubectl get pods -o wide\n${table}\n$ kubectl describe\n${await described(kubectl)}\n$ kubectl get events\n${events}`;
      store(folder, 'paste.txt', text.replaceAll('\n', '\r\n'));
      return join(folder, 'paste.txt');
    },
  },
];

/** Without the option, kubectl 1.36 prints no events of several objects. */
function described(kubectl: Kubectl): Promise<string> {
  const all = 'nodes,deployments,replicasets,statefulsets,daemonsets,pods,pvc,quota';
  return kubectl(['describe', all, '-A', '--show-events']);
}

async function diagnosisFrom(path: string, { workload }: Expected): Promise<Diagnosis> {
  const { reader, cluster } = await recordedSource(path, new Date().toISOString());
  const ref = { cluster, ...workload, kind: WorkloadKind.parse(workload.kind) };
  const read = await reader.snapshot(ref, new Set());
  if (read.type !== 'snapshot') throw new Error(`${path} holds no ${workload.name}`);
  return engine.diagnose(read.snapshot);
}

/** Files that the real kubectl made of recorded incidents on a real API server. */
describe.each(['gpu-one-node', 'crash-on-one-node', 'image-tag-missing', quota])(
  'the files of %s',
  (incident) => {
    const expected = JSON.parse(
      readFileSync(join(scenariosFolder, incident, 'expect.json'), 'utf8'),
    ) as Expected;
    let cluster: ControlPlane;
    let kubectl: Kubectl;
    let folder = '';
    beforeAll(async () => {
      const { file } = await ensureTool('kubectl');
      cluster = await startControlPlane({ controllers: 'none' });
      kubectl = kubectlOf(file, cluster.adminKubeconfig);
      folder = mkdtempSync(join(tmpdir(), 'file-forms-'));
      await loadRecording(kubectl, incident, expected.takenAt);
    }, 600_000);
    afterAll(async () => {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    it.each(forms.map((form, at) => [form.name, form, at] as const))(
      'show its cause, or say what is missing: %s',
      async (_, { make, lacks = [] }, at) => {
        const diagnosis = await diagnosisFrom(
          await make(kubectl, expected.workload.namespace, join(folder, String(at))),
          expected,
        );
        const { main } = mainFindingOf(diagnosis);
        const isOpen =
          main === undefined ? openQuestionOf(diagnosis) !== undefined : main.confidence === 'possible';
        expect(diagnosis.defects).toEqual([]);
        if (lacks.includes(incident) && isOpen) {
          expect(diagnosis.unseen).toContainEqual(expect.objectContaining({ because: 'not-recorded' }));
        } else expect(main?.cause).toBe(expected.cause);
      },
      120_000,
    );
  },
);
