import type { ManagedFieldsEntry, ObjectMeta } from './metadata.js';
import type { Pod } from './pod.js';
import type { Container, Volume } from './pod-spec.js';

/** Data of a ConfigMap or Secret that a container keeps as it was when the container started. */
export interface ConfigReference {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  /** Absent where the container takes all keys. */
  readonly key: string | undefined;
  /** The environment variable that is set from it; absent for a whole `envFrom` and for a file. */
  readonly variable: string | undefined;
  /** `file`: a `subPath` mount. */
  readonly as: 'environment' | 'file';
}

type Source = Pick<ConfigReference, 'kind' | 'name'>;

/** What the container's environment is made of. */
export function environmentReferences({ env, envFrom }: Container): readonly ConfigReference[] {
  return [...env.flatMap(fromVariable), ...envFrom.flatMap(fromWhole)];
}

/**
 * The environment, and files mounted by `subPath`. The kubelet makes both anew at each start of the container
 * and never in between (kubernetes `kubelet_pods.go: makeEnvironmentVariables, makeMounts`,
 * `subpath_linux.go: prepareSubpathTarget`). Files of other mounts it keeps up to date, so they are left out.
 */
export function keptReferences({ spec: { volumes } }: Pod, container: Container): readonly ConfigReference[] {
  const files = container.volumeMounts
    .filter(({ subPath, subPathExpr }) => subPath !== '' || subPathExpr !== '')
    .flatMap(({ name, subPath }) => {
      const volume = volumes.find((each) => each.name === name);
      return volume === undefined ? [] : fromVolume(volume, subPath);
    });
  return [...environmentReferences(container), ...files];
}

function fromVariable({ name: variable, valueFrom }: Container['env'][number]): readonly ConfigReference[] {
  const { configMapKeyRef, secretKeyRef } = valueFrom ?? {};
  const of = (kind: Source['kind'], selector: typeof secretKeyRef): readonly ConfigReference[] =>
    selector === undefined
      ? []
      : [{ kind, name: selector.name, key: selector.key, variable, as: 'environment' }];
  return [...of('ConfigMap', configMapKeyRef), ...of('Secret', secretKeyRef)];
}

function fromWhole({ configMapRef, secretRef }: Container['envFrom'][number]): readonly ConfigReference[] {
  const of = (kind: Source['kind'], source: typeof secretRef): readonly ConfigReference[] =>
    source === undefined
      ? []
      : [{ kind, name: source.name, key: undefined, variable: undefined, as: 'environment' }];
  return [...of('ConfigMap', configMapRef), ...of('Secret', secretRef)];
}

/** @param subPath '' where it is made of variables: then any key may be the file */
function fromVolume({ configMap, secret, projected }: Volume, subPath: string): readonly ConfigReference[] {
  const of = (
    kind: Source['kind'],
    name: string | undefined,
    items: readonly { readonly key: string; readonly path: string }[] = [],
  ): readonly ConfigReference[] => {
    if (name === undefined) return [];
    const chosen = items.filter(({ path }) => subPath === '' || isWithin(path, subPath));
    const keys = items.length === 0 ? [subPath === '' ? undefined : subPath] : chosen.map(({ key }) => key);
    return keys.map((key) => ({ kind, name, key, variable: undefined, as: 'file' }));
  };
  return [
    ...of('ConfigMap', configMap?.name, configMap?.items),
    ...of('Secret', secret?.secretName, secret?.items),
    ...(projected?.sources ?? []).flatMap((source) => [
      ...of('ConfigMap', source.configMap?.name, source.configMap?.items),
      ...of('Secret', source.secret?.name, source.secret?.items),
    ]),
  ];
}

/** The file itself, or a file in the folder that is mounted. */
function isWithin(path: string, subPath: string): boolean {
  return path === subPath || path.startsWith(`${subPath}/`);
}

/** When data of a ConfigMap or Secret may have changed last, and who wrote it then. */
export interface DataChange {
  /** RFC3339. */
  readonly at: string;
  /** The field manager; '' for the creation of the object. */
  readonly manager: string;
}

/**
 * The last write by a field manager that owns data, or the creation of the object, whichever is later. The
 * API server keeps one time for all fields of a manager and sets it when a write changes any of them, so that
 * the data itself may be older (apimachinery `managedfieldsupdater.go: Update`). A manager that owns no data
 * does not count. `undefined` where neither is recorded.
 *
 * @param key the one key that is asked about; all of them when left out
 */
export function lastDataChange(
  { managedFields, creationTimestamp }: Pick<ObjectMeta, 'managedFields' | 'creationTimestamp'>,
  key?: string,
): DataChange | undefined {
  const writes = managedFields.flatMap((entry) =>
    entry.time !== undefined && ownsData(entry, key) ? [{ at: entry.time, manager: entry.manager }] : [],
  );
  const creation = creationTimestamp === undefined ? [] : [{ at: creationTimestamp, manager: '' }];
  return [...creation, ...writes].reduce<DataChange | undefined>(
    (latest, each) => (latest === undefined || Date.parse(each.at) > Date.parse(latest.at) ? each : latest),
    undefined,
  );
}

const dataFields = ['f:data', 'f:binaryData', 'f:stringData'];

function ownsData({ fieldsV1 = {} }: ManagedFieldsEntry, key: string | undefined): boolean {
  return dataFields.some((field) => {
    const owned = fieldsV1[field];
    if (typeof owned !== 'object' || owned === null) return false;
    return key === undefined || Object.hasOwn(owned, `f:${key}`);
  });
}
