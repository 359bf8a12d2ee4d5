import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { headerKind } from '#src/edges/recordings/collect-objects.js';
import { isObject, type JsonObject, listAt, textAt } from '../json.js';

/** Objects of one moment, as `kubectl get … -o json|yaml` prints them, and the logs that were kept. */
export interface Recording {
  readonly objects: readonly JsonObject[];
  /** By `namespace_pod_container`, with `.previous` behind it for the run before. */
  readonly logs: ReadonlyMap<string, string>;
  /** Epoch milliseconds; `undefined` where the folder does not say. */
  readonly takenAt: number | undefined;
}

/**
 * Reads a folder with `objects.json`, optionally `logs/` and `expect.json` with `takenAt`.
 *
 * @throws when a file is missing or no JSON
 */
export async function readRecording(folder: string): Promise<Recording> {
  const objects = objectsIn(JSON.parse(await readFile(join(folder, 'objects.json'), 'utf8')));
  const expected: unknown = await readFile(join(folder, 'expect.json'), 'utf8').then(
    JSON.parse,
    () => undefined,
  );
  const takenAt = Date.parse(textAt(expected, 'takenAt') ?? '');
  return {
    objects,
    logs: await readLogs(join(folder, 'logs')),
    takenAt: Number.isNaN(takenAt) ? undefined : takenAt,
  };
}

/**
 * A single object, or the items of a list, without the header of `rollout-doctor record`, which is of no
 * cluster.
 */
function objectsIn(value: unknown): readonly JsonObject[] {
  if (!isObject(value)) return [];
  const objects = Array.isArray(value.items) ? listAt(value, 'items') : [value];
  return objects.filter(({ kind }) => kind !== headerKind);
}

async function readLogs(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(folder).catch(() => []);
  const entries = names
    .filter((name) => name.endsWith('.log'))
    .map(
      async (name) => [name.slice(0, -'.log'.length), await readFile(join(folder, name), 'utf8')] as const,
    );
  return new Map(await Promise.all(entries));
}
