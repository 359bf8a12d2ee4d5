import { describe, expect, it } from 'vitest';
import { editInTree, inPlace, workload } from '../../../../support/edit-in-tree.js';
import { acceptedTrees, refusedTrees } from '../../../../support/kustomize-trees.js';

// `test/cluster/kustomize-refusals.nightly.test.ts` gives the same trees to the real Kustomize.
describe('a build that Kustomize refuses', () => {
  it.each(Object.entries(refusedTrees))('is not edited: %s', (_, files) => {
    expect(editInTree(files, 'prod')).toMatchObject({ type: 'refusal' });
  });

  it.each(Object.entries(acceptedTrees))('is not mistaken for one that it accepts: %s', (_, files) => {
    expect(editInTree(files, 'prod')).toMatchObject({ type: 'edited' });
  });

  it('is named with what it reads outside its folder', () => {
    expect(editInTree(refusedTrees['a resource file outside the folder'] ?? {}, 'prod')).toMatchObject({
      reason: 'not-built',
      file: 'prod/kustomization.yaml',
      detail: '../api.yaml',
    });
  });
});

describe('a build of an owner that allows files outside the folder', () => {
  const edit = (name: string) => editInTree(refusedTrees[name] ?? {}, 'prod', inPlace, workload, true);

  it.each([
    'a resource file outside the folder',
    'a patch file outside the folder',
    'a file outside the folder of the base',
    'a generator file outside the folder',
  ])('is edited with %s', (name) => {
    expect(edit(name)).toMatchObject({ type: 'edited' });
  });

  it.each(['a base above the folder', 'a resource that does not exist', 'a patch that does not exist'])(
    'is refused with %s',
    (name) => {
      expect(edit(name)).toMatchObject({ type: 'refusal' });
    },
  );
});
