import type { JsonObject } from '../../../demo/cluster/json.js';

/** A Deployment that is scaled to nothing, so that nothing can be wrong with it. */
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
