import type { JsonObject } from '../json.js';
import { apiVersionOf, type ResourceType, type Subresource } from '../resources/resource-type.js';
import { resourceTypes } from '../resources/resource-types.js';

const objectVerbs = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
] as const;

const subresourceKinds: Readonly<
  Record<Subresource, { kind?: string; group?: string; version?: string; verbs: readonly string[] }>
> = {
  status: { verbs: ['get', 'patch', 'update'] },
  scale: { kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: ['get', 'patch', 'update'] },
  log: { verbs: ['get'] },
  eviction: { kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
  binding: { kind: 'Binding', verbs: ['create'] },
  finalize: { verbs: ['update'] },
};

/** Groups in the order of the table, '' for the core. */
export const groups: readonly string[] = [...new Set(resourceTypes.map(({ group }) => group))];

export function typesOf(group: string, version?: string): readonly ResourceType[] {
  return resourceTypes.filter(
    (type) => type.group === group && (version === undefined || type.version === version),
  );
}

/** `/api`. */
export function apiVersions(serverAddress: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** `/apis`. */
export function apiGroupList(): JsonObject {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups.filter((group) => group !== '').map(groupOf),
  };
}

/** `/apis/apps`. */
export function apiGroup(group: string): JsonObject {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group) };
}

/** `/api/v1`, `/apis/apps/v1`. */
export function apiResourceList(group: string, version: string): JsonObject {
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group, version }),
    resources: typesOf(group, version).flatMap((type) => [
      {
        name: type.plural,
        singularName: type.singular,
        namespaced: type.namespaced,
        kind: type.kind,
        verbs: verbsOf(type),
        ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
        ...(type.categories.length === 0 ? {} : { categories: type.categories }),
      },
      ...type.subresources.map((subresource) => {
        const { kind, group: ownGroup, version: ownVersion, verbs } = subresourceKinds[subresource];
        return {
          name: `${type.plural}/${subresource}`,
          singularName: '',
          namespaced: type.namespaced,
          ...(ownGroup === undefined ? {} : { group: ownGroup, version: ownVersion }),
          kind: kind ?? type.kind,
          verbs,
        };
      }),
    ]),
  };
}

/** All groups in one answer (`apidiscovery.k8s.io/v2`): what kubectl asks for first. */
export function aggregatedDiscovery(core: boolean): JsonObject {
  const wanted = groups.filter((group) => (group === '') === core);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: wanted.map((group) => ({
      metadata: { ...(group === '' ? {} : { name: group }), creationTimestamp: null },
      versions: versionsOf(group).map((version) => ({
        version,
        freshness: 'Current',
        resources: typesOf(group, version).map(discovered),
      })),
    })),
  };
}

function discovered(type: ResourceType): JsonObject {
  return {
    resource: type.plural,
    responseKind: { group: type.group, version: type.version, kind: type.kind },
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: verbsOf(type),
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    ...(type.subresources.length === 0
      ? {}
      : {
          subresources: type.subresources.map((subresource) => {
            const { kind, group, version, verbs } = subresourceKinds[subresource];
            const responseKind = {
              group: group ?? type.group,
              version: version ?? type.version,
              kind: kind ?? type.kind,
            };
            return { subresource, responseKind, verbs };
          }),
        }),
  };
}

function verbsOf(type: ResourceType): readonly string[] {
  return type.isReview ? ['create'] : objectVerbs;
}

function versionsOf(group: string): readonly string[] {
  return [...new Set(typesOf(group).map(({ version }) => version))];
}

function groupOf(group: string): JsonObject {
  const versions = versionsOf(group).map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions, preferredVersion: versions[0] };
}
