import type { z } from 'zod';
import { Pod } from '#src/engine/objects/pod.js';

/** The reference of all times, in epoch seconds. */
export const start = Date.parse('2026-11-20T00:00:00Z') / 1000;

/** RFC3339, so many seconds after that moment. */
export function at(seconds: number): string {
  return new Date((start + seconds) * 1000).toISOString().replace('.000Z', 'Z');
}

type Wire = z.input<typeof Pod>;
export type StatusWire = NonNullable<NonNullable<Wire['status']>['containerStatuses']>[number];

export interface PodShape {
  readonly uid?: string;
  readonly name?: string;
  readonly node?: string;
  readonly revision?: string;
  readonly ownerKind?: string;
  readonly owner?: string;
  readonly statuses?: readonly StatusWire[];
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

/** A pod object of ReplicaSet `rs-1` on node `n-a`, born at the moment, with one running container `app`. */
export function podObject(shape: PodShape = {}): Record<string, unknown> {
  const { uid = '11111111-0000-4000-8000-000000000001', node = 'n-a', ownerKind = 'ReplicaSet' } = shape;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: shape.name ?? 'web-1-a',
      namespace: 'shop',
      uid,
      creationTimestamp: at(0),
      labels: { app: 'web', 'pod-template-hash': shape.revision ?? '1' },
      ownerReferences: [{ kind: ownerKind, name: 'web-1', uid: shape.owner ?? 'rs-1', controller: true }],
      ...shape.metadata,
    },
    spec: { nodeName: node, containers: [{ name: 'app', image: 'registry.example/web:1' }], ...shape.spec },
    status: {
      phase: 'Running',
      startTime: at(0),
      containerStatuses: shape.statuses ?? [running(0)],
      ...shape.status,
    },
  };
}

export function watched(shape: PodShape = {}): Pod {
  return Pod.parse(podObject(shape));
}

export interface End {
  readonly from: number;
  readonly to: number;
  readonly exitCode?: number;
  readonly reason?: string;
}

function terminated({ from, to, exitCode = 1, reason = 'Error' }: End) {
  return { terminated: { exitCode, reason, startedAt: at(from), finishedAt: at(to) } };
}

/** Running since then, after the former end. */
export function running(restartCount: number, since = 0, former?: End): StatusWire {
  return {
    name: 'app',
    restartCount,
    state: { running: { startedAt: at(since) } },
    ...(former === undefined ? {} : { lastState: terminated(former) }),
  };
}

/** In back-off: the run that ended still counts. */
export function waiting(restartCount: number, former: End): StatusWire {
  return { name: 'app', restartCount, state: {}, lastState: terminated(former) };
}

export function ended(restartCount: number, end: End, former?: End): StatusWire {
  return {
    name: 'app',
    restartCount,
    state: terminated(end),
    ...(former === undefined ? {} : { lastState: terminated(former) }),
  };
}
