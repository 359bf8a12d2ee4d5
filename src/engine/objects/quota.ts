import * as z from 'zod';
import { ObjectMeta } from './metadata.js';
import { defaulted, type Immutable, list, maybe, resourceList } from './wire.js';

export const ResourceQuota = z.object({
  kind: z.literal('ResourceQuota').default('ResourceQuota'),
  metadata: ObjectMeta,
  spec: z
    .object({
      hard: resourceList,
      scopes: list(z.string()),
      scopeSelector: maybe(
        z.object({
          matchExpressions: list(
            z.object({ scopeName: z.string(), operator: z.string(), values: list(z.string()) }),
          ),
        }),
      ),
    })
    .nullish()
    .transform((value) => value ?? { hard: {}, scopes: [], scopeSelector: undefined }),
  status: z
    .object({ hard: resourceList, used: resourceList })
    .nullish()
    .transform((value) => value ?? { hard: {}, used: {} }),
});
export type ResourceQuota = Immutable<z.output<typeof ResourceQuota>>;

/** Defaults and bounds that admission applies to new pods. */
export const LimitRange = z.object({
  kind: z.literal('LimitRange').default('LimitRange'),
  metadata: ObjectMeta,
  spec: z.object({
    limits: list(
      z.object({
        type: z.string(),
        max: resourceList,
        min: resourceList,
        default: resourceList,
        defaultRequest: resourceList,
        maxLimitRequestRatio: resourceList,
      }),
    ),
  }),
});
export type LimitRange = Immutable<z.output<typeof LimitRange>>;

export const PriorityClass = z.object({
  kind: z.literal('PriorityClass').default('PriorityClass'),
  metadata: ObjectMeta,
  value: defaulted(z.number(), 0),
  globalDefault: defaulted(z.boolean(), false),
  preemptionPolicy: maybe(z.string()),
});
export type PriorityClass = Immutable<z.output<typeof PriorityClass>>;
