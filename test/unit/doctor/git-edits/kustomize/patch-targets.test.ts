import { describe, expect, it } from 'vitest';
import { type Files, locateInTree } from '../../../../support/edit-in-tree.js';

const deployment = [
  'apiVersion: apps/v1',
  'kind: Deployment',
  'metadata:',
  '  name: api',
  '  labels: {team: shop, tier: front}',
  '  annotations: {owner: ops}',
  'spec:',
  '  replicas: 1',
  '  template: {spec: {containers: [{name: app, image: "api:1"}]}}',
  '',
].join('\n');

const listed = (patch: string, target: string, extra = ''): string =>
  `${extra}resources: [../base]\npatches:\n- patch: |-\n${patch.replaceAll(/^/gmu, '    ')}\n${target === '' ? '' : `  target: {${target}}\n`}`;
const merge = (of = 'apps/v1 Deployment api', namespace = ''): string => {
  const [apiVersion, kind, name] = of.split(' ');
  return [
    `apiVersion: ${apiVersion}`,
    `kind: ${kind}`,
    'metadata:',
    `  name: ${name}`,
    ...(namespace === '' ? [] : [`  namespace: ${namespace}`]),
    'spec:',
    '  minReadySeconds: 7',
  ].join('\n');
};
const json = '- {op: add, path: /spec/minReadySeconds, value: 7}';

/** What the overlay builds: the workload's values, or why it is not built. */
function built(kustomization: string, base = 'resources: [api.yaml]\n', more: Files = {}, name = 'api') {
  const files = {
    'base/kustomization.yaml': base,
    'base/api.yaml': deployment,
    'prod/kustomization.yaml': kustomization,
    ...more,
  };
  return locateInTree(files, 'prod', { kind: 'Deployment', namespace: 'shop', name } as never);
}
/** Whether the patch reaches the workload; the reason where nothing is built. */
function isPatched(...of: Parameters<typeof built>): boolean | string {
  const located = built(...of);
  if (located.type === 'refusal') return `${located.reason} ${located.detail ?? ''}`.trim();
  return (located.values as { spec: { minReadySeconds?: number } }).spec.minReadySeconds === 7;
}

describe('the target of a patch', () => {
  it.each<[string, boolean]>([
    ['kind: Deployment', true],
    ['kind: Deployment, name: api', true],
    ['kind: StatefulSet', false],
    ['name: api', true],
    ['name: ap', false],
    ['name: ap.', true],
    ['name: a.*', true],
    ['name: .*', true],
    ['name: ".+api"', false],
    ['name: "ap.+"', true],
    ['name: "api.*"', true],
    ['name: "api.+"', false],
    ['name: "^a.*i$"', true],
    ['name: "web|api"', true],
    ['name: "web|db"', false],
    ['group: apps', true],
    ['group: batch', false],
    ['version: v1', true],
    ['version: v2', false],
    ['group: apps, version: v1, kind: Deployment, name: api', true],
    ['namespace: default', true],
    ['namespace: eu', false],
    ['labelSelector: team=shop', true],
    ['labelSelector: "team==shop"', true],
    ['labelSelector: "team=shop,tier=front"', true],
    ['labelSelector: "team=shop,tier=back"', false],
    ['labelSelector: "team = shop"', true],
    ['labelSelector: team=web', false],
    ['labelSelector: missing=shop', false],
    ['annotationSelector: owner=ops', true],
    ['annotationSelector: owner=dev', false],
    ['labelSelector: team=shop, annotationSelector: owner=dev', false],
  ])('{%s} selects the workload: %s', (target, expected) => {
    expect(isPatched(listed(merge(), target))).toBe(expected);
    expect(isPatched(listed(json, target))).toBe(expected);
  });

  it('may be the former name or namespace, and labels that the overlay has not added yet', () => {
    const renamed = 'resources: [api.yaml]\nnamePrefix: eu-\nnamespace: shop\n';
    const on = (target: string) => isPatched(listed(merge(), target), renamed, {}, 'eu-api');
    expect(
      ['name: api', 'name: eu-api', 'namespace: shop', 'namespace: default', 'name: eu'].map(on),
    ).toEqual([...[true, true, true, true, false]]);
    const labelled = (target: string) => isPatched(listed(merge(), target, 'commonLabels: {zone: a}\n'));
    expect(labelled('labelSelector: zone=a')).toBe(false);
    expect(
      isPatched(listed(merge(), 'labelSelector: zone=a'), 'resources: [api.yaml]\ncommonLabels: {zone: a}\n'),
    ).toBe(true);
  });
});

describe('a patch without a target', () => {
  it.each<[string, string, boolean | string]>([
    ['of the workload', merge(), true],
    ['of its default namespace', merge(undefined, 'default'), true],
    ['of another namespace', merge(undefined, 'eu'), 'not-built patches'],
    ['of another name', merge('apps/v1 Deployment web'), 'not-built patches'],
    ['of another kind', merge('apps/v1 StatefulSet api'), 'not-built patches'],
    ['of another version', merge('apps/v1beta1 Deployment api'), 'not-built patches'],
  ])('%s is applied, or nothing is built: %s', (_, patch, expected) => {
    expect(isPatched(listed(patch, ''))).toBe(expected);
  });

  it('is named by its file where nothing is built', () => {
    const kustomization = 'resources: [../base]\npatchesStrategicMerge: [web.yaml]\n';
    const more = { 'prod/web.yaml': merge('apps/v1 Deployment web') };
    expect(isPatched(kustomization, undefined, more)).toBe('not-built prod/web.yaml');
  });
});

describe('a build', () => {
  it.each<[string, string, Files, string]>([
    [
      'replicas of a missing workload',
      'resources: [../base]\nreplicas: [{name: web, count: 2}]\n',
      {},
      'not-built web',
    ],
    [
      'an object twice',
      'resources: [../base, x.yaml, y.yaml]\n',
      {
        'prod/x.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n',
        'prod/y.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: default}\n',
      },
      'not-built web',
    ],
    [
      'an object without a name',
      'resources: [../base, x.yaml]\n',
      { 'prod/x.yaml': 'apiVersion: v1\nkind: Service\n' },
      'not-built prod/x.yaml',
    ],
    [
      'an object without a kind',
      'resources: [../base, x.yaml]\n',
      { 'prod/x.yaml': 'metadata: {name: x}\n' },
      'not-built prod/x.yaml',
    ],
    [
      'an object without a version',
      'resources: [../base, x.yaml]\n',
      { 'prod/x.yaml': 'kind: Service\nmetadata: {name: x}\n' },
      'not-built prod/x.yaml',
    ],
    ['a text', 'resources: [../base, x.yaml]\n', { 'prod/x.yaml': 'hello\n' }, 'not-built prod/x.yaml'],
  ])('is refused for %s', (_, kustomization, more, expected) => {
    expect(isPatched(kustomization, undefined, more)).toBe(expected);
  });

  it.each<[string, string, Files]>([
    ['an empty document', 'resources: [../base, x.yaml]\n', { 'prod/x.yaml': '---\n# nothing\n---\n' }],
    [
      'a list of objects',
      'resources: [../base, x.yaml]\n',
      { 'prod/x.yaml': 'apiVersion: v1\nkind: List\nitems: []\n' },
    ],
    [
      'an object of the same name and another kind',
      'resources: [../base, x.yaml]\n',
      { 'prod/x.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: api}\n' },
    ],
    [
      'an object of the same name in another namespace',
      'resources: [../base, x.yaml]\n',
      { 'prod/x.yaml': deployment.replace('name: api', 'name: api\n  namespace: eu') },
    ],
    ['replicas of the workload', 'resources: [../base]\nreplicas: [{name: api, count: 2}]\n', {}],
  ])('takes %s', (_, kustomization, more) => {
    expect(built(kustomization, undefined, more)).toMatchObject({
      type: 'located',
      file: { path: 'base/api.yaml' },
      line: 1,
    });
  });

  it('applies patches in their order, each to what the former ones left', () => {
    const two =
      'resources: [../base]\npatches:\n- {target: {name: api}, patch: "- {op: add, path: /spec/a, value: 1}"}\n- {target: {name: api}, patch: "- {op: replace, path: /spec/a, value: 2}"}\n';
    expect(built(two)).toMatchObject({ values: { spec: { a: 2 } } });
    const wrong = two.replace('op: add', 'op: remove');
    expect(built(wrong)).toMatchObject({ type: 'refusal', reason: 'kustomize' });
  });

  it('applies patches before the images, replicas and names of its kustomization', () => {
    const kustomization = `${listed(merge(), 'name: api')}images: [{name: api, newTag: "2"}]\nreplicas: [{name: api, count: 3}]\nnamePrefix: eu-\n`;
    expect(built(kustomization, undefined, {}, 'eu-api')).toMatchObject({
      values: {
        metadata: { name: 'eu-api' },
        spec: { replicas: 3, minReadySeconds: 7, template: { spec: { containers: [{ image: 'api:2' }] } } },
      },
    });
  });
});
