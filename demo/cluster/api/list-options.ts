import type { ApiObject } from '../api-object.js';
import { forbiddenField, unsupported } from '../resources/field-errors.js';
import type { ResourceType } from '../resources/resource-type.js';
import { type FieldRequirement, parseFieldSelector } from '../selectors/field-selector.js';
import { type LabelRequirement, matchesLabels, parseLabelSelector } from '../selectors/label-selector.js';
import { badRequest, type FieldError, invalid } from './status-error.js';

export interface ListOptions {
  readonly labels: readonly LabelRequirement[];
  readonly fields: readonly FieldRequirement[];
  readonly limit: number;
  readonly continueToken: string;
  /** `undefined`: the newest state. */
  readonly resourceVersion: number | undefined;
  readonly resourceVersionMatch: 'Exact' | 'NotOlderThan' | undefined;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean;
  readonly timeoutSeconds: number | undefined;
}

const listOptions = { group: 'meta.k8s.io', plural: 'listoptions', kind: 'ListOptions' };

/** @throws StatusError 400 for what cannot be read, 422 for combinations that are forbidden */
export function parseListOptions(type: ResourceType, query: URLSearchParams): ListOptions {
  const labels = parseLabelSelector(query.get('labelSelector') ?? '');
  if ('problem' in labels) throw badRequest(`unable to parse requirement: ${labels.problem}`);
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '');
  if ('problem' in fields) throw badRequest(fields.problem);
  assertSelectable(type, fields);
  const watch = isTrue(query.get('watch'));
  const errors = resourceVersionErrors(query, watch);
  if (errors.length > 0) throw invalid(listOptions, '', errors);
  return {
    labels,
    fields,
    limit: integer(query.get('limit')) ?? 0,
    continueToken: query.get('continue') ?? '',
    resourceVersion: resourceVersionOf(query.get('resourceVersion')),
    resourceVersionMatch: (query.get('resourceVersionMatch') ||
      undefined) as ListOptions['resourceVersionMatch'],
    watch,
    allowWatchBookmarks: isTrue(query.get('allowWatchBookmarks')),
    sendInitialEvents: isTrue(query.get('sendInitialEvents')),
    timeoutSeconds: integer(query.get('timeoutSeconds')),
  };
}

/** True when the object, in the shape it is stored in, is selected. */
export function isSelected(
  type: ResourceType,
  { labels, fields }: Pick<ListOptions, 'labels' | 'fields'>,
  object: ApiObject,
) {
  return (
    matchesLabels(labels, object.metadata.labels ?? {}) &&
    fields.every(({ field, equal, value }) => (fieldOf(type, field, object) === value) === equal)
  );
}

function fieldOf(type: ResourceType, field: string, object: ApiObject): string {
  if (field === 'metadata.name') return object.metadata.name;
  if (field === 'metadata.namespace') return object.metadata.namespace ?? '';
  return type.selectableFields[field]?.(object) ?? '';
}

function assertSelectable(type: ResourceType, fields: readonly FieldRequirement[]): void {
  for (const { field } of fields) {
    if (field === 'metadata.name' || field === 'metadata.namespace' || field in type.selectableFields)
      continue;
    throw badRequest(
      Object.keys(type.selectableFields).length === 0
        ? `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`
        : `field label not supported: ${field}`,
    );
  }
}

/** `apimachinery ValidateListOptions`. */
function resourceVersionErrors(query: URLSearchParams, watch: boolean): readonly FieldError[] {
  const match = query.get('resourceVersionMatch') ?? '';
  const version = query.get('resourceVersion') ?? '';
  const field = 'resourceVersionMatch';
  if (query.has('sendInitialEvents')) {
    if (!watch) return [forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list')];
    if (match !== 'NotOlderThan') {
      return [
        forbiddenField(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
      ];
    }
    return [];
  }
  if (match === '') return [];
  if (watch) {
    return [
      forbiddenField(
        field,
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ),
    ];
  }
  if (version === '') {
    return [forbiddenField(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided')];
  }
  if (query.get('continue')) {
    return [forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided')];
  }
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    return [unsupported(field, match, ['Exact', 'NotOlderThan', ''])];
  }
  if (match === 'Exact' && version === '0') {
    return [forbiddenField(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')];
  }
  return [];
}

function resourceVersionOf(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw badRequest(
    `invalid resource version: resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`,
  );
}

function integer(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  if (/^-?\d+$/.test(text)) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`);
}

/** As Go reads a flag from a query: present without a value means true. */
export function isTrue(text: string | null): boolean {
  return text !== null && text !== 'false' && text !== '0';
}
