import { expect, it } from 'vitest';
import { shareOfAlert } from '../../../../src/core/alert/share-of-alert.js';
import { buildAlert } from './build.js';

it.each([
  ['its namespace', { namespace: 'shop' }, '/shop'],
  ['its cluster and namespace', { cluster: 'prod', namespace: 'shop' }, 'prod/shop'],
  [
    "the object's namespace, not the exporter's",
    { namespace: 'monitoring', exported_namespace: 'shop' },
    '/shop',
  ],
  ['its source, without a namespace', { node: 'n1' }, 'alertmanager'],
  ['its source, where the namespace is none', { namespace: 'no such/Name' }, 'alertmanager'],
])('an alert takes the share of %s', (_, labels, expected) => {
  expect(shareOfAlert(buildAlert({ labels }))).toBe(expected);
});
