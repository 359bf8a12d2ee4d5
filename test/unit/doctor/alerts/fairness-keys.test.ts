import { expect, it } from 'vitest';
import { fairnessKeyOfAlert } from '#src/doctor/alerts/label-names.js';
import { buildAlert } from '../../../support/alert-builders.js';

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
])('an alert has the fairness key of %s', (_, labels, expected) => {
  expect(fairnessKeyOfAlert(buildAlert({ labels }))).toBe(expected);
});
