import { isObject, type JsonObject } from '../../../engine/objects/wire.js';
import type { KustomizationContent } from './kustomization-file.js';

/**
 * A workload after the fields of one kustomization, in the order of Kustomize (`kusttarget_configplugin.go`):
 * namespace, prefix, suffix, labels, annotations, replicas, images.
 *
 * @param names of the workload so far, the original one first
 */
export function transformed(
  object: JsonObject,
  content: KustomizationContent,
  names: readonly string[],
): JsonObject {
  const { namespace, namePrefix, nameSuffix, commonAnnotations } = content;
  let result = object;
  if (namespace !== '') result = setAt(result, ['metadata', 'namespace'], namespace);
  const name = scalarText(valueAt(result, ['metadata', 'name']));
  result = setAt(result, ['metadata', 'name'], `${namePrefix}${name}${nameSuffix}`);
  result = labelled(result, content);
  for (const path of [metadataAnnotations, ['spec', 'template', ...metadataAnnotations]]) {
    result = addedAt(result, path, commonAnnotations);
  }
  for (const { name: of, count } of content.replicas) {
    if (names.includes(of)) result = setAt(result, ['spec', 'replicas'], count);
  }
  for (const field of ['initContainers', 'containers']) {
    const containers = valueAt(result, ['spec', 'template', 'spec', field]);
    if (!Array.isArray(containers) || content.images.length === 0) continue;
    const changed = containers.map((container: unknown) => withImage(container, content.images));
    result = setAt(result, ['spec', 'template', 'spec', field], changed);
  }
  return result;
}

const metadataAnnotations = ['metadata', 'annotations'];
const metadataLabels = ['metadata', 'labels'];
const templateLabels = ['spec', 'template', ...metadataLabels];
const selectorLabels = ['spec', 'selector', 'matchLabels'];

function labelled(object: JsonObject, { labels, commonLabels }: KustomizationContent): JsonObject {
  const all = { pairs: commonLabels, includeSelectors: true, includeTemplates: true };
  let result = object;
  for (const { pairs, includeSelectors, includeTemplates } of [...labels, all]) {
    result = addedAt(result, metadataLabels, pairs);
    if (includeSelectors || includeTemplates) result = addedAt(result, templateLabels, pairs);
    if (includeSelectors) result = addedAt(result, selectorLabels, pairs);
  }
  return result;
}

function withImage(container: unknown, images: KustomizationContent['images']): unknown {
  if (!isObject(container) || typeof container.image !== 'string') return container;
  let { image } = container;
  for (const { name, newName, newTag, digest } of images) {
    const [, repository = '', rest = ''] =
      /^([^@]*?)((?::[\w.-]+)?(?:@.*)?)$/u.exec(image.slice(0, maxImage)) ?? [];
    if (repository !== name) continue;
    const version = digest !== undefined ? `@${digest}` : newTag !== undefined ? `:${newTag}` : rest;
    image = `${newName ?? repository}${version}`;
  }
  return { ...container, image };
}

const maxImage = 1_000;

function addedAt(object: JsonObject, path: readonly string[], pairs: JsonObject): JsonObject {
  if (Object.keys(pairs).length === 0) return object;
  const former = valueAt(object, path);
  return setAt(object, path, { ...(isObject(former) ? former : {}), ...pairs });
}

/** The value at a path of maps. */
export function valueAt(object: unknown, path: readonly string[]): unknown {
  let value = object;
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

function setAt(object: JsonObject, [name, ...rest]: readonly string[], value: unknown): JsonObject {
  if (name === undefined) return object;
  const inner = object[name];
  const next = rest.length === 0 ? value : setAt(isObject(inner) ? inner : {}, rest, value);
  return { ...object, [name]: next };
}

/** The text of a scalar. A map is none, and one that has a key `toString` cannot become one. */
export function scalarText(value: unknown): string {
  return typeof value === 'object' ? '' : String(value ?? '');
}

/** The highest field of a patch that holds nothing but the field at this path. */
export function emptiedBy(content: unknown, path: readonly string[]): readonly string[] {
  const above = path.slice(0, -1);
  const parent = valueAt(content, above);
  const isOnlyOne = above.length > 0 && isObject(parent) && Object.keys(parent).length === 1;
  return isOnlyOne && path.at(-1) !== undefined && Object.hasOwn(parent, path.at(-1) ?? '')
    ? emptiedBy(content, above)
    : path;
}

/** Whether a patch sets a field, or a field above or below it. */
export function sets(content: unknown, path: readonly string[]): boolean {
  if (valueAt(content, path) !== undefined) return true;
  return path.some((_, depth) => {
    const above = valueAt(content, path.slice(0, depth));
    return above === null || (above !== undefined && !isObject(above));
  });
}
