import { describe, expect, it } from 'vitest';
import { type Ownership, ownershipOf } from '#src/engine/owners/declaration.js';
import { parseTrackingId } from '#src/engine/owners/writers.js';
import { affinity, container, requiredAffinity, wholeStrategy } from './builders.js';

describe('the fields that an entry of managedFields owns', () => {
  const image = 'spec.template.spec.containers[app].image';
  it.each<[string, object, string, Ownership]>([
    ['a leaf', wholeStrategy, 'spec.strategy.type', 'whole'],
    ['a struct with some of its fields', wholeStrategy, 'spec.strategy', 'partly'],
    ['a missing branch', wholeStrategy, 'spec.paused', 'none'],
    ['a field of an item by its merge key', container, image, 'whole'],
    ['an item itself', container, 'spec.template.spec.containers[app]', 'whole'],
    ['a field of another item', container, 'spec.template.spec.containers[other].image', 'none'],
    ['an atomic struct', affinity, requiredAffinity, 'whole'],
    ['what is below an atomic struct', affinity, `${requiredAffinity}.nodeSelectorTerms`, 'whole'],
    [
      'what is below a struct that was declared empty',
      { 'f:template': { 'f:spec': { 'f:affinity': {} } } },
      requiredAffinity,
      'none',
    ],
    [
      'a key with dots of a map',
      { 'f:template': { 'f:metadata': { 'f:annotations': { 'f:a.b/c': {} } } } },
      'spec.template.metadata.annotations[a.b/c]',
      'whole',
    ],
    [
      'an item whose merge key is not its name',
      {
        'f:template': {
          'f:spec': {
            'f:containers': {
              'k:{"name":"app"}': { 'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {} } } },
            },
          },
        },
      },
      'spec.template.spec.containers[app].ports[http].containerPort',
      'partly',
    ],
    ['a broken merge key', { 'f:strategy': { 'k:{': {} } }, 'spec.strategy.type', 'none'],
  ])('%s', (_, spec, path, ownership) => {
    expect(ownershipOf({ 'f:spec': spec }, path)).toBe(ownership);
  });

  it('are none without fieldsV1', () => {
    expect(ownershipOf(undefined, 'spec.paused')).toBe('none');
  });
});

describe('a tracking id', () => {
  it.each([
    '',
    'shop',
    'shop:apps/Deployment',
    'shop:apps/Deployment:ml',
    'shop:Deployment:ml/web',
    'shop:apps/Deployment:ml/web:more',
    'shop:apps/v1/Deployment:ml/web',
    ':apps/Deployment:ml/web',
  ])('is not %j', (text) => {
    expect(parseTrackingId(text)).toBeUndefined();
  });
});
