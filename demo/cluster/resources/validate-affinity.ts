import type { FieldError } from '../api/status-error.js';
import { isObject, type JsonObject, listAt, textAt, textsAt, valueAt } from '../json.js';
import { forbiddenField, invalidValue, required } from './field-errors.js';

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';

/** Required node affinity (`ValidateNodeSelector`); what exclusions of nodes write. */
export function nodeAffinityErrors(spec: JsonObject, path: string): readonly FieldError[] {
  const selector = valueAt(spec, 'affinity', 'nodeAffinity', requiredTerms);
  if (!isObject(selector)) return [];
  const field = `${path}.affinity.nodeAffinity.${requiredTerms}.nodeSelectorTerms`;
  const terms = listAt(selector, 'nodeSelectorTerms');
  if (terms.length === 0) return [required(field, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => [
    ...listAt(term, 'matchExpressions').flatMap((requirement, at) =>
      expressionErrors(requirement, `${field}[${index}].matchExpressions[${at}]`),
    ),
    ...listAt(term, 'matchFields').flatMap((requirement, at) =>
      fieldErrors(requirement, `${field}[${index}].matchFields[${at}]`),
    ),
  ]);
}

/** `ValidateNodeSelectorRequirement`. */
function expressionErrors(requirement: JsonObject, field: string): readonly FieldError[] {
  const operator = textAt(requirement, 'operator') ?? '';
  const values = textsAt(requirement, 'values');
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? []
        : [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [
            forbiddenField(
              `${field}.values`,
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
            ),
          ];
    case 'Gt':
    case 'Lt':
      return values.length === 1
        ? []
        : [required(`${field}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalidValue(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}

/** `ValidateNodeFieldSelectorRequirement`: exactly one value each. */
function fieldErrors(requirement: JsonObject, field: string): readonly FieldError[] {
  const operator = textAt(requirement, 'operator') ?? '';
  const key = textAt(requirement, 'key') ?? '';
  const operatorErrors =
    operator === 'In' || operator === 'NotIn'
      ? textsAt(requirement, 'values').length === 1
        ? []
        : [
            required(
              `${field}.values`,
              "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
            ),
          ]
      : [invalidValue(`${field}.operator`, operator, 'not a valid selector operator')];
  return key === 'metadata.name'
    ? operatorErrors
    : [...operatorErrors, invalidValue(`${field}.key`, key, 'not a valid field selector key')];
}
