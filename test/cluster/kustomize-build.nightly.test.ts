import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { editInTree, type Files } from '../support/edit-in-tree.js';
import { ensureTool } from './harness/tools.js';

let kubectl = '';
let folder = '';

beforeAll(async () => {
  ({ file: kubectl } = await ensureTool('kubectl'));
  folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-kustomize-'));
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the real Kustomize builds of a folder: its objects by kind and name; `undefined` where it refuses. */
function built(files: Files, path: string): ReadonlyMap<string, unknown> | undefined {
  const root = mkdtempSync(join(folder, 'tree-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  try {
    const text = execFileSync(kubectl, ['kustomize', join(root, path)], { encoding: 'utf8', stdio: 'pipe' });
    const documents = parseAllDocuments(text);
    const objects = Array.isArray(documents) ? documents.map((document) => document.toJS() as Named) : [];
    return new Map(objects.map((object) => [`${object.kind}/${object.metadata.name}`, object]));
  } catch {
    return undefined;
  }
}

interface Named {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const patch = (fields: string, name = 'api'): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: ${name}\nspec:\n${fields}`;
const deployment = (name: string): string =>
  patch(
    `  replicas: 1\n  selector: {matchLabels: {app: ${name}}}\n  template:\n    metadata: {labels: {app: ${name}}}\n    spec:\n      containers:\n      - {name: app, image: "registry.example/api:1", env: [{name: A, value: a}], ports: [{containerPort: 80}]}\n      - {name: side, image: "side@sha256:aa"}\n`,
    name,
  );

const patches = [
  '- path: replicas.yaml\n',
  '- path: strategy.yaml\n  target: {kind: Deployment, name: api}\n',
  '- path: containers.yaml\n',
  '- target: {kind: Deployment}\n  path: all.yaml\n',
  '- target: {kind: Deployment, name: "a.*"}\n  patch: |-\n    - op: add\n      path: /spec/template/spec/containers/0/args\n      value: [x]\n    - {op: replace, path: /spec/replicas, value: 5}\n',
  '- patch: |\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata:\n      name: api\n    spec:\n      strategy: null\n',
];
const patchFiles: Files = {
  'replicas.yaml': patch('  replicas: 3\n'),
  'strategy.yaml': patch(
    '  strategy:\n    type: RollingUpdate\n    rollingUpdate:\n      maxSurge: 1\n',
    'any',
  ),
  'containers.yaml': patch(
    '  template:\n    spec:\n      tolerations: [{operator: Exists}]\n      containers:\n      - {name: new, image: new}\n      - name: app\n        env: [{name: B, value: b}, {name: A, value: c}]\n        ports: [{containerPort: 81}]\n',
  ),
  'all.yaml': patch('  minReadySeconds: 5\n', 'ignored'),
};

const level = fc.record({
  namespace: fc.boolean(),
  prefix: fc.constantFrom('', 'eu-'),
  suffix: fc.constantFrom('', '-v1'),
  patches: fc.subarray(patches),
  images: fc.boolean(),
  replicas: fc.boolean(),
  labels: fc.constantFrom(
    '',
    'commonLabels: {team: shop}\n',
    'labels:\n- pairs: {a: b}\n  includeTemplates: true\n',
  ),
  annotations: fc.boolean(),
});
type Level = typeof level extends fc.Arbitrary<infer Value> ? Value : never;

const kustomization = (resources: readonly string[], draw: Level): string =>
  [
    draw.namespace ? 'namespace: shop\n' : '',
    draw.prefix === '' ? '' : `namePrefix: ${draw.prefix}\n`,
    draw.suffix === '' ? '' : `nameSuffix: ${draw.suffix}\n`,
    `resources:\n${resources.map((each) => `- ${each}\n`).join('')}`,
    draw.patches.length === 0 ? '' : `patches:\n${draw.patches.join('')}`,
    draw.images
      ? 'images:\n- {name: registry.example/api, newTag: "2"}\n- {name: side, newName: other}\n'
      : '',
    draw.replicas ? 'replicas:\n- {name: api, count: 4}\n' : '',
    draw.labels,
    draw.annotations ? 'commonAnnotations: {by: us}\n' : '',
  ].join('');

describe('the built manifest of an edit', () => {
  it('is what the real Kustomize builds, and every other object is as before', () => {
    let edits = 0;
    fc.assert(
      fc.property(level, level, fc.boolean(), (below, above, isShared) => {
        const at = (of: string): Files =>
          Object.fromEntries(Object.entries(patchFiles).map(([name, text]) => [`${of}/${name}`, text]));
        const plain: Level = { ...above, prefix: '', suffix: '', patches: [] };
        const files: Files = {
          'base/kustomization.yaml': kustomization(['api.yaml', 'web.yaml'], below),
          'base/api.yaml': deployment('api'),
          'base/web.yaml': deployment('web'),
          'prod/kustomization.yaml': kustomization(['../base'], above),
          ...at('base'),
          ...at('prod'),
          ...(isShared ? { 'staging/kustomization.yaml': kustomization(['../base'], plain) } : {}),
        };
        const before = built(files, 'prod');
        if (before === undefined) return;
        const name = `${above.prefix}${below.prefix}api${below.suffix}${above.suffix}`;
        const about = { kind: 'Deployment', namespace: 'shop', name } as never;
        const result = editInTree(files, 'prod', undefined, about);
        if (result.type === 'refusal') throw new Error(`refused: ${JSON.stringify(result)}`);
        edits += 1;
        const changed = { ...files, [result.file.path]: result.text };
        const after = built(changed, 'prod');
        expect(after?.get(`Deployment/${name}`)).toEqual(result.manifest);
        for (const [key, object] of before) {
          if (key !== `Deployment/${name}`) expect(after?.get(key)).toEqual(object);
        }
        expect(after?.size).toBe(before.size);
        if (isShared) expect(built(changed, 'staging')).toEqual(built(files, 'staging'));
      }),
      { numRuns: 30, seed: 20_261_124, endOnFailure: true },
    );
    expect(edits).toBeGreaterThan(10);
  }, 600_000);
});
