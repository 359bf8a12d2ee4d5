import { describe, expect, it } from 'vitest';
import { redactValue } from '#src/doctor/redaction/redact.js';
import { secretKindOf } from '#src/doctor/redaction/secret-names.js';
import { mixed } from './canaries.js';

describe('the value of a variable or field', () => {
  it.each<[string, string, string]>([
    ['DB_PASSWORD', 'hunter2', '[redacted password]'],
    ['DB_PASSWORD', 'two words, "quoted"', '[redacted password]'],
    ['clientSecret', 'x1', '[redacted secret]'],
    ['API_KEY', '3f1c2b4a-5d6e-4f70-8a91-b2c3d4e5f607', '[redacted key]'],
    ['sessionToken', 'line one\nline two', '[redacted token]'],
    ['DB_PASSWORD', '[redacted password]', '[redacted password]'],
    ['DATABASE_URL', 'postgres://app:hunter2Canary@db/shop', 'postgres://app:[redacted password]@db/shop'],
    ['ANYTHING', ['ghp_', mixed(36)].join(''), '[redacted token]'],
    ['LOG_LEVEL', 'debug', 'debug'],
    ['DB_PASSWORD', '', ''],
    ['DB_PASSWORD', '$(OTHER)', '$(OTHER)'],
    ['DB_PASSWORD_FILE', '/run/secrets/db', '/run/secrets/db'],
    ['PASSWORD_REQUIRED', 'true', 'true'],
    ['topologyKey', 'kubernetes.io/hostname', 'kubernetes.io/hostname'],
  ])('%s = %j is shown as %j', (name, value, shown) => {
    expect(redactValue(name, value)).toBe(shown);
  });

  it.each<[string, string | undefined]>([
    ['PASSWORD', 'password'],
    ['PGPASSWORD', 'password'],
    ['mysql_root_password', 'password'],
    ['SMTP_PASS', 'password'],
    ['dbpasswd', 'password'],
    ['VAULT_SECRET_ID', 'secret'],
    ['client-secret', 'secret'],
    ['APP_SECRET_2', 'secret'],
    ['SECRET_KEY_BASE', 'secret'],
    ['STRIPE_KEY', 'key'],
    ['encryption.key', 'key'],
    ['tls.key', 'key'],
    ['X-Auth-Token', 'token'],
    ['_authToken', 'token'],
    ['HTTPAuthToken', 'token'],
    ['.dockerconfigjson', 'credentials'],
    ['AWS_ACCESS_KEY_ID', undefined],
    ['PUBLIC_KEY', undefined],
    ['CACHE_KEY', undefined],
    ['key', undefined],
    ['secretName', undefined],
    ['secretKeyRef', undefined],
    ['token_type', undefined],
    ['max_tokens', undefined],
    ['eos_token', undefined],
    ['nextToken', undefined],
    ['tokenizer', undefined],
    ['passenger', undefined],
    ['compass', undefined],
    ['password_policy', undefined],
    ['', undefined],
    ['---', undefined],
  ])('with the name %s shows %s', (name, kind) => {
    expect(secretKindOf(name)).toBe(kind);
  });
});
