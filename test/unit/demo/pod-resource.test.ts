import { describe, expect, it } from 'vitest';
import { isPodResource } from '../../../demo/cluster/admission/pod-resource.js';

describe('a resource of a quota', () => {
  it.each([
    'pods',
    'count/pods',
    'cpu',
    'requests.memory',
    'limits.ephemeral-storage',
    'hugepages-2Mi',
    'requests.hugepages-2Mi',
    'requests.nvidia.com/gpu',
    'requests.deviceclass.resource.kubernetes.io/gpu',
  ])('is used up by pods: %s', (name) => {
    expect(isPodResource(name)).toBe(true);
  });

  it.each(['services', 'count/services', 'requests.storage', 'nvidia.com/gpu', 'limits.nvidia.com/gpu'])(
    'is not used up by pods: %s',
    (name) => {
      expect(isPodResource(name)).toBe(false);
    },
  );
});
