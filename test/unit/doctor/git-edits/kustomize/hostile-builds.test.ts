import { describe, expect, it } from 'vitest';
import { deployment, editInTree, type Files, inPlace, workload } from '../../../../support/edit-in-tree.js';

/** A patch that takes back what the edit sets, wherever it is applied after it. */
const patchFor = (target: string): string =>
  [
    'patches:',
    `- target: {${target}}`,
    '  patch: |-',
    '    apiVersion: apps/v1',
    '    kind: Deployment',
    '    metadata:',
    '      name: any',
    '    spec:',
    '      strategy:',
    '        rollingUpdate:',
    '          maxUnavailable: 0',
    '',
  ].join('\n');

const build = (overlay: string, base = 'resources: [api.yaml]\n'): Files => ({
  'base/kustomization.yaml': base,
  'base/api.yaml': deployment,
  'prod/kustomization.yaml': `resources: [../base]\n${overlay}`,
});

const renamed = 'namespace: shop\nnamePrefix: my-\nresources: [api.yaml]\n';

describe('the edit is in the patch that Kustomize applies, selected', () => {
  it.each<[string, Files, string?]>([
    [
      'by a label that the base adds',
      build(patchFor('labelSelector: tier=web'), 'resources: [api.yaml]\ncommonLabels: {tier: web}\n'),
    ],
    [
      'by an annotation that the base adds',
      build(
        patchFor('annotationSelector: team=ml'),
        'resources: [api.yaml]\ncommonAnnotations: {team: ml}\n',
      ),
    ],
    ['by a name in which a dot is any character', build(patchFor('name: a.i'))],
    ['by a kind alone', build(patchFor('kind: Deployment'))],
    [
      'by the name before the prefix, in its new namespace',
      build(patchFor('name: api, namespace: shop'), renamed),
      'my-api',
    ],
  ])('%s', (_, files, name = 'api') => {
    expect(editInTree(files, 'prod', inPlace, { ...workload, name } as never)).toMatchObject({
      file: { path: 'prod/kustomization.yaml' },
    });
  });
});

describe('the edit is not in a patch that Kustomize does not apply, selected', () => {
  it.each<[string, Files, string?]>([
    ['by a name with one more character', build(patchFor('name: "api.+"'))],
    ['by a name of another length', build(patchFor('name: api.'))],
    [
      'by a name and a namespace that it never had together',
      build(patchFor('name: my-api, namespace: default'), renamed),
      'my-api',
    ],
  ])('%s', (_, files, name = 'api') => {
    expect(editInTree(files, 'prod', inPlace, { ...workload, name } as never)).toMatchObject({
      file: { path: 'base/api.yaml' },
    });
  });
});

describe('a path out of the repository is no file of it', () => {
  it.each(['../../../base/api.yaml', '/api.yaml', '/base/api.yaml'])('%s', (path) => {
    const files = build('', `resources: ["${path}"]\n`);
    expect(editInTree(files, 'prod')).toMatchObject({ type: 'refusal' });
  });
});

it('refuses builds that multiply, before they are built', () => {
  const levels = Array.from({ length: 60 }, (_, level): [string, string] => [
    `l${level + 1}/kustomization.yaml`,
    `resources: [../l${level}, ../l${level}]\n`,
  ]);
  const files = {
    'l0/kustomization.yaml': 'resources: [api.yaml]\n',
    'l0/api.yaml': deployment,
    ...Object.fromEntries(levels),
  };
  expect(editInTree(files, 'l60')).toMatchObject({
    reason: 'too-many-files',
    file: 'l60/kustomization.yaml',
  });
});

describe('a file of a build with more aliases than are read', () => {
  const many = Array.from({ length: 150 }, () => '*one').join(', ');
  const patch = `apiVersion: apps/v1
kind: Deployment
metadata: {name: api, annotations: {all: &one x}}
spec: {strategy: {rollingUpdate: {maxSurge: 2}}}
more: [${many}]
`;

  it.each<[string, Files]>([
    ['a patch', build('patches: [{path: patch.yaml}]\n')],
    ['another object', { ...build(''), 'prod/kustomization.yaml': 'resources: [../base, patch.yaml]\n' }],
  ])('is not left out of it: %s', (_, files) => {
    expect(editInTree({ ...files, 'prod/patch.yaml': patch }, 'prod')).toMatchObject({
      ...{ type: 'refusal', reason: 'alias', file: 'prod/patch.yaml' },
    });
  });
});
