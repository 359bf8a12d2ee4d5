import * as z from 'zod';
import { ObjectMeta } from './metadata.js';
import { defaulted, type Immutable, list, maybe, stringMap } from './wire.js';

export const Service = z.object({
  kind: z.literal('Service').default('Service'),
  metadata: ObjectMeta,
  spec: z
    .object({ selector: stringMap, clusterIP: defaulted(z.string(), '') })
    .nullish()
    .transform((value) => value ?? { selector: {}, clusterIP: '' }),
});
export type Service = Immutable<z.output<typeof Service>>;

/** Names the Service of an EndpointSlice (`discovery/v1 LabelServiceName`). */
export const serviceNameLabel = 'kubernetes.io/service-name';

export const EndpointSlice = z.object({
  kind: z.literal('EndpointSlice').default('EndpointSlice'),
  metadata: ObjectMeta,
  endpoints: list(
    z.object({
      conditions: z
        .object({ ready: maybe(z.boolean()) })
        .nullish()
        // Unknown counts as ready (`discovery/v1 EndpointConditions`).
        .transform((value) => ({ ready: value?.ready ?? true })),
      targetRef: maybe(
        z.object({
          kind: defaulted(z.string(), ''),
          namespace: defaulted(z.string(), ''),
          name: defaulted(z.string(), ''),
        }),
      ),
    }),
  ),
});
export type EndpointSlice = Immutable<z.output<typeof EndpointSlice>>;
