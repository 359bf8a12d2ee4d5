import type { FieldError } from '../api/status-error.js';
import type { ApiObject } from '../api-object.js';
import { isObject, valueAt } from '../json.js';
import { forbiddenField, invalidValue, notNegative, required } from './field-errors.js';

const percent = /^[0-9]+%$/;
const percentDetail =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** `ValidateDeploymentStrategy` and `ValidateRollingUpdateDeployment`. */
export function deploymentStrategyErrors(deployment: ApiObject): readonly FieldError[] {
  const path = 'spec.strategy';
  const type = valueAt(deployment, ...path.split('.'), 'type');
  const rollingUpdate = valueAt(deployment, ...path.split('.'), 'rollingUpdate');
  if (type === 'Recreate') {
    if (rollingUpdate === undefined) return [];
    return [
      forbiddenField(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'"),
    ];
  }
  if (type !== 'RollingUpdate') {
    const value = {
      Type: type,
      ...(isObject(rollingUpdate)
        ? {
            RollingUpdate: {
              MaxUnavailable: rollingUpdate.maxUnavailable,
              MaxSurge: rollingUpdate.maxSurge,
            },
          }
        : { RollingUpdate: null }),
    };
    return [
      { type: 'NotSupported', field: path, value, detail: 'supported values: "Recreate", "RollingUpdate"' },
    ];
  }
  if (!isObject(rollingUpdate)) {
    return [required(`${path}.rollingUpdate`, 'this should be defaulted and never be nil')];
  }
  const { maxUnavailable, maxSurge } = rollingUpdate;
  const unavailable = `${path}.rollingUpdate.maxUnavailable`;
  return [
    ...integerOrPercentErrors(maxUnavailable, unavailable),
    ...integerOrPercentErrors(maxSurge, `${path}.rollingUpdate.maxSurge`),
    ...(numberOf(maxUnavailable) === 0 && numberOf(maxSurge) === 0
      ? [invalidValue(unavailable, maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...(typeof maxUnavailable === 'string' && numberOf(maxUnavailable) > 100
      ? [invalidValue(unavailable, maxUnavailable, 'must not be greater than 100%')]
      : []),
  ];
}

/** `ValidatePositiveIntOrPercent`: a text must be a percentage. */
export function integerOrPercentErrors(value: unknown, field: string): readonly FieldError[] {
  if (typeof value !== 'string') return notNegative(field, value);
  return percent.test(value) ? [] : [invalidValue(field, value, percentDetail)];
}

/** The number, or the number before the percent sign; not a number for other texts. */
function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && percent.test(value) ? Number(value.slice(0, -1)) : Number.NaN;
}
