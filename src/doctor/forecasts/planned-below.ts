import { isKserveKind } from '../../engine/objects/inference-service.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { isObject, type JsonObject } from '../../engine/objects/wire.js';
import { apiVersionOf, WorkloadKind } from '../../engine/objects/workload.js';
import { ownerFieldsOf } from '../../engine/parents/parent-resource.js';
import { valueAt } from '../fixes/owner-target.js';
import { deploymentsOf, type KserveManifest } from './planned-kserve.js';
import type { Manifest } from './planned-workload.js';

/** A manifest of a workload, or of an object above it. */
export interface DeclaredManifest {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly raw: JsonObject;
}

/**
 * The workload of the snapshot as the manifest makes it: its own, or that of the object above it, whose
 * controller makes the workload. `undefined` where it is not known what the controller would make.
 */
export function plannedManifest(
  { kind, namespace, name, raw }: DeclaredManifest,
  snapshot: Snapshot,
): Manifest | undefined {
  const { workload, index } = snapshot;
  if (!isKserveKind(kind)) {
    const own = WorkloadKind.safeParse(kind);
    return own.success ? { kind: own.data, namespace, name, raw } : undefined;
  }
  const manifest = { kind, namespace, name, raw };
  if (workload.kind === 'LeaderWorkerSet') return groupsOf(manifest, snapshot);
  return deploymentsOf(manifest, index).find((each) => each.name === workload.metadata.name);
}

/** The present LeaderWorkerSet with the bounds that the manifest declares. Its pods are not planned. */
function groupsOf(owner: KserveManifest, { workload }: Snapshot): Manifest | undefined {
  if (workload.kind !== 'LeaderWorkerSet') return undefined;
  const { kind, metadata, spec } = workload;
  const { namespace, name } = metadata;
  const path = ownerFieldsOf(owner, { kind, name })?.strategy;
  const declared = path && valueAt(owner.raw, path);
  if (!isObject(declared)) return undefined;
  const { type, rollingUpdateConfiguration } = spec.rolloutStrategy;
  const { replicas, leaderWorkerTemplate, startupPolicy, networkConfig } = spec;
  const raw = {
    apiVersion: apiVersionOf(kind),
    kind,
    metadata: { namespace, name, labels: metadata.labels },
    spec: {
      replicas,
      startupPolicy,
      networkConfig,
      leaderWorkerTemplate: leaderWorkerTemplate.raw,
      rolloutStrategy: {
        type,
        rollingUpdateConfiguration: { ...rollingUpdateConfiguration, ...declared },
      },
    },
  };
  return { kind, namespace, name, raw };
}
