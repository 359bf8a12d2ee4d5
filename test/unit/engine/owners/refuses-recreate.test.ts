import { describe, expect, it } from 'vitest';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import { refusesRecreate } from '#src/engine/owners/declaration.js';
import {
  defaulted,
  deployment,
  entry,
  helm,
  kustomized,
  type ObjectOptions,
  tracked,
  typeOnly,
  wholeStrategy,
  withoutStrategy,
} from './builders.js';

const flux = (managedFields: readonly object[], strategy?: object): ObjectOptions => ({
  labels: kustomized,
  managedFields,
  ...(strategy === undefined ? {} : { strategy }),
});

describe('an apply of Recreate', () => {
  it.each<[string, ObjectOptions]>([
    ['Flux declares no strategy', flux([entry('kustomize-controller', 'Apply', withoutStrategy)])],
    ['Flux declares the type alone', flux([entry('kustomize-controller', 'Apply', typeOnly)])],
    ['the entry of Flux is missing', flux([])],
    [
      'another client owns the counts as well',
      flux([
        entry('kustomize-controller', 'Apply', wholeStrategy),
        entry('rollout-doctor', 'Update', wholeStrategy),
      ]),
    ],
    [
      'Argo CD applies server-side',
      { annotations: tracked, managedFields: [entry('argocd-controller', 'Apply', withoutStrategy)] },
    ],
    ['Helm 4 applies server-side', { ...helm, managedFields: [entry('helm', 'Apply', withoutStrategy)] }],
    ['kubectl applies server-side', { managedFields: [entry('kubectl', 'Apply', withoutStrategy)] }],
  ])('is refused where %s', (_, options) => {
    expect(refusesRecreate(deployment(options))).toBe(true);
  });

  it.each<[string, ObjectOptions]>([
    ['nobody else writes the workload', {}],
    ['only Flux owns the counts', flux([entry('kustomize-controller', 'Apply', wholeStrategy)])],
    ['the live strategy is Recreate already', flux([], { type: 'Recreate' })],
    [
      'Argo CD applies client-side',
      { annotations: tracked, managedFields: [entry('argocd-controller', 'Update', defaulted)] },
    ],
    ['Helm 3 applies', { ...helm, managedFields: [entry('helm', 'Update', defaulted)] }],
  ])('is accepted where %s', (_, options) => {
    expect(refusesRecreate(deployment(options))).toBe(false);
  });

  it('is not asked about in a workload without such a strategy', () => {
    const set = schemas.StatefulSet.parse({
      metadata: { name: 'inference', namespace: 'ml', uid: 'u', labels: kustomized },
      spec: { selector: {}, template: {} },
    });
    expect(refusesRecreate(set)).toBe(false);
  });
});
