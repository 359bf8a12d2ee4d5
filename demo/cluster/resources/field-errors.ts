import type { FieldError } from '../api/status-error.js';

export function required(field: string, detail = ''): FieldError {
  return { type: 'Required', field, detail };
}

export function invalidValue(field: string, value: unknown, detail: string): FieldError {
  return { type: 'Invalid', field, value, detail };
}

export function forbiddenField(field: string, detail: string): FieldError {
  return { type: 'Forbidden', field, detail };
}

export function unsupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  const names = supported.map((each) => JSON.stringify(each)).join(', ');
  return { type: 'NotSupported', field, value, detail: `supported values: ${names}` };
}

export function notNegative(field: string, value: unknown): readonly FieldError[] {
  const isWrong = typeof value === 'number' && value < 0;
  return isWrong ? [invalidValue(field, value, 'must be greater than or equal to 0')] : [];
}
