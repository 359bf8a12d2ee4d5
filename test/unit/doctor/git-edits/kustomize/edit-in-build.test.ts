import { describe, expect, it } from 'vitest';
import { deployment, editInTree, type Files } from '../../../../support/edit-in-tree.js';

const block =
  '  strategy:\n    type: RollingUpdate\n    rollingUpdate:\n      maxSurge: 0\n      maxUnavailable: 1\n';
const newPatch = (pad: string, namespace = ''): string =>
  [
    `${pad}- patch: |-`,
    `${pad}    apiVersion: apps/v1`,
    `${pad}    kind: Deployment`,
    `${pad}    metadata:`,
    `${pad}      name: api`,
    ...(namespace === '' ? [] : [`${pad}      namespace: ${namespace}`]),
    `${pad}    spec:`,
    ...block
      .trimEnd()
      .split('\n')
      .map((line) => `${pad}    ${line}`),
  ].join('\n');

const base: Files = {
  'base/kustomization.yaml': 'resources:\n- deployment.yaml\n',
  'base/deployment.yaml': deployment,
};
/** Two overlays that build on the same base. */
const overlays = (prod: string, more: Files = {}): Files => ({
  ...base,
  'overlays/staging/kustomization.yaml': 'namespace: staging\nresources:\n- ../../base\n',
  'overlays/prod/kustomization.yaml': prod,
  ...more,
});
const prod = 'namespace: shop\nresources:\n- ../../base\n';

/** The file that changes, and its new text. */
function edited(files: Files, path = 'overlays/prod') {
  const result = editInTree(files, path);
  if (result.type === 'refusal') throw new Error(`refused: ${JSON.stringify(result)}`);
  return { file: result.file.path, text: result.text, manifest: result.manifest };
}
const refusalOf = (files: Files, path = 'overlays/prod'): unknown => {
  const { type, ...result } = editInTree(files, path);
  return type === 'refusal' ? result : { edited: 'file' in result ? result.file : '' };
};

describe('the edit of a Kustomize build', () => {
  it('is a new patch in the overlay where the base has other users', () => {
    const { file, text, manifest } = edited(overlays(prod));
    expect(file).toBe('overlays/prod/kustomization.yaml');
    expect(text).toBe(`${prod}patches:\n${newPatch('')}\n`);
    expect(manifest).toMatchObject({
      metadata: { name: 'api', namespace: 'shop' },
      spec: {
        replicas: 1,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      },
    });
  });

  it('is in the manifest where only this build reads it', () => {
    const { 'overlays/staging/kustomization.yaml': _, ...alone } = overlays(prod);
    expect(edited(alone)).toMatchObject({
      file: 'base/deployment.yaml',
      text: deployment.replace('replicas: 1\n', `replicas: 1\n${block}`),
    });
  });

  it('is in the manifest that the overlay lists itself', () => {
    const files = {
      ...base,
      'prod/kustomization.yaml': 'resources: [api.yaml]\n',
      'prod/api.yaml': deployment,
    };
    expect(edited(files, 'prod')).toMatchObject({ file: 'prod/api.yaml' });
  });

  it.each([
    ['patches', 'patches:\n- path: strategy.yaml\n'],
    ['patches with a target', 'patches:\n- path: strategy.yaml\n  target: {kind: Deployment, name: api}\n'],
    ['patchesStrategicMerge', 'patchesStrategicMerge:\n- strategy.yaml\n'],
  ])('is in the file of a patch that %s names', (_, list) => {
    const patch =
      'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: api\nspec:\n  replicas: 3 # three\n';
    expect(edited(overlays(`${prod}${list}`, { 'overlays/prod/strategy.yaml': patch }))).toMatchObject({
      file: 'overlays/prod/strategy.yaml',
      text: `${patch}${block}`,
      manifest: { spec: { replicas: 3 } },
    });
  });

  it('is in the patch that sets the field, before other patches of the object', () => {
    const patchOf = (fields: string): string =>
      `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api}\nspec:\n${fields}`;
    const files = overlays(`${prod}patches:\n- path: a.yaml\n- path: b.yaml\n`, {
      'overlays/prod/a.yaml': patchOf('  strategy:\n    rollingUpdate:\n      maxSurge: 50% # half\n'),
      'overlays/prod/b.yaml': patchOf('  minReadySeconds: 5\n'),
    });
    expect(edited(files)).toMatchObject({
      file: 'overlays/prod/a.yaml',
      text: patchOf(
        '  strategy:\n    type: RollingUpdate\n    rollingUpdate:\n      maxSurge: 0 # half\n      maxUnavailable: 1\n',
      ),
    });
  });

  it('is in a patch that stands in the kustomization, and keeps every other line', () => {
    const inline = [
      'patches:',
      '  # why',
      '  - patch: |',
      '      apiVersion: apps/v1',
      '      kind: Deployment',
      '      metadata:',
      '        name: api # ours',
      '',
      '      spec:',
      '        replicas: 2',
      '    target:   {kind: Deployment}',
      '# end',
      '',
    ].join('\n');
    const { text } = edited(overlays(`${prod}${inline}`));
    const added = block.replaceAll(/^/gmu, '      ').trimEnd();
    expect(text).toBe(`${prod}${inline.replace('replicas: 2\n', `replicas: 2\n${added}\n`)}`);
  });

  it.each([
    [
      'after other patches, with their indentation',
      `${prod}patches:\n  - path: x.yaml\n# end\n`,
      '  ',
      '# end\n',
    ],
    ['in place of an empty list', `${prod}patches: []\nlabels: []\n`, '', 'labels: []\n'],
    ['at the end of a text without a final newline', prod.trimEnd(), '', undefined],
  ])('adds a patch %s', (_, kustomization, pad, after) => {
    const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n';
    const files = overlays(kustomization, {
      'base/kustomization.yaml': 'resources:\n- deployment.yaml\n- service.yaml\n',
      'base/service.yaml': service,
      'overlays/prod/x.yaml': `${service}spec: {type: NodePort}\n`,
    });
    const { text } = edited(files);
    const before = kustomization.replace(after ?? '', '').replace(' []', '');
    const expected =
      after === undefined ? `${prod}patches:\n${newPatch('')}` : `${before}${newPatch(pad)}\n${after}`;
    expect(text).toBe(expected);
  });

  it('keeps CRLF in a kustomization', () => {
    const { text } = edited(overlays(prod.replaceAll('\n', '\r\n')));
    expect(text).toBe(`${prod}patches:\n${newPatch('')}\n`.replaceAll('\n', '\r\n'));
  });

  it('names the object as it is called below the prefix of the overlay', () => {
    const files = overlays('namePrefix: eu-\nnamespace: shop\nresources:\n- ../../base\n', {
      'base/kustomization.yaml': 'nameSuffix: -v1\nnamespace: raw\nresources:\n- deployment.yaml\n',
    });
    const result = editInTree(files, 'overlays/prod', undefined, { ...workloadNamed('eu-api-v1') });
    expect(result).toMatchObject({
      type: 'edited',
      text: expect.stringContaining('name: api-v1\n      namespace: raw'),
    });
  });

  it('models images, replicas and labels of the kustomization', () => {
    const fields =
      'images:\n- {name: registry.example/api, newTag: "7"}\nreplicas:\n- {name: api, count: 4}\n';
    expect(edited(overlays(`${prod}${fields}commonLabels: {team: shop}\n`)).manifest).toMatchObject({
      metadata: { labels: { team: 'shop' } },
      spec: {
        replicas: 4,
        selector: { matchLabels: { team: 'shop' } },
        template: {
          metadata: { labels: { team: 'shop' } },
          spec: { containers: [{ image: 'registry.example/api:7' }] },
        },
      },
    });
  });

  it('is in the nearest kustomization that nothing else builds on, below one that collects', () => {
    const files = {
      ...overlays(prod),
      'clusters/eu/kustomization.yaml': 'resources:\n- ../../overlays/prod\n- web.yaml\n',
      'clusters/eu/web.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n',
    };
    expect(edited(files, 'clusters/eu')).toMatchObject({ file: 'overlays/prod/kustomization.yaml' });
  });
});

function workloadNamed(name: string) {
  return {
    kind: 'Deployment',
    namespace: 'shop',
    name,
  } as unknown as typeof import('../../../../support/edit-in-tree.js').workload;
}

describe('a Kustomize build that is not edited', () => {
  it.each([
    ['components', `${prod}components:\n- ../../parts\n`, 'components', 4],
    ['replacements', `${prod}replacements:\n- path: r.yaml\n`, 'replacements', 4],
    ['vars', `${prod}vars:\n- name: A\n`, 'vars', 4],
    ['transformers', `${prod}transformers:\n- t.yaml\n`, 'transformers', 4],
    ['generators', `${prod}generators:\n- g.yaml\n`, 'generators', 4],
    ['configurations', `${prod}configurations:\n- c.yaml\n`, 'configurations', 4],
  ])('has %s, whose effect is not known', (_, kustomization, detail, line) => {
    expect(refusalOf(overlays(kustomization))).toEqual({
      ...{ reason: 'kustomize', file: 'overlays/prod/kustomization.yaml', detail, line },
    });
  });

  it.each([
    [
      'a JSON patch sets the field',
      'patchesJson6902:\n- target: {kind: Deployment, name: api}\n  patch: |-\n    - {op: add, path: /spec/strategy, value: {type: Recreate}}\n',
      { reason: 'not-verified' },
    ],
    [
      'a patch has a directive',
      'patches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: api}\n    $patch: delete\n',
      { reason: 'kustomize', detail: 'patches' },
    ],
    [
      'the patches are a flow list',
      'patches: [{path: x.yaml, target: {kind: Service}}]\n',
      { reason: 'shape', file: 'overlays/prod/kustomization.yaml', line: 4 },
    ],
  ])('is refused where %s', (_, fields, expected) => {
    const files = overlays(`${prod}${fields}`, {
      'overlays/prod/x.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api}\n',
    });
    expect(refusalOf(files)).toMatchObject(expected);
  });

  it('is used by another kustomization as a whole', () => {
    const files = { ...overlays(prod), 'eu/kustomization.yaml': 'resources:\n- ../overlays/prod\n' };
    expect(refusalOf(files)).toMatchObject({
      reason: 'shared-base',
      detail: expect.stringContaining('eu/kustomization.yaml'),
    });
  });

  it('does not list the manifest, or cannot be read', () => {
    expect(
      refusalOf(
        { 'prod/kustomization.yaml': 'resources: [web.yaml]\n', 'prod/api.yaml': deployment },
        'prod',
      ),
    ).toMatchObject({ reason: 'kustomize', file: 'prod/api.yaml', detail: 'resources' });
    expect(
      refusalOf({ 'prod/kustomization.yaml': 'resources: 7\n', 'prod/api.yaml': deployment }, 'prod'),
    ).toMatchObject({
      reason: 'kustomize',
      file: 'prod/kustomization.yaml',
    });
  });

  it('reads a file through a symlink', () => {
    expect(
      refusalOf(overlays(`${prod}patches:\n- path: p.yaml\n`, { 'overlays/prod/p.yaml': '-> ../p.yaml' })),
    ).toMatchObject({
      reason: 'symlink',
    });
  });

  it('ends where kustomizations list each other', () => {
    const files = overlays('resources:\n- ../../base\n- ../staging\n', {
      'overlays/staging/kustomization.yaml': 'resources:\n- ../prod\n',
    });
    expect(refusalOf(files)).toMatchObject({ reason: expect.any(String) });
  });

  it('never changes another object that the same patch selects', () => {
    const files = overlays(`${prod}patches:\n- path: all.yaml\n  target: {kind: Deployment}\n`, {
      'base/kustomization.yaml': 'resources:\n- deployment.yaml\n- web.yaml\n',
      'base/web.yaml': deployment.replace('name: api', 'name: web'),
      'overlays/prod/all.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\nspec:\n  minReadySeconds: 5\n',
    });
    expect(edited(files)).toMatchObject({ file: 'overlays/prod/kustomization.yaml' });
  });
});
