import { controllerRevisionHashLabel } from '#src/engine/workloads/controller-revisions.js';
import type { ApiObject } from '../api-object.js';
import { copy, type JsonObject, numberAt, objectAt, textMapAt } from '../json.js';
import { createObject } from '../registry/create-object.js';
import type { Registry } from '../registry/registry.js';
import type { ResourceType } from '../resources/resource-type.js';
import { requireResourceType } from '../resources/resource-types.js';
import {
  attempt,
  controllerReference,
  controllerWriter,
  templateHash,
  writeFields,
} from './controller-writes.js';

const revisions = requireResourceType('apps', 'controllerrevisions');

/** Makes the ControllerRevision of the workload's template, or raises the one that holds it to the newest. */
export function ensureRevision(
  registry: Registry,
  type: ResourceType,
  workload: ApiObject,
  existing: string | undefined,
  labelsOf: (name: string, hash: string) => Readonly<Record<string, string>>,
): void {
  const { namespace = 'default', name } = workload.metadata;
  const owned = registry.store
    .list(revisions.storage)
    .filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === workload.metadata.uid));
  const newest = Math.max(0, ...owned.map((revision) => numberAt(revision, 'revision') ?? 0));
  const known = owned.find(({ metadata }) => metadata.name === existing);
  if (known !== undefined) {
    if (numberAt(known, 'revision') !== newest) {
      writeFields(registry, revisions, known, [[['revision'], newest + 1]]);
    }
    return;
  }
  const template = copy(objectAt(workload, 'spec', 'template'));
  const hash = templateHash(template);
  const revisionName = `${name}-${hash}`;
  const body: JsonObject = {
    metadata: {
      name: revisionName,
      labels: { ...textMapAt(template, 'metadata', 'labels'), ...labelsOf(revisionName, hash) },
      ownerReferences: [controllerReference(type, workload)],
    },
    data: { spec: { template: { ...template, $patch: 'replace' } } },
    revision: newest + 1,
  };
  attempt(() => createObject(registry, revisions, namespace, body, controllerWriter));
}

/** StatefulSet pods are labelled with the revision's name, DaemonSet pods with its hash. */
export function revisionLabels(value: string): Readonly<Record<string, string>> {
  return { [controllerRevisionHashLabel]: value };
}
