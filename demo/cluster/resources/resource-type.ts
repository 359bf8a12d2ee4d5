import type { FieldError } from '../api/status-error.js';
import type { ApiObject } from '../api-object.js';
import type { JsonObject } from '../json.js';
import type { TableColumn } from '../tables/table.js';

export type Subresource = 'status' | 'scale' | 'log' | 'eviction' | 'binding' | 'finalize';

/** Everything the API server knows of one resource: a row of the table in `resource-types.ts`. */
export interface ResourceType {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** Where its objects are stored; two resources may share one (`events` of two groups). */
  readonly storage: string;
  readonly subresources: readonly Subresource[];
  /** Only `create`: an access review answers and is not stored. */
  readonly isReview: boolean;
  /** `metadata.generation` counts changes of everything but metadata and status. */
  readonly countsGenerations: boolean;
  /** Deletion waits for the grace period (pods). */
  readonly gracefulDeletion: boolean;
  /** Field selectors that it serves, besides `metadata.name` and `metadata.namespace`. */
  readonly selectableFields: Readonly<Record<string, (object: ApiObject) => string>>;
  /** Fills in what the real server stores where the request says nothing. */
  readonly applyDefaults: (object: JsonObject) => void;
  /** Refused fields; `previous` on an update. */
  readonly validate: (object: ApiObject, previous: ApiObject | undefined) => readonly FieldError[];
  readonly columns: readonly TableColumn[];
  /** Between the stored shape and the one this version shows. */
  readonly convert:
    | {
        readonly toStored: (shown: JsonObject) => JsonObject;
        readonly toShown: (stored: ApiObject) => ApiObject;
      }
    | undefined;
}

/** `apps/v1`, `v1`. */
export function apiVersionOf({ group, version }: Pick<ResourceType, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}
