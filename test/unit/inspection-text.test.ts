import { describe, expect, it } from 'vitest';
import { redact } from '#src/doctor/redaction/redact.js';
import { languages } from '#src/engine/language/language.js';
import { plain } from '#src/engine/language/prose.js';
import { createTell } from '#src/service/create-engine.js';
import { type InspectionShapes, inspectionCatalogueId } from '#src/service/inspect/inspection.js';
import { settingProblem } from '#src/service/inspect/setting-problem.js';

const cluster = 'prod-eu';
const [error, message, setting] = ['missing_scope', 'connect ECONNREFUSED 10.0.0.7:6379', 'REDIS_URL'];
const what = ['list pods', 'watch nodes'];

/**
 * Each sentence with values as an installation has them. The type asks for a row of a sentence that is added.
 */
const values: { readonly [Key in keyof InspectionShapes]: InspectionShapes[Key] } = {
  'config-works': {},
  'config-wrong': { problem: settingProblem(setting, 'missing', { expected: { en: 'a URL', ko: 'URL' } }) },
  'policy-empty': {},
  'approval-keys-work': { first: 'main', count: 2 },
  'approval-keys-missing': {},
  'login-works': { issuer: 'https://login.starship.example' },
  'login-away': { issuer: 'https://login.starship.example', message },
  'login-unset': {},
  'redis-works': { version: '7.2.4' },
  'redis-away': { message, setting },
  'redis-refused': { message: 'WRONGPASS', setting },
  'redis-name-unknown': { name: 'redis.starship.example' },
  'redis-is-sentinel': {},
  'redis-is-cluster': {},
  'redis-old': { version: '5.0.14', least: '6.2' },
  'redis-keeps-keys': {},
  'redis-evicts': { found: 'allkeys-lru' },
  'redis-appends': {},
  'redis-forgets': {},
  'redis-silent': { what: 'maxmemory-policy' },
  'redis-replica': {},
  'audit-intact': { first: 1, last: 12 },
  'audit-broken': { seq: 7, problem: 'altered' },
  'redis-clock-differs': { seconds: 12 },
  'slack-works': { team: 'Starship', bot: 'rollout_doctor' },
  'slack-organisation': { count: 3 },
  'slack-workspaces-unknown': { error },
  'slack-refused': { error },
  'slack-away': { error },
  'slack-unset': { variable: 'SLACK_BOT_TOKEN' },
  'slack-scopes-work': {},
  'slack-scopes-missing': { scopes: ['users:read', 'chat:write'] },
  'slack-no-reactions': { scope: 'reactions:write' },
  'slack-no-emails': { scope: 'users:read.email' },
  'slack-scopes-unknown': {},
  'slack-no-images': { scope: 'files:write' },
  'slack-groups-work': { count: 2 },
  'slack-groups-unknown': { error },
  'slack-group-ignored': { group: 'ml-oncall', problem: 'unknown' },
  'slack-socket-works': {},
  'slack-socket-refused': { error },
  'kubeconfig-wrong': { message: 'no such file or directory' },
  'cluster-works': { cluster, version: 'v1.35.2' },
  'cluster-away': { cluster, because: message },
  'cluster-readable': { cluster },
  'cluster-unreadable': { cluster, what },
  'cluster-unwatchable': { cluster, what },
  'cluster-changeable': { cluster },
  'cluster-unchangeable': { cluster, what },
  'kserve-works': { cluster },
  'kserve-forbidden': { cluster, what },
  'cluster-silent': { cluster },
  'cluster-workers-report': { cluster },
  'cluster-name-shared': { cluster },
  'cluster-api-away': { cluster },
  'cluster-policy-differs': { cluster },
  'cluster-worker-silent': { cluster, role: 'diagnosis' },
};

describe.each(languages)('the result of a check at start, in %s', (language) => {
  const tell = createTell();

  it.each(Object.entries(values))('keeps every name of %s in the log', (key, given) => {
    const sentence = plain(tell({ catalogue: inspectionCatalogueId, key, values: given }, language));

    expect(sentence).not.toBe('');
    expect(redact(sentence)).toBe(sentence);
  });
});
