import { type Statement, withChangedValues } from '../../engine/language/statement.js';
import { redact, redactLines, redactValue } from '../redaction/redact.js';
import type { Finding } from './finding.js';

/**
 * Names of objects as Kubernetes allows them, in parts no longer than those of generated names: matching
 * needs them whole. Tokens in lower case have longer parts.
 */
const maxObjectName = 253;
const objectName = /^[a-z0-9](?:[a-z0-9]{0,19}(?:[-./]{1,3}[a-z0-9]{1,20}){0,60})$/;

/**
 * A finding as records may keep it. What rules quote (messages of runtimes and registries, termination
 * messages, images, fields) was written by others and may hold secrets; they are replaced here, before
 * anything is stored, and not only where it is shown.
 */
export function withoutSecrets({ facts, ...finding }: Finding): Finding {
  const rest = inStatements(finding) as Finding;
  return facts === undefined ? rest : { ...rest, facts: inTexts(facts) as Finding['facts'] };
}

function inStatements(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inStatements);
  if (typeof value !== 'object' || value === null) return value;
  if (isStatement(value)) return withoutStatedSecrets(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      isForeignText(key, value) ? inTexts(named(value, field)) : inStatements(field),
    ]),
  );
}

/** A statement with markers in place of secrets in its values. */
export function withoutStatedSecrets(statement: Statement): Statement {
  return withChangedValues(statement, inTexts);
}

function isStatement(value: object): value is Statement {
  return 'catalogue' in value && 'key' in value && 'values' in value;
}

/** An evidence's value and an advice's snippet stand beside statements and quote as well. */
function isForeignText(key: string, of: object): boolean {
  return (key === 'value' && 'says' in of) || key === 'snippet';
}

/**
 * The value of an environment variable that an evidence names in its path:
 * `spec.containers[web].env[DB_PASSWORD].value`.
 */
function named(evidence: object, value: unknown): unknown {
  const field = 'field' in evidence && typeof evidence.field === 'string' ? evidence.field : '';
  const name = /\[([^[\]]{1,200})\]\.value$/u.exec(field)?.[1];
  return name === undefined || typeof value !== 'string' ? value : redactValue(name, value);
}

function inTexts(value: unknown): unknown {
  if (typeof value === 'string') return withoutSecretText(value);
  if (Array.isArray(value) && value.length > 1 && value.every((line) => typeof line === 'string')) {
    const together = redactLines(value);
    return value.map((line, i) => (together[i] === line ? withoutSecretText(line) : together[i]));
  }
  if (Array.isArray(value)) return value.map(inTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, inTexts(field)]));
}

/** The text with markers in place of secrets; names stay as they are. */
export function withoutSecretText(text: string): string {
  return text.length <= maxObjectName && objectName.test(text) ? text : redact(text);
}
