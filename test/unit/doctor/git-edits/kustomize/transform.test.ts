import { describe, expect, it } from 'vitest';
import { readKustomization } from '#src/doctor/git-edits/kustomize/kustomization-file.js';
import { transformed } from '#src/doctor/git-edits/kustomize/transform.js';

const imaged = (image: unknown) => ({
  kind: 'Deployment',
  metadata: { name: 'api' },
  spec: { replicas: 1, template: { spec: { containers: [{ name: 'app', image }] } } },
});

function built(kustomization: string, object: object = imaged('api:1'), names: readonly string[] = ['api']) {
  const path = 'kustomization.yaml';
  const file = readKustomization({ path, text: kustomization, sha: '', size: 1, mode: '100644' } as never);
  if (file === undefined) throw new Error('not read');
  return transformed(object as never, file.content, names);
}
const imageOf = (image: unknown, entry: string): unknown =>
  (built(`images:\n- ${entry}\n`, imaged(image)) as ReturnType<typeof imaged>).spec.template.spec
    .containers[0]?.image;

describe('the images of a kustomization', () => {
  it.each([
    ['api:1', '{name: api, newTag: "2"}', 'api:2'],
    ['api', '{name: api, newTag: "2"}', 'api:2'],
    ['api:1', '{name: api, newTag: 2}', 'api:2'],
    ['api:1', '{name: api, newName: eu/api}', 'eu/api:1'],
    ['api:1', '{name: api, newName: eu/api, newTag: "3"}', 'eu/api:3'],
    ['api:1', '{name: api, digest: "sha256:aa"}', 'api@sha256:aa'],
    ['api:1', '{name: api, newTag: "2", digest: "sha256:aa"}', 'api@sha256:aa'],
    ['api@sha256:bb', '{name: api, newTag: "2"}', 'api:2'],
    ['api@sha256:bb', '{name: api, newName: eu/api}', 'eu/api@sha256:bb'],
    ['api:1@sha256:bb', '{name: api, newName: eu/api}', 'eu/api:1@sha256:bb'],
    ['registry:5000/api:1', '{name: "registry:5000/api", newTag: "2"}', 'registry:5000/api:2'],
    ['registry:5000/api', '{name: "registry:5000/api", newTag: "2"}', 'registry:5000/api:2'],
    ['registry/api:1', '{name: api, newTag: "2"}', 'registry/api:1'],
    ['api-v2:1', '{name: api, newTag: "2"}', 'api-v2:1'],
    [undefined, '{name: api, newTag: "2"}', undefined],
    [7, '{name: api, newTag: "2"}', 7],
  ])('make %j with %s into %j', (image, entry, expected) => {
    expect(imageOf(image, entry)).toBe(expected);
  });

  it('are set one after the other, also in init containers', () => {
    const object = {
      metadata: { name: 'api' },
      spec: {
        template: { spec: { initContainers: [{ image: 'a:1' }], containers: ['odd', { image: 'b:1' }] } },
      },
    };
    const entries = 'images:\n- {name: a, newName: b}\n- {name: b, newTag: "9"}\n';
    expect(built(entries, object)).toEqual({
      ...object,
      spec: {
        template: { spec: { initContainers: [{ image: 'b:9' }], containers: ['odd', { image: 'b:9' }] } },
      },
    });
  });
});

describe('the other fields of a kustomization', () => {
  it('change nothing where there are none', () => {
    expect(built('resources: []\n')).toEqual(imaged('api:1'));
  });

  it('set the namespace, and a prefix and a suffix around the name', () => {
    expect(built('namespace: eu\nnamePrefix: a-\nnameSuffix: -z\n').metadata).toEqual({
      name: 'a-api-z',
      namespace: 'eu',
    });
  });

  it('set the replicas of the workload that had the name once', () => {
    const count = (names: readonly string[]): unknown =>
      (built('replicas:\n- {name: api, count: 4}\n', imaged('api:1'), names) as ReturnType<typeof imaged>)
        .spec.replicas;
    expect(count(['api'])).toBe(4);
    expect(count(['api', 'eu-api'])).toBe(4);
    expect(count(['web'])).toBe(1);
  });

  it('add annotations to the workload and to its pods', () => {
    const object = {
      metadata: { name: 'api', annotations: { a: '1', b: '1' } },
      spec: { template: { spec: {} } },
    };
    expect(built('commonAnnotations: {b: "2"}\n', object)).toEqual({
      metadata: { name: 'api', annotations: { a: '1', b: '2' } },
      spec: { template: { spec: {}, metadata: { annotations: { b: '2' } } } },
    });
  });

  const object = { metadata: { name: 'api' }, spec: { template: {} } };
  const pairs = { team: 'shop' };
  it.each<[string, string, object, object]>([
    ['labels of the workload alone', 'labels:\n- pairs: {team: shop}\n', { template: {} }, pairs],
    [
      'labels of the pods too',
      'labels:\n- {pairs: {team: shop}, includeTemplates: true}\n',
      { template: { metadata: { labels: pairs } } },
      pairs,
    ],
    [
      'labels of the selector and so of the pods',
      'labels:\n- {pairs: {team: shop}, includeSelectors: true}\n',
      { template: { metadata: { labels: pairs } }, selector: { matchLabels: pairs } },
      pairs,
    ],
    [
      'labels that are common to all',
      'commonLabels: {team: shop}\n',
      { template: { metadata: { labels: pairs } }, selector: { matchLabels: pairs } },
      pairs,
    ],
  ])('add %s', (_, kustomization, spec, labels) => {
    expect(built(kustomization, object)).toEqual({ metadata: { name: 'api', labels }, spec });
  });
});
