import type { JsonObject } from '../json.js';
import {
  changeContainers,
  create,
  dayMinutes,
  deploymentObject,
  type IncidentSeed,
  namespaceObject,
} from './incident-seed.js';

const resources = { requests: { cpu: '250m', memory: '256Mi' }, limits: { memory: '256Mi' } };

const checkout = (image: string, timeout: string): JsonObject => ({
  name: 'checkout',
  image: `registry.example/shop/checkout:${image}`,
  env: [{ name: 'PAYMENT_TIMEOUT', value: timeout }],
  readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
  resources,
});

/** Deployment `shop/checkout`: its second revision does not understand a setting that came with it. */
export const checkoutAfterARollout: IncidentSeed = {
  workload: 'deploy/checkout -n shop',
  nodes: [],
  conduct: [
    {
      image: 'registry.example/shop/checkout:',
      env: { PAYMENT_TIMEOUT: '5' },
      ready: false,
      log: 'checkout 2.4.0\n',
      crash: {
        afterMs: 1_000,
        exitCode: 2,
        log: 'config: PAYMENT_TIMEOUT: time: missing unit in duration "5"\n',
      },
    },
  ],
  steps: [
    {
      minutesAgo: 2 * dayMinutes,
      happens(registry) {
        create(registry, namespaceObject('shop'));
        const name = { namespace: 'shop', name: 'checkout' };
        create(registry, deploymentObject(name, 4, checkout('2.3.1', '5s')));
      },
    },
    {
      minutesAgo: 18,
      happens(registry) {
        changeContainers(registry, 'shop', 'checkout', (container) => {
          Object.assign(container, checkout('2.4.0', '5'));
        });
      },
    },
  ],
};

const missing = 'registry.example/shop/worker:1.9.1';

/** Deployment `shop/worker`: somebody rolled out a tag that was never pushed. */
export const workerWithoutAnImage: IncidentSeed = {
  workload: 'deploy/worker -n shop',
  nodes: [],
  conduct: [
    {
      image: missing,
      pullError: `rpc error: code = NotFound desc = failed to pull and unpack image "${missing}": failed to resolve reference "${missing}": ${missing}: not found`,
    },
  ],
  steps: [
    {
      minutesAgo: 2 * dayMinutes,
      happens(registry) {
        create(registry, namespaceObject('shop'));
        const container = { name: 'worker', image: 'registry.example/shop/worker:1.9.0', resources };
        create(registry, deploymentObject({ namespace: 'shop', name: 'worker' }, 2, container));
      },
    },
    {
      minutesAgo: 12,
      happens(registry) {
        changeContainers(registry, 'shop', 'worker', (container) => {
          container.image = missing;
        });
      },
    },
  ],
};
