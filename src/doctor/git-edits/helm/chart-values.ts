import type { JsonObject } from '../../../engine/objects/wire.js';
import { isObject } from '../kustomize/merge-patch.js';
import { type Chart, chartsOf } from './chart-tree.js';
import type { ValuePath } from './value-expression.js';

/**
 * Values of a release, as Helm lays later ones over earlier ones: maps are merged, everything else is
 * replaced, and `null` stays (helm `pkg/cli/values/options.go: mergeMaps`).
 */
export function mergedValues(layers: readonly JsonObject[]): JsonObject {
  return layers.reduce<JsonObject>((under, over) => merged(under, over), {});
}

function merged(under: JsonObject, over: JsonObject): JsonObject {
  const result = own(under);
  for (const [key, value] of Object.entries(over)) {
    const before = result.get(key);
    result.set(key, isObject(before) && isObject(value) ? merged(before, value) : value);
  }
  return Object.fromEntries(result);
}

/**
 * The values that the templates of a chart see; charts see their own part of the values of the chart above
 * them.
 */
export function valuesOfChart(chart: Chart, top: Chart, given: JsonObject): JsonObject {
  const above = chartsOf(top).filter(({ key }) => key.every((name, at) => chart.key[at] === name));
  return above.reduce<JsonObject>((values, { key, values: defaults }) => {
    const name = key.at(-1);
    const part = name === undefined ? values : values[name];
    return coalesced(isObject(part) ? part : {}, defaults);
  }, given);
}

/**
 * Values over the defaults of a chart: a `null` takes the default away (helm
 * `pkg/chart/common/util/coalesce.go`).
 */
function coalesced(values: JsonObject, defaults: JsonObject): JsonObject {
  const result = own(values);
  for (const [key, byDefault] of Object.entries(defaults)) {
    const given = result.get(key);
    if (!result.has(key)) result.set(key, byDefault);
    else if (given === null) result.delete(key);
    else if (isObject(given) && isObject(byDefault)) result.set(key, coalesced(given, byDefault));
  }
  return Object.fromEntries(result);
}

function own(values: JsonObject): Map<string, unknown> {
  return new Map(Object.entries(values));
}

/** Whether these values say anything about a value, or about one that holds it. */
export function declaresValue(values: JsonObject, path: ValuePath): boolean {
  let value: unknown = values;
  for (const key of path) {
    if (!isObject(value)) return true;
    if (!Object.hasOwn(value, key)) return false;
    value = value[key];
  }
  return true;
}

/** Whether a map on the way to a value takes entries from another one by `<<`, which is not followed. */
export function hasMergeKey(values: JsonObject, path: ValuePath): boolean {
  let value: unknown = values;
  for (const key of [...path, undefined]) {
    if (!isObject(value)) return false;
    if (Object.hasOwn(value, '<<')) return true;
    if (key !== undefined) value = Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return false;
}
