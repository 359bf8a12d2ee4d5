import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scenario } from '../../support/command-line-run.js';
import { type LocalIncident, startLocalIncident } from '../../support/local-incident.js';
import { rolloutDoctor } from '../../support/run-command-line.js';

const gpu = scenario('gpu-one-node');

/** The manifest of the recorded `shop/inference`, with a new image. */
function inference(strategy: string, namespace = 'shop', replicas = ''): string {
  return `# the model server
apiVersion: apps/v1
kind: Deployment
metadata:
  name: inference
  namespace: ${namespace}
spec:
${replicas}  selector:
    matchLabels:
      app: inference
  strategy: ${strategy}
  template:
    metadata:
      labels:
        app: inference
    spec:
      containers:
        - name: app
          image: inference:v9
          resources:
            limits:
              nvidia.com/gpu: "1"
`;
}

const surging = '{ rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }';
const inPlace = '{ rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }';

interface Checks {
  readonly items: readonly { readonly file: string; readonly line: number; readonly outcome: string }[];
}

describe('rollout-doctor check against recorded objects', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-check-'));
    await writeFile(join(folder, 'surging.yaml'), inference(surging));
    await mkdir(join(folder, 'in-place'));
    await writeFile(
      join(folder, 'in-place', 'all.yaml'),
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n---\n${inference(inPlace)}---\n`,
    );
    const nameless = (name: string) => `apiVersion: apps/v1\nkind: Deployment\nmetadata: {${name}}\n`;
    await writeFile(join(folder, 'nameless.yaml'), nameless(''));
    await writeFile(join(folder, 'unrendered.yaml'), nameless('name: {{ .Values.name }}'));
    await writeFile(join(folder, 'template.yaml'), '{{- if .Values.web }}\nkind: Deployment\n{{ end }}');
    await writeFile(
      join(folder, 'broken.yaml'),
      'apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: "many"}\n',
    );
    await writeFile(
      join(folder, 'wrong.yaml'),
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: many}\n',
    );
    await writeFile(join(folder, 'settings.yaml'), 'kind: ConfigMap\nmetadata: {name: settings}\n');
    await writeFile(join(folder, 'list.json'), JSON.stringify([1, 2]));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('proves the deadlock of an update, and passes an update that stops the old pod first', async () => {
    const [surge, place] = await Promise.all([
      rolloutDoctor(['check', '-f', join(folder, 'surging.yaml'), '--against', gpu]),
      rolloutDoctor(['check', '-f', join(folder, 'in-place'), '--against', gpu]),
    ]);
    expect([surge.status, place.status]).toEqual([1, 0]);
    expect(surge.out).toContain('The update of shop/inference would deadlock');
    expect(surge.out).toContain('With maxSurge: 0, maxUnavailable: 1 the update completes. Impact: no pod');
    expect(place.out).toContain('The update of shop/inference completes.');
  });

  it('prints JSON, SARIF and annotations with file and line', async () => {
    const run = (output: string) =>
      rolloutDoctor(['check', '-f', 'surging.yaml', '--against', gpu, '-o', output], { cwd: folder });
    const [json, sarif, github] = await Promise.all([run('json'), run('sarif'), run('github')]);
    expect(JSON.parse(json.out)).toMatchObject({
      apiVersion: 'rollout-doctor/v1',
      kind: 'RolloutCheckList',
      items: [
        {
          file: 'surging.yaml',
          line: 2,
          workload: { kind: 'Deployment', namespace: 'shop', name: 'inference' },
          outcome: 'deadlock',
          confidence: 'proven',
          resource: 'nvidia.com/gpu',
          nodes: ['gpu-a'],
          holders: [{ kind: 'Pod', namespace: 'shop' }],
          wayOut: { strategy: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 } },
        },
      ],
    });
    expect(JSON.parse(sarif.out)).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          results: [
            {
              ruleId: 'rollout-deadlock',
              level: 'error',
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'surging.yaml' },
                    region: { startLine: 2 },
                  },
                },
              ],
            },
          ],
        },
      ],
    });
    expect(github.out).toMatch(
      /^::error file=surging\.yaml,line=2,title=The update of shop\/inference would/,
    );
    expect(github.out.trimEnd().split('\n')).toHaveLength(1);
    expect([json.status, sarif.status, github.status]).toEqual([1, 1, 1]);
  });

  it('accepts the output of kustomize with several documents and Lists, and the last duplicate wins', async () => {
    const list = JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: [{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'inference' } }],
    });
    const input = `${inference(surging)}---\n${list}\n---\n# nothing\n---\n${inference(inPlace)}`;
    const ran = await rolloutDoctor(['check', '-f', '-', '--against', gpu, '-o', 'json'], { input });
    expect((JSON.parse(ran.out) as Checks).items).toEqual([
      expect.objectContaining({ file: '-', outcome: 'completes' }),
    ]);
    expect(ran.status).toBe(0);
  });

  it('prints Korean', async () => {
    const ran = await rolloutDoctor(['check', '-f', '-', '--against', gpu, '--lang', 'ko'], {
      input: inference(surging),
    });
    expect(ran.out).toContain('교착 상태에 빠집니다');
    expect(ran.out).toContain('deadlock (증명됨)');
  });

  it.each([
    ['no manifest', [], 2, 'check web.yaml'],
    [
      'a file that does not exist',
      ['-f', 'none.yaml', '--against', gpu],
      3,
      'none.yaml: there is no such file',
    ],
    ['a template', ['-f', 'template.yaml', '--against', gpu], 3, 'must be rendered first'],
    [
      'a workload without a name',
      ['-f', 'nameless.yaml', '--against', gpu],
      3,
      'nameless.yaml, line 1: Deployment has no metadata.name.\n',
    ],
    ['a name that is not rendered', ['-f', 'unrendered.yaml', '--against', gpu], 3, 'must be rendered first'],
    ['a JSON array', ['-f', 'list.json', '--against', gpu], 3, 'list.json, line 1: this is no'],
    [
      'a manifest with a wrong field',
      ['-f', 'wrong.yaml', '--against', gpu],
      3,
      'wrong.yaml, line 1: Deployment web has an invalid spec.replicas',
    ],
    ['recorded objects that do not exist', ['-f', 'surging.yaml', '--against', './none'], 3, 'no such file'],
    ['a context that does not exist', ['-f', 'surging.yaml', '--against', 'prod'], 3, 'kubeconfig'],
    [
      'a time without recorded objects',
      ['-f', 'surging.yaml', '--at', '2026-11-20T09:00:00Z'],
      2,
      '--at needs recorded objects',
    ],
  ])('rejects %s with a helpful line', async (_, args, status, says) => {
    const ran = await rolloutDoctor(['check', ...args], { cwd: folder });
    expect(ran).toMatchObject({ status, out: '' });
    expect(ran.err).toContain(says);
    expect(ran.err).not.toContain('    at ');
  });

  it('reports manifests without workloads', async () => {
    const ran = await rolloutDoctor(['check', '-f', join(folder, 'settings.yaml'), '--against', gpu]);
    expect(ran).toMatchObject({
      status: 0,
      out: 'These manifests have no workload, such as a Deployment.\n',
    });
  });
});

describe('rollout-doctor check against a live cluster', () => {
  let incident: LocalIncident;
  beforeAll(async () => {
    incident = await startLocalIncident();
  });
  afterAll(() => incident.close());

  it.each([
    ['deadlock', surging, 1],
    ['completes', inPlace, 0],
  ])('returns %s with %s', async (outcome, strategy, status) => {
    const ran = await rolloutDoctor(['check', '-f', '-', '--kubeconfig', incident.kubeconfig, '-o', 'json'], {
      input: inference(strategy, 'ml'),
    });
    expect((JSON.parse(ran.out) as Checks).items, ran.err).toEqual([expect.objectContaining({ outcome })]);
    expect(ran.status).toBe(status);
  });

  it('finds no node for a new workload in a new namespace', async () => {
    const ran = await rolloutDoctor(['check', '-f', '-', '--kubeconfig', incident.kubeconfig, '-o', 'json'], {
      input: inference(surging, 'another', '  replicas: 50\n'),
    });
    expect((JSON.parse(ran.out) as Checks).items, ran.err).toEqual([
      expect.objectContaining({ outcome: 'stuck' }),
    ]);
    expect(ran.status).toBe(1);
  });
});
