import { describe, expect, it } from 'vitest';
import { editInTree, type Files } from '../../../../support/edit-in-tree.js';

const deployment =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: api\nspec:\n  template:\n    spec:\n      containers:\n      - {name: app, image: "api:1"}\n';
const exclusion = {
  requiredDuringSchedulingIgnoredDuringExecution: {
    nodeSelectorTerms: [
      { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'NotIn', values: ['n-bad'] }] },
    ],
  },
};
const path = ['spec', 'template', 'spec', 'affinity'];
const added = [{ path: [...path, 'nodeAffinity'], value: exclusion }];
const removed = [{ path, value: undefined }];

function changed(files: Files, edits: typeof added | typeof removed): Files {
  const result = editInTree(files, 'prod', edits as never);
  if (result.type === 'refusal') throw new Error(JSON.stringify(result));
  return { ...files, [result.file.path]: result.text };
}

const overlay = 'resources:\n- ../base\n';
const others =
  'patches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata:\n      name: api\n    spec:\n      replicas: 3\n';

describe('the removal of what a pull request added', () => {
  it.each<[string, Files]>([
    ['a manifest', { 'prod/api.yaml': deployment }],
    [
      'a Kustomize build',
      { 'prod/kustomization.yaml': 'resources: [api.yaml]\n', 'prod/api.yaml': deployment },
    ],
    [
      'a kustomization of a shared base',
      {
        'base/kustomization.yaml': 'resources: [api.yaml]\n',
        'base/api.yaml': deployment,
        'prod/kustomization.yaml': overlay,
        'staging/kustomization.yaml': overlay,
      },
    ],
    [
      'a kustomization with another patch of the workload',
      {
        'base/kustomization.yaml': 'resources: [api.yaml]\n',
        'base/api.yaml': deployment,
        'prod/kustomization.yaml': overlay + others,
        'staging/kustomization.yaml': overlay,
      },
    ],
  ])('brings %s back to its former bytes', (_, files) => {
    const now = changed(files, added);
    expect(now).not.toEqual(files);
    expect(changed(now, removed)).toEqual(files);
  });
});
