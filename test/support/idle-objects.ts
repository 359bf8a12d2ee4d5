import type { JsonObject } from '../../demo/cluster/json.js';

/** A Deployment with zero replicas, which is always healthy. */
export function idle(name: string, fields: { readonly namespace?: string; readonly image?: string } = {}) {
  const { namespace = 'shop', image = 'registry.example/idle:1' } = fields;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image }] } },
    },
  } satisfies JsonObject;
}

/** An irrelevant Event. */
export function noise(name: string) {
  const at = new Date().toISOString();
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: 'shop', uid: `uid-${name}`, creationTimestamp: at },
    involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'none' },
    reason: 'Noise',
    message: 'nothing of note',
    type: 'Normal',
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
    source: { component: 'test' },
  } satisfies JsonObject;
}
