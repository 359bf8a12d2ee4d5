import type { FieldError } from '../api/status-error.js';
import type { ApiObject } from '../api-object.js';
import { sameJson } from '../json.js';
import { invalidValue, required } from './field-errors.js';
import type { ResourceType } from './resource-type.js';

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const subdomainDetail =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const labelNameDetail =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const keyName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const keyDetail =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const valueDetail =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/** Kinds whose names become labels of something else. */
const labelNames: ReadonlySet<string> = new Set(['Namespace', 'Service']);

/** `apimachinery validation.ValidateObjectMeta`, the parts that requests get wrong. */
export function validateMetadata(type: ResourceType, { metadata }: ApiObject): readonly FieldError[] {
  const { name, labels = {}, annotations = {} } = metadata;
  return [
    ...nameErrors(type, name),
    ...Object.entries(labels).flatMap(([key, value]) => labelErrors('metadata.labels', key, value)),
    ...Object.keys(annotations)
      .filter((key) => !isKey(key.toLowerCase()))
      .map((key) => invalidValue('metadata.annotations', key, keyDetail)),
  ];
}

export function labelErrors(field: string, key: string, value: string): readonly FieldError[] {
  return [
    ...(isKey(key) ? [] : [invalidValue(field, key, keyDetail)]),
    ...(value === '' || (keyName.test(value) && value.length <= 63)
      ? []
      : [invalidValue(field, value, valueDetail)]),
  ];
}

/** Fields of the metadata that no update may change (`ValidateObjectMetaUpdate`). */
export function validateMetadataUpdate(
  { metadata }: ApiObject,
  { metadata: before }: ApiObject,
): readonly FieldError[] {
  const fixed = ['name', 'namespace', 'uid', 'creationTimestamp'] as const;
  return fixed
    .filter((field) => !sameJson(metadata[field], before[field]))
    .map((field) => invalidValue(`metadata.${field}`, metadata[field], 'field is immutable'));
}

function nameErrors(type: ResourceType, name: string): readonly FieldError[] {
  if (name === '') return [required('metadata.name', 'name or generateName is required')];
  if (labelNames.has(type.kind) && name.includes('.'))
    return [invalidValue('metadata.name', name, labelNameDetail)];
  const valid = subdomain.test(name) && name.length <= 253;
  return valid ? [] : [invalidValue('metadata.name', name, subdomainDetail)];
}

function isKey(key: string): boolean {
  const parts = key.split('/');
  const [prefix, name] = parts.length === 1 ? [undefined, parts[0]] : [parts[0], parts[1]];
  if (parts.length > 2 || name === undefined || name.length > 63 || !keyName.test(name)) return false;
  return prefix === undefined || (subdomain.test(prefix) && prefix.length <= 253);
}
