import { ageColumn, nameColumn } from '../tables/cells.js';
import type { ResourceType } from './resource-type.js';

/** What differs from a plain resource. */
export type Row = Partial<Omit<ResourceType, 'group' | 'version' | 'plural' | 'kind'>>;

/** One row of the table of resources. */
export function resource(groupVersion: string, plural: string, kind: string, row: Row = {}): ResourceType {
  const [group = '', version = ''] = groupVersion.includes('/')
    ? groupVersion.split('/')
    : ['', groupVersion];
  return {
    group,
    version,
    plural,
    kind,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced: true,
    storage: storageOf(group, plural),
    subresources: [],
    isReview: false,
    countsGenerations: false,
    gracefulDeletion: false,
    selectableFields: {},
    applyDefaults: () => undefined,
    validate: () => [],
    columns: [nameColumn, ageColumn],
    convert: undefined,
    ...row,
  };
}

/** Where objects of that group and plural are stored. */
export function storageOf(group: string, plural: string): string {
  return `${group}/${plural}`;
}

export const workload: Row = {
  countsGenerations: true,
  categories: ['all'],
  subresources: ['status', 'scale'],
};
export const clusterScoped: Row = { namespaced: false };
export const device: Row = { countsGenerations: true };
