import { describe, expect, it } from 'vitest';
import { kustomizeRefusal } from '#src/core/git-change/kustomization.js';

const file = (path: string, text: string) => ({ path, text, mode: '100644', sha: path, size: text.length });
const about = { file: 'prod/api.yaml', below: 'prod', namespace: 'shop' };
const lists = file(
  'prod/kustomization.yaml',
  'namespace: shop\nresources: [./api.yaml]\npatches: []\nimages: [{name: a}]\n',
);

describe('a manifest that Kustomize builds', () => {
  it('can be edited where one kustomization lists it and nothing builds on that', () => {
    expect(kustomizeRefusal(about, [lists])).toBeUndefined();
    expect(kustomizeRefusal(about, [])).toBeUndefined();
    expect(
      kustomizeRefusal(about, [file('staging/kustomization.yaml', 'resources: [web.yaml]\n')]),
    ).toBeUndefined();
  });

  it.each([
    [
      'its own kustomization does not list it',
      ['prod/kustomization.yaml', 'resources: [web.yaml]'],
      'kustomize',
      'prod/api.yaml',
    ],
    [
      'it is a patch',
      ['prod/kustomization.yaml', 'resources: [../base]\npatches: [{path: api.yaml}]'],
      'kustomize',
      'prod/api.yaml',
    ],
    [
      'its kustomization has patches',
      ['prod/kustomization.yaml', 'resources: [api.yaml]\npatches: [{path: p.yaml}]'],
      'kustomize',
      'prod/kustomization.yaml',
    ],
    [
      'its kustomization renames it',
      ['prod/kustomization.yaml', 'resources: [api.yaml]\nnamePrefix: a-'],
      'kustomize',
      'prod/kustomization.yaml',
    ],
    [
      'its kustomization sets another namespace',
      ['prod/kustomization.yaml', 'resources: [api.yaml]\nnamespace: web'],
      'kustomize',
      'prod/kustomization.yaml',
    ],
    [
      'its kustomization cannot be read',
      ['prod/kustomization.yaml', 'resources: api.yaml'],
      'kustomize',
      'prod/kustomization.yaml',
    ],
  ])('is refused where %s', (_, [path = '', text = ''], reason, at) => {
    expect(kustomizeRefusal(about, [file(path, text)])).toEqual({ type: 'refusal', reason, file: at });
  });

  it.each([
    ['overlays/eu/kustomization.yaml', 'resources: [../../prod]'],
    ['overlays/eu/kustomization.yaml', 'bases: [../../prod/]'],
    ['overlays/eu/kustomization.yaml', 'components: [../../prod]'],
    ['overlays/eu/kustomization.yaml', 'resources: [../../prod/api.yaml]'],
  ])('is refused where %s has %s', (path, text) => {
    expect(kustomizeRefusal(about, [lists, file(path, text)])).toEqual({
      type: 'refusal',
      reason: 'shared-base',
      file: path,
    });
  });
});
