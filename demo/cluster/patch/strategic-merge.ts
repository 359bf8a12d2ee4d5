import { badRequest } from '../api/status-error.js';
import { copy, isObject, type JsonObject, sameJson } from '../json.js';
import { honoursRetainKeys, mergeKeyOf, mergesPrimitives } from './merge-keys.js';

const orderPrefix = '$setElementOrder/';
const deletionPrefix = '$deleteFromPrimitiveList/';

/**
 * Strategic merge patch: lists with a merge key merge item by item, and the directives `$patch`,
 * `$retainKeys`, `$setElementOrder` and `$deleteFromPrimitiveList` are carried out (apimachinery
 * `strategicpatch`).
 *
 * @throws StatusError 400 for a directive that makes no sense
 */
export function applyStrategicMerge(kind: string, target: JsonObject, patch: JsonObject): JsonObject {
  return mergeObject(kind, '', target, patch) ?? {};
}

/** `undefined`: the patch deletes the object. */
function mergeObject(
  kind: string,
  field: string,
  target: JsonObject,
  patch: JsonObject,
): JsonObject | undefined {
  const directive = patch.$patch;
  if (directive === 'replace') return withoutDirectives(patch);
  if (directive === 'delete') return undefined;
  if (directive !== undefined && directive !== 'merge') {
    throw badRequest(`unknown patch type found: ${String(directive)}`);
  }
  const result = retained(field, target, patch);
  for (const [key, value] of Object.entries(patch)) {
    if (key === '$patch' || key === '$retainKeys' || key.startsWith(orderPrefix)) continue;
    if (key.startsWith(deletionPrefix)) {
      const name = key.slice(deletionPrefix.length);
      const gone = Array.isArray(value) ? value : [];
      const present = result[name];
      if (Array.isArray(present)) result[name] = present.filter((item) => !gone.includes(item));
      continue;
    }
    setMerged(kind, result, key, value, patch[`${orderPrefix}${key}`]);
  }
  return withOrders(kind, result, patch);
}

function setMerged(kind: string, result: JsonObject, key: string, value: unknown, order: unknown): void {
  const current = result[key];
  if (value === null) {
    delete result[key];
  } else if (isObject(value)) {
    const merged = mergeObject(kind, key, isObject(current) ? current : {}, value);
    if (merged === undefined) delete result[key];
    else result[key] = merged;
  } else if (Array.isArray(value)) {
    result[key] = mergeList(kind, key, Array.isArray(current) ? current : [], value, order);
  } else {
    result[key] = value;
  }
}

/** With `$retainKeys` everything that the list does not name is dropped first. */
function retained(field: string, target: JsonObject, patch: JsonObject): JsonObject {
  const keys = patch.$retainKeys;
  if (keys === undefined) return { ...target };
  if (!Array.isArray(keys)) throw badRequest('$retainKeys must be a list of field names');
  const named = Object.keys(patch).filter((key) => !key.startsWith('$'));
  if (named.some((key) => patch[key] !== null && !keys.includes(key))) {
    throw badRequest('the patch sets a field that its $retainKeys directive does not list');
  }
  if (!honoursRetainKeys(field)) return { ...target };
  return Object.fromEntries(Object.entries(target).filter(([key]) => keys.includes(key)));
}

function mergeList(
  kind: string,
  field: string,
  current: readonly unknown[],
  patch: readonly unknown[],
  order: unknown,
): readonly unknown[] {
  if (mergesPrimitives(field)) return [...current, ...patch.filter((item) => !current.includes(item))];
  const mergeKey = mergeKeyOf(kind, field);
  const items = patch.filter(isObject);
  if (mergeKey === undefined || items.length !== patch.length) return copy(patch);
  if (items.some((item) => item.$patch === 'replace' && item[mergeKey] === undefined)) {
    return items.filter((item) => item.$patch === undefined).map(withoutDirectives);
  }
  let result: readonly unknown[] = current;
  for (const item of items) result = mergeItem(kind, field, mergeKey, result, item);
  return Array.isArray(order) ? ordered(mergeKey, result, order) : result;
}

function mergeItem(
  kind: string,
  field: string,
  mergeKey: string,
  current: readonly unknown[],
  item: JsonObject,
): readonly unknown[] {
  const id = item[mergeKey];
  if (id === undefined) {
    throw badRequest(`map: ${JSON.stringify(item)} does not contain declared merge key: ${mergeKey}`);
  }
  const index = current.findIndex((each) => isObject(each) && sameJson(each[mergeKey], id));
  if (index === -1) {
    return item.$patch === 'delete' ? current : [...current, mergeObject(kind, field, {}, item) ?? {}];
  }
  const found = current[index];
  const merged = mergeObject(kind, field, isObject(found) ? found : {}, item);
  return [...current.slice(0, index), ...(merged === undefined ? [] : [merged]), ...current.slice(index + 1)];
}

/** Carries out `$setElementOrder` of lists that the patch only reorders. */
function withOrders(kind: string, object: JsonObject, patch: JsonObject): JsonObject {
  for (const [key, order] of Object.entries(patch)) {
    if (!key.startsWith(orderPrefix) || !Array.isArray(order)) continue;
    const field = key.slice(orderPrefix.length);
    const current = object[field];
    const mergeKey = mergeKeyOf(kind, field);
    if (Array.isArray(current)) object[field] = ordered(mergeKey, current, order);
  }
  return object;
}

/** Items in the given order; those it does not name keep their place behind the item they followed. */
function ordered(
  mergeKey: string | undefined,
  items: readonly unknown[],
  order: readonly unknown[],
): readonly unknown[] {
  const idOf = (item: unknown): unknown => (mergeKey !== undefined && isObject(item) ? item[mergeKey] : item);
  const ranks = order.map(idOf);
  const rankOf = (item: unknown): number => ranks.findIndex((rank) => sameJson(rank, idOf(item)));
  const named = items.filter((item) => rankOf(item) !== -1).sort((a, b) => rankOf(a) - rankOf(b));
  const result: unknown[] = [...named];
  for (const [index, item] of items.entries()) {
    if (rankOf(item) !== -1) continue;
    const before = items[index - 1];
    const at = before === undefined ? 0 : result.indexOf(before) + 1;
    result.splice(at, 0, item);
  }
  return result;
}

function withoutDirectives(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !key.startsWith('$') && item !== null)
      .map(([key, item]) => [key, isObject(item) ? withoutDirectives(item) : copy(item)]),
  );
}
