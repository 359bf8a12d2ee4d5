export type Files = Readonly<Record<string, string>>;

const deployment = (name: string, kind = 'Deployment'): string =>
  [
    'apiVersion: apps/v1',
    `kind: ${kind}`,
    `metadata: {name: ${name}}`,
    'spec:',
    '  replicas: 1',
    '  template:',
    '    spec:',
    '      containers:',
    '        - {name: app, image: "registry.example/api:1"}',
    '',
  ].join('\n');

const api = deployment('api');
const patch = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api}\nspec: {minReadySeconds: 5}\n';
const absent = patch.replace('name: api', 'name: absent');

const prod = (kustomization: string, others: Files = {}): Files => ({
  'prod/kustomization.yaml': kustomization,
  'prod/api.yaml': api,
  ...others,
});
const own = 'resources: [api.yaml]\n';
const inline = (text: string): string =>
  `${own}patches:\n- patch: |\n${text.replaceAll(/^(?=.)/gmu, '    ')}`;

/** Trees whose folder `prod` the real Kustomize does not build. */
export const refusedTrees: Readonly<Record<string, Files>> = {
  'a resource file outside the folder': {
    'prod/kustomization.yaml': 'resources: [../api.yaml]\n',
    'api.yaml': api,
  },
  'a resource file in a folder beside it': {
    'prod/kustomization.yaml': 'resources: [../prod2/api.yaml]\n',
    'prod2/api.yaml': api,
  },
  'a patch file outside the folder': prod(`${own}patches: [{path: ../patch.yaml}]\n`, {
    'patch.yaml': patch,
  }),
  'an old patch file outside the folder': prod(`${own}patchesStrategicMerge: [../patch.yaml]\n`, {
    'patch.yaml': patch,
  }),
  'a file outside the folder of the base': {
    'prod/kustomization.yaml': 'resources: [../base]\n',
    'base/kustomization.yaml': 'resources: [../prod/api.yaml]\n',
    'prod/api.yaml': api,
  },
  'a base above the folder': {
    'kustomization.yaml': 'resources: [api.yaml]\n',
    'api.yaml': api,
    'prod/kustomization.yaml': 'resources: [..]\n',
  },
  'a base above a folder that was passed': {
    'prod/kustomization.yaml': 'resources: [../base]\n',
    'base/kustomization.yaml': 'resources: [../prod/inner]\n',
    'prod/inner/kustomization.yaml': 'resources: [../../prod/inner/deep, ../../base]\n',
    'prod/inner/deep/kustomization.yaml': 'resources: [api.yaml]\n',
    'prod/inner/deep/api.yaml': api,
  },
  'a resource that does not exist': prod('resources: [api.yaml, missing.yaml]\n'),
  'a folder without a kustomization': prod('resources: [api.yaml, more]\n', { 'prod/more/a.txt': 'x' }),
  'a patch that does not exist': prod(`${own}patches: [{path: missing.yaml}]\n`),
  'two kustomizations in one folder': prod(own, { 'prod/kustomization.yml': own }),
  'the same object twice': prod('resources: [api.yaml, again.yaml]\n', { 'prod/again.yaml': api }),
  'the same base twice': {
    'prod/kustomization.yaml': 'resources: [../a, ../b]\n',
    'a/kustomization.yaml': 'resources: [../base]\n',
    'b/kustomization.yaml': 'resources: [../base]\n',
    'base/kustomization.yaml': own,
    'base/api.yaml': api,
  },
  'a patch of an object that does not exist': prod(inline(absent)),
  'a patch with a path and a text': prod(`${own}patches:\n- path: p.yaml\n  patch: |\n    a: b\n`, {
    'prod/p.yaml': patch,
  }),
  'a patch without a path and a text': prod(`${own}patches:\n- target: {kind: Deployment}\n`),
  'an empty kustomization': prod(''),
  'another kind of file': prod(`kind: Deployment\n${own}`),
  'another version': prod(`apiVersion: kustomize.config.k8s.io/v9\nkind: Kustomization\n${own}`),
  'a field of another name': prod(`${own}resource: [api.yaml]\n`),
  'a list that is no list': prod('resources: api.yaml\n'),
  'a resource without a kind': prod('resources: [api.yaml, x.yaml]\n', { 'prod/x.yaml': 'a: b\n' }),
  'a resource without a name': prod('resources: [api.yaml, x.yaml]\n', {
    'prod/x.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {}\n',
  }),
  'a resource that is no YAML': prod('resources: [api.yaml, x.yaml]\n', { 'prod/x.yaml': 'a: [b\n' }),
  'a resource that is a list': prod('resources: [api.yaml, x.yaml]\n', { 'prod/x.yaml': '- a\n' }),
  'a JSON patch of a path that does not exist': prod(
    `${own}patches:\n- target: {kind: Deployment}\n  patch: '[{"op": "replace", "path": "/spec/absent/x", "value": 1}]'\n`,
  ),
  'a JSON patch whose test fails': prod(
    `${own}patches:\n- target: {kind: Deployment}\n  patch: '[{"op": "test", "path": "/spec/replicas", "value": 7}]'\n`,
  ),
  'replicas of an object that does not exist': prod(`${own}replicas: [{name: absent, count: 3}]\n`),
  'a generator file outside the folder': prod(`${own}configMapGenerator:\n- {name: c, files: [../c.txt]}\n`, {
    'c.txt': 'x',
  }),
  'a generator file that does not exist': prod(`${own}configMapGenerator:\n- {name: c, files: [c.txt]}\n`),
  'a pattern that is none': prod(`${own}patches:\n- target: {name: "a("}\n  patch: |\n    a: b\n`),
};

/** Trees whose folder `prod` the real Kustomize builds. */
export const acceptedTrees: Readonly<Record<string, Files>> = {
  'a base beside the folder': {
    'prod/kustomization.yaml': 'resources: [../base]\n',
    'base/kustomization.yaml': own,
    'base/api.yaml': api,
  },
  'a file in a folder below': {
    'prod/kustomization.yaml': 'resources: [parts/api.yaml]\n',
    'prod/parts/api.yaml': api,
  },
  'a folder above a file by a path that leaves and comes back': prod('resources: [../prod/api.yaml]\n'),
  'a patch with a target that selects nothing': prod(
    `${own}patches:\n- target: {kind: StatefulSet}\n  patch: |\n    apiVersion: apps/v1\n    kind: StatefulSet\n    metadata: {name: x}\n`,
  ),
  'two objects of the same name and of different kinds': prod('resources: [api.yaml, set.yaml]\n', {
    'prod/set.yaml': deployment('api', 'StatefulSet'),
  }),
  'an old JSON patch of an object that does not exist': prod(
    `${own}patchesJson6902:\n- target: {group: apps, version: v1, kind: Deployment, name: absent}\n  patch: '[{"op": "add", "path": "/spec/paused", "value": true}]'\n`,
  ),
};
