import { describe, expect, it } from 'vitest';
import { selectorQuery } from '#src/engine/objects/label-selector.js';
import { RayService } from '#src/engine/objects/ray-service.js';

const config = {
  headGroupSpec: { template: {} },
  workerGroupSpecs: [
    { groupName: 'gpu', replicas: 2, template: {} },
    { groupName: 'slices', replicas: 3, numOfHosts: 4, template: {} },
    { groupName: 'off', replicas: 5, suspend: true, template: {} },
    { groupName: 'least', minReplicas: 1, template: {} },
  ],
};

function serviceWith(active: string, pending: string, applications: object = {}) {
  return RayService.parse({
    metadata: { namespace: 'shop', name: 'llm' },
    spec: { rayClusterConfig: config },
    status: {
      activeServiceStatus: { rayClusterName: active },
      pendingServiceStatus: { rayClusterName: pending, applicationStatuses: applications },
    },
  });
}

describe('the RayClusters of a RayService', () => {
  it.each([
    ['serves alone', 'a', '', { next: undefined, former: [], kept: ['a'] }],
    ['serves beside a pending one', 'a', 'b', { next: 'b', former: ['a'], kept: [] }],
    ['is the first and pending', '', 'b', { next: 'b', former: [], kept: [] }],
    ['is not known', '', '', { next: undefined, former: [], kept: [] }],
  ])('are its revisions where one %s', (_, active, pending, expected) => {
    const { next, former, kept } = serviceWith(active, pending).revisions;

    expect({ next, former, kept }).toEqual(expected);
  });

  it.each([
    ['no application is reported', {}, false],
    ['one is being deployed', { a: { status: 'RUNNING' }, b: { status: 'DEPLOYING' } }, false],
    ['all of them run', { a: { status: 'RUNNING' }, b: { status: 'RUNNING' } }, true],
  ])('switch where %s', (_, applications, isSwitching) => {
    expect(serviceWith('a', 'b', applications).revisions.isSwitching).toBe(isSwitching);
  });

  it('have the pods of their head and of all hosts of their workers', () => {
    const { parts, spec } = serviceWith('a', 'b');

    expect(parts.map(({ name, count }) => [name, count])).toEqual([
      ['headgroup', 1],
      ['gpu', 2],
      ['slices', 12],
      ['off', 0],
      ['least', 1],
    ]);
    expect(spec.replicas).toBe(16);
    expect(selectorQuery(spec.selector)).toBe('ray.io/cluster in (b,a)');
  });
});
