import { isObject } from '../../../engine/objects/wire.js';
import { unstatedDifference } from '../../../engine/workloads/template-equality.js';
import type { KnownObject, TextObject } from './described-kind.js';

const revisionKey = 'deployment.kubernetes.io/revision';
const hashLabel = 'pod-template-hash';

/**
 * Two templates that differ only in what descriptions leave out look equal. Which ReplicaSet is the new one
 * is stated: by the Deployment's description, else by equal revisions. The new one has the Deployment's
 * template, and the templates of the others differ from it.
 */
export function alignTemplates(
  objects: readonly TextObject[],
  known: readonly KnownObject[],
): readonly TextObject[] {
  const deployments = new Map<
    string,
    { readonly template: unknown; readonly newest: string | undefined; readonly revision: string | undefined }
  >();
  for (const { kind, namespace, name, template } of known) {
    if (kind !== 'Deployment' || template === undefined) continue;
    deployments.set(`${namespace}/${name}`, {
      template: template.raw,
      newest: undefined,
      revision: template.revision,
    });
  }
  for (const { kind, metadata, spec, newReplicaSet } of objects) {
    if (kind !== 'Deployment' || !isObject(spec)) continue;
    const newest = typeof newReplicaSet === 'string' ? newReplicaSet : undefined;
    deployments.set(`${metadata.namespace}/${metadata.name}`, {
      template: spec.template,
      newest,
      revision: revisionOf(metadata),
    });
  }
  return objects.map((object) => {
    const { kind, metadata, spec } = object;
    const owner = kind === 'ReplicaSet' ? deploymentAbove(metadata) : undefined;
    const above = owner === undefined ? undefined : deployments.get(`${metadata.namespace}/${owner}`);
    if (above === undefined || !isObject(spec) || !isObject(spec.template)) return object;
    const isNew =
      above.newest === undefined
        ? above.revision !== undefined && above.revision === revisionOf(metadata)
        : above.newest === metadata.name;
    const template =
      isNew && isObject(above.template)
        ? withHash(above.template, hashOf(spec.template))
        : withMark(spec.template, metadata.name);
    return { ...object, spec: { ...spec, template } };
  });
}

function deploymentAbove({ ownerReferences }: TextObject['metadata']): string | undefined {
  if (!Array.isArray(ownerReferences)) return undefined;
  const owner = ownerReferences.find((each: unknown) => isObject(each) && each.kind === 'Deployment');
  return isObject(owner) && typeof owner.name === 'string' ? owner.name : undefined;
}

function revisionOf({ annotations }: TextObject['metadata']): string | undefined {
  const revision = isObject(annotations) ? annotations[revisionKey] : undefined;
  return typeof revision === 'string' ? revision : undefined;
}

function hashOf(template: Readonly<Record<string, unknown>>): unknown {
  const labels = isObject(template.metadata) ? template.metadata.labels : undefined;
  return isObject(labels) ? labels[hashLabel] : undefined;
}

function withHash(template: Readonly<Record<string, unknown>>, hash: unknown): object {
  if (hash === undefined) return template;
  const metadata = isObject(template.metadata) ? template.metadata : {};
  const labels = isObject(metadata.labels) ? metadata.labels : {};
  return { ...template, metadata: { ...metadata, labels: { ...labels, [hashLabel]: hash } } };
}

/** Two templates are equal only when their specs are. */
function withMark(template: Readonly<Record<string, unknown>>, mark: string): object {
  return {
    ...template,
    spec: { ...(isObject(template.spec) ? template.spec : {}), [unstatedDifference]: mark },
  };
}
