import { type ApiObject, keyOf } from '../api-object.js';
import type { JsonObject } from '../json.js';
import { type Registry, shown } from '../registry/registry.js';
import type { ResourceType } from '../resources/resource-type.js';
import { continueTokenLifeMs, decodeContinue, encodeContinue } from './continue-token.js';
import { isSelected, type ListOptions } from './list-options.js';
import { badRequest, expired, tooLargeResourceVersion } from './status-error.js';

export interface ObjectPage {
  readonly items: readonly ApiObject[];
  /** `metadata` of the list. */
  readonly metadata: JsonObject;
}

/**
 * One page of a collection, all pages of one list from the same revision.
 *
 * @throws StatusError 400 for a broken token, 410 for an expired one or a compacted revision, 504 for a
 *   revision that is still to come
 */
export function listObjects(
  { store, clock }: Registry,
  type: ResourceType,
  namespace: string,
  options: ListOptions,
): ObjectPage {
  const { limit, continueToken } = options;
  const token = continueToken === '' ? undefined : decodeContinue(continueToken);
  if (token !== undefined && (options.resourceVersion ?? 0) > 0) {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const revision = token === undefined ? revisionAsked(options, store.revision) : token.revision;
  if (token?.revision !== undefined) {
    const isOld =
      clock.now() - token.issuedAt > continueTokenLifeMs || token.revision < store.compactedRevision;
    if (isOld) throw expiredToken(token.start, clock.now());
  } else if (revision !== undefined && revision < store.compactedRevision) {
    throw expired('The resourceVersion for the provided list is too old.');
  }
  const at = revision ?? store.revision;
  const objects = candidates(store, type, options, revision)
    .filter((object) => namespace === '' || object.metadata.namespace === namespace)
    .filter((object) => token === undefined || keyOf(object) > token.start);
  const selected = objects.filter((object) => isSelected(type, options, object));
  const isCached = options.resourceVersion === 0 && token === undefined && !uncached.has(type.storage);
  const size = limit > 0 && !isCached ? limit : selected.length;
  const page = selected.slice(0, size);
  const last = page.at(-1);
  const rest = selected.length - page.length;
  const selects = options.labels.length > 0 || options.fields.length > 0;
  return {
    items: page.map((object) => shown(type, object)),
    metadata: {
      resourceVersion: String(at),
      ...(rest > 0 && last !== undefined
        ? {
            continue: encodeContinue({
              revision: at,
              start: keyOf(last),
              issuedAt: token?.issuedAt ?? clock.now(),
            }),
            ...(selects ? {} : { remainingItemCount: rest }),
          }
        : {}),
    },
  };
}

/**
 * The API server has no watch cache of these (kube-apiserver `DefaultWatchCacheSizes`), so that pages are
 * kept.
 */
const uncached: ReadonlySet<string> = new Set(['/events']);

/** `undefined`: whatever is newest. */
function revisionAsked(options: ListOptions, current: number): number | undefined {
  const { resourceVersion, resourceVersionMatch, limit } = options;
  if (resourceVersion === undefined || resourceVersion === 0) return undefined;
  if (resourceVersion > current) throw tooLargeResourceVersion(resourceVersion, current);
  const isExact = resourceVersionMatch === 'Exact' || (resourceVersionMatch === undefined && limit > 0);
  return isExact ? resourceVersion : undefined;
}

function candidates(
  store: Registry['store'],
  type: ResourceType,
  { fields }: ListOptions,
  revision: number | undefined,
): readonly ApiObject[] {
  if (revision !== undefined) return store.list(type.storage, revision);
  for (const { field, equal, value } of fields) {
    const found = equal ? store.indexed(type.storage, field, value) : undefined;
    if (found !== undefined) return found;
  }
  return store.list(type.storage);
}

/** The answer holds a token that goes on with today's objects, for who can live with that. */
function expiredToken(start: string, now: number) {
  const message =
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';
  return expired(message, {
    metadata: { continue: encodeContinue({ revision: undefined, start, issuedAt: now }) },
  });
}
