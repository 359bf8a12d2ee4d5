import { quotaWithUsage } from '../admission/quota-usage.js';
import type { ApiObject } from '../api-object.js';
import { objectAt } from '../json.js';
import { requireResourceType } from '../resources/resource-types.js';
import { attempt, writeStatus } from './controller-writes.js';
import type { Loop } from './loop.js';

const quotas = requireResourceType('', 'resourcequotas');

/** The quota controller: `status.hard` and `status.used` of every ResourceQuota. */
export const quotaLoop: Loop = ({ registry, now }) => {
  for (const quota of registry.store.list(quotas.storage)) {
    const counted: ApiObject = quotaWithUsage(registry.store, quota, now());
    attempt(() => writeStatus(registry, quotas, quota, objectAt(counted, 'status')));
  }
};
