import { describe, expect, it } from 'vitest';
import { ownerSourceOf } from '#src/doctor/git-edits/owner-source.js';
import { Application } from '#src/engine/objects/gitops.js';
import type { OwnerObjects } from '#src/engine/owners/owner-objects.js';

const commit = 'a'.repeat(40);
const newer = 'b'.repeat(40);
const metadata = { name: 'shop', namespace: 'tools' };
const source = { repoURL: 'https://github.com/acme/deploy.git', path: 'prod', targetRevision: 'main' };
const synced = { sync: { status: 'Synced', revision: commit } };
const found = (owners: OwnerObjects) =>
  ownerSourceOf(owners, [{ host: 'github.com', repositories: ['acme/deploy'] }]);

describe('the source of an Application that holds values itself', () => {
  const helm = { valuesObject: { replicas: 1, image: { tag: 'a' } } };
  const objects = (spec: object, status: object = synced) => ({
    type: 'found' as const,
    object: Application.parse({ metadata, spec, status }),
  });
  const parent = objects(
    { source: { ...source, path: 'apps' } },
    { sync: { status: 'Synced', revision: newer } },
  );
  const holding = (more: object = {}, above: OwnerObjects['parent'] = parent): OwnerObjects => ({
    application: objects({ source: { ...source, path: 'charts/web', helm, ...more } }),
    parent: above,
  });
  const holder = {
    apiGroup: 'argoproj.io',
    kind: 'Application',
    namespace: 'tools',
    name: 'shop',
    field: ['spec', 'source', 'helm', 'valuesObject'],
  };
  const folder = { repository: 'acme/deploy', branch: 'main', path: 'charts/web', revision: commit };

  it('is where its parent declares it, with the chart of its own', () => {
    expect(found(holding())).toEqual({
      type: 'found',
      target: {
        repository: 'acme/deploy',
        branch: 'main',
        path: 'apps',
        revision: newer,
        isFlat: true,
        chart: expect.objectContaining({ folder, holder, files: [], overrides: [] }),
      },
    });
  });

  it('keeps what counts more than its values', () => {
    const parameters = [{ name: 'image.tag', value: 'b' }];
    expect(found(holding({ helm: { ...helm, parameters } }))).toMatchObject({
      target: { chart: { holder, overrides: [{ by: 'helm.parameters', path: ['image', 'tag'] }] } },
    });
  });

  it.each<[string, OwnerObjects]>([
    ['holds no values', holding({ helm: { valueFiles: ['prod.yaml'] } })],
    ['has no parent', { application: holding().application }],
    ['has a parent that cannot be read', holding({}, { type: 'unread', because: 'forbidden' })],
    [
      'has a parent of another host',
      holding({}, objects({ source: { ...source, repoURL: 'https://git.example/a/b' } })),
    ],
    [
      'has a parent that is a chart',
      holding({}, objects({ source: { ...source, path: 'charts/apps', helm } })),
    ],
    [
      'has a parent with several sources',
      holding(
        {},
        objects(
          { sources: [source, { ...source, path: 'more' }] },
          {
            sync: { status: 'Synced', revisions: [commit, commit] },
          },
        ),
      ),
    ],
  ])('is its own where it %s', (_, owners) => {
    const own = found(owners);
    expect(own).toMatchObject({ type: 'found', target: { chart: { folder } } });
    expect(own).not.toMatchObject({ target: { chart: { holder: expect.anything() } } });
  });

  it('is refused where the Application itself cannot be read, or is missing', () => {
    expect(found({ application: { type: 'unread', because: 'forbidden' }, parent })).toEqual({
      type: 'refused',
      because: 'unread',
      detail: 'forbidden',
      owner: 'Application',
    });
    expect(found({ application: { type: 'missing' } as never, parent })).toMatchObject({
      because: 'missing',
      owner: 'Application',
    });
  });
});
