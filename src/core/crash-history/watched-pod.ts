import * as z from 'zod';
import { defaulted, type Immutable, list, maybe } from '../cluster/wire.js';

const Ended = z.object({
  exitCode: defaulted(z.number().int(), 0),
  signal: maybe(z.number().int()),
  reason: defaulted(z.string(), ''),
  startedAt: maybe(z.string()),
  finishedAt: maybe(z.string()),
});
const State = z
  .object({ running: maybe(z.object({ startedAt: maybe(z.string()) })), terminated: maybe(Ended) })
  .nullish()
  .transform((value) => value ?? { running: undefined, terminated: undefined });
const Status = z.object({
  name: z.string(),
  restartCount: defaulted(z.number().int().min(0), 0),
  state: State,
  lastState: State,
});

/**
 * The part of a Pod that the history is made of. Everything else is dropped here: what a program wrote (messages), what
 * it was given (environment, arguments) and all annotations never get further.
 */
export const WatchedPod = z.object({
  metadata: z.object({
    name: z.string(),
    namespace: z.string(),
    uid: z.string().min(1),
    creationTimestamp: maybe(z.string()),
    deletionTimestamp: maybe(z.string()),
    deletionGracePeriodSeconds: maybe(z.number()),
    labels: z
      .object({
        'pod-template-hash': maybe(z.string()),
        'controller-revision-hash': maybe(z.string()),
      })
      .nullish(),
    ownerReferences: list(z.object({ kind: z.string(), uid: z.string(), controller: maybe(z.boolean()) })),
  }),
  spec: z.object({
    nodeName: maybe(z.string()),
    initContainers: list(z.object({ name: z.string(), restartPolicy: maybe(z.string()) })),
  }),
  status: z
    .object({
      phase: maybe(z.string()),
      reason: maybe(z.string()),
      startTime: maybe(z.string()),
      conditions: list(z.object({ type: z.string(), status: maybe(z.string()) })),
      containerStatuses: list(Status),
      initContainerStatuses: list(Status),
    })
    .nullish(),
});
export type WatchedPod = Immutable<z.output<typeof WatchedPod>>;
export type WatchedStatus = Immutable<z.output<typeof Status>>;
export type WatchedEnd = Immutable<z.output<typeof Ended>>;
