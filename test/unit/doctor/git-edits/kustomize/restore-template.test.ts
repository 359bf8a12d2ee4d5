import { describe, expect, it } from 'vitest';
import { type Files, locateInTree } from '../../../../support/edit-in-tree.js';

const manifest = (image: string, replicas = 1): string =>
  [
    'apiVersion: apps/v1',
    'kind: Deployment',
    'metadata:',
    '  name: api',
    'spec:',
    `  replicas: ${replicas} # pods`,
    '  template:',
    '    spec:',
    '      containers:',
    '        - name: app',
    `          image: ${image}`,
    '',
  ].join('\n');
const patch = (memory: string): string =>
  [
    'apiVersion: apps/v1',
    'kind: Deployment',
    'metadata: {name: api}',
    'spec:',
    '  template:',
    '    spec:',
    '      containers:',
    '        - name: app',
    `          resources: {limits: {memory: ${memory}}}`,
    '',
  ].join('\n');
const withTag = (tag: string, more = ''): string =>
  `resources:\n- api.yaml\nimages:\n- name: api\n  newTag: "${tag}" # released\n${more}`;

/** The file that brings the pod template of the earlier tree back, and its text; or why none does. */
function restored(now: Files, earlier: Files, path = 'prod') {
  const [present, former] = [now, earlier].map((files) => locateInTree(files, path));
  if (present?.type !== 'located' || former?.type !== 'located') throw new Error('not located');
  const result = present.restoreTemplate(former);
  return result.type === 'refusal' ? result : { file: result.file.path, text: result.text };
}

describe('the pod template of an earlier commit', () => {
  it('returns by the manifest alone, with the other fields of today', () => {
    expect(
      restored({ 'prod/api.yaml': manifest('api:2', 5) }, { 'prod/api.yaml': manifest('api:1', 3) }),
    ).toEqual({ file: 'prod/api.yaml', text: manifest('api:1', 5) });
  });

  it('returns by the manifest of a build', () => {
    const kustomization = { 'prod/kustomization.yaml': 'resources:\n- api.yaml\n' };
    expect(
      restored(
        { ...kustomization, 'prod/api.yaml': manifest('api:2', 5) },
        { ...kustomization, 'prod/api.yaml': manifest('api:1', 3) },
      ),
    ).toEqual({ file: 'prod/api.yaml', text: manifest('api:1', 5) });
  });

  it('returns by the images of a kustomization', () => {
    const api = { 'prod/api.yaml': manifest('api:0') };
    expect(
      restored(
        { ...api, 'prod/kustomization.yaml': withTag('2', 'namePrefix: ""\n') },
        { ...api, 'prod/kustomization.yaml': withTag('1') },
      ),
    ).toEqual({ file: 'prod/kustomization.yaml', text: withTag('1', 'namePrefix: ""\n') });
  });

  it('returns by a patch in a file of its own', () => {
    const rest = {
      'prod/api.yaml': manifest('api:1'),
      'prod/kustomization.yaml': 'resources:\n- api.yaml\npatches:\n- path: memory.yaml\n',
    };
    expect(
      restored({ ...rest, 'prod/memory.yaml': patch('2Gi') }, { ...rest, 'prod/memory.yaml': patch('1Gi') }),
    ).toEqual({ file: 'prod/memory.yaml', text: patch('1Gi') });
  });

  it('is refused where several files changed, at the manifest', () => {
    const rest = { 'prod/kustomization.yaml': 'resources:\n- api.yaml\npatches:\n- path: memory.yaml\n' };
    expect(
      restored(
        { ...rest, 'prod/api.yaml': manifest('api:2'), 'prod/memory.yaml': patch('2Gi') },
        { ...rest, 'prod/api.yaml': manifest('api:1'), 'prod/memory.yaml': patch('1Gi') },
      ),
    ).toMatchObject({ type: 'refusal', reason: 'not-verified', file: 'prod/api.yaml' });
  });

  it('returns by the manifest of today where the file has another name', () => {
    expect(
      restored(
        { 'prod/kustomization.yaml': 'resources: [api.yaml]\n', 'prod/api.yaml': manifest('api:2') },
        { 'prod/kustomization.yaml': 'resources: [old.yaml]\n', 'prod/old.yaml': manifest('api:1') },
      ),
    ).toEqual({ file: 'prod/api.yaml', text: manifest('api:1') });
  });

  it('is refused where a manifest became a build, or a build a manifest', () => {
    const plain = { 'prod/api.yaml': manifest('api:1') };
    const built = {
      'prod/kustomization.yaml': 'resources: [api.yaml]\n',
      'prod/api.yaml': manifest('api:2'),
    };
    const refusal = { type: 'refusal', reason: 'no-earlier-template', line: 1, file: 'prod/api.yaml' };
    expect(restored(built, plain)).toEqual(refusal);
    expect(restored(plain, built)).toEqual(refusal);
  });

  it('is refused where the template has not changed', () => {
    const files = {
      'prod/kustomization.yaml': 'resources: [api.yaml]\n',
      'prod/api.yaml': manifest('api:1'),
    };
    expect(restored(files, files)).toMatchObject({ reason: 'as-wanted', file: 'prod/api.yaml' });
  });

  it('is refused where the earlier manifest had none', () => {
    const kustomization = { 'prod/kustomization.yaml': 'resources: [api.yaml]\n' };
    const bare = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api}\nspec: {replicas: 1}\n';
    expect(
      restored(
        { ...kustomization, 'prod/api.yaml': manifest('api:1') },
        { ...kustomization, 'prod/api.yaml': bare },
      ),
    ).toMatchObject({ reason: 'shape', file: 'prod/api.yaml' });
  });

  it('is not brought back in a file that another build reads too', () => {
    const tree = (image: string): Files => ({
      'base/kustomization.yaml': 'resources: [api.yaml]\n',
      'base/api.yaml': manifest(image),
      'prod/kustomization.yaml': 'resources: [../base]\n',
      'staging/kustomization.yaml': 'resources: [../base]\n',
    });
    expect(restored(tree('api:2'), tree('api:1'))).toMatchObject({
      reason: 'shared-base',
      file: 'staging/kustomization.yaml',
    });
  });
});
