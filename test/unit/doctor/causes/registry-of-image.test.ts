import { describe, expect, it } from 'vitest';
import { blamedRegistry, registryOf } from '#src/doctor/causes/image-pull-failure/rule.js';

const image = 'registry.example/app';

describe('the registry of an image', () => {
  it.each([
    ['nginx', 'docker.io'],
    ['library/nginx:1.27', 'docker.io'],
    ['localhost/app', 'localhost'],
    ['registry.example/shop/worker:1.9.1', 'registry.example'],
    ['registry:5000/app@sha256:00', 'registry:5000'],
    ['quay.io/app', 'quay.io'],
    ['Intern/app', 'Intern'],
  ])('of %s is %s', (image, registry) => {
    expect(registryOf(image)).toBe(registry);
  });

  it.each(['architecture', 'invalid-name', 'never-pull', 'no-space'] as const)(
    'is not to blame for %s',
    (refusal) => {
      expect(blamedRegistry({ image, refusal, podsWithImage: [] })).toEqual({});
    },
  );

  it('is to blame where no pod has the image, and not where another one has it', () => {
    const refused = { image, refusal: 'unreachable', podsWithImage: [] } as const;

    expect(blamedRegistry(refused).blames).toEqual({ kind: 'Registry', name: 'registry.example' });
    expect(blamedRegistry({ ...refused, podsWithImage: ['app-1'] })).toEqual({});
  });
});
