interface Parts {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

/** As the scheduler writes it on a pod that it cannot place. */
export const refused = (message: string) => ({
  type: 'PodScheduled',
  status: 'False',
  reason: 'Unschedulable',
  message,
  lastTransitionTime: '2026-11-20T09:00:00Z',
});

export const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-11-20T09:00:00Z' };

/** A pod of `shop/web` that no node can run, with the changes of a test. */
export function pod({ metadata, spec, status }: Parts = {}) {
  return {
    kind: 'Pod',
    metadata: {
      name: 'web-5c96-a',
      namespace: 'shop',
      resourceVersion: '7',
      ownerReferences: [{ kind: 'ReplicaSet', name: 'web-5c96', uid: 'rs-1', controller: true }],
      ...metadata,
    },
    spec: { ...spec },
    status: {
      phase: 'Pending',
      conditions: [refused('0/3 nodes are available: 3 Insufficient cpu.')],
      ...status,
    },
  };
}

export function event(reason: string, message: string, involvedObject: object) {
  return {
    kind: 'Event',
    metadata: { name: 'e1', namespace: 'shop', resourceVersion: '8' },
    involvedObject,
    reason,
    message,
    firstTimestamp: '2026-11-20T09:00:00Z',
    lastTimestamp: '2026-11-20T09:10:00Z',
  };
}
