import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { variables } from '#src/settings/config-variables.js';
import { addOnRights } from '../support/add-on-rights.js';

/** Secrets, and variables that the chart sets itself. */
const notInConfig = new Set([
  'SLACK_BOT_TOKEN',
  'SLACK_BOT_TOKEN_FILE',
  'SLACK_APP_TOKEN',
  'SLACK_APP_TOKEN_FILE',
  'SLACK_SIGNING_SECRET',
  'SLACK_SIGNING_SECRET_FILE',
  'REDIS_URL',
  'REDIS_CA_FILE',
  'REDIS_PASSWORD_FILE',
  'REDIS_SENTINEL_PASSWORD_FILE',
  'APPROVAL_KEYS',
  'ANSWER_KEYS',
  'STATUS_PORT',
  'POLICY_FILE',
  'PORT',
  'ALERTS_FILE',
  'ALERTS_PORT',
  'LOGIN_CLIENT_SECRET_FILE',
  'LOGIN_PORT',
  'KUBECONFIG',
  'GIT_FILE',
  'WORKERS',
  'CLUSTER_ACCESS',
  'CLUSTER_NAME',
]);

function schemaOf(schema: z.ZodType): unknown {
  const read = (io: 'input' | 'output') => {
    const {
      $schema,
      '~standard': _standard,
      ...rest
    } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    return rest;
  };
  const input = read('input');
  return 'type' in input ? input : read('output');
}

const object = (properties: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  additionalProperties: false,
  properties,
});

const name = { type: 'string' };
const isEnabled = { type: 'boolean' };
const texts = { type: 'object', additionalProperties: { type: 'string' } };
const port = { type: 'integer', minimum: 1, maximum: 65_535 };
const count = { type: 'integer', minimum: 1 };
const variableNames = { type: 'array', items: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$' } };
/** Peers of a NetworkPolicy; the API server checks what is in them. */
const peers = {
  type: 'array',
  items: object({
    ipBlock: { type: 'object' },
    namespaceSelector: { type: 'object' },
    podSelector: { type: 'object' },
  }),
};
const quantity = { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?([EPTGMk]i?)?$' };
const has = (properties: Readonly<Record<string, unknown>>) => ({
  properties,
  required: Object.keys(properties),
});
const whenEnabled = (needed: Readonly<Record<string, unknown>>) => ({
  if: has({ enabled: { const: true } }),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON schema
  then: has(needed),
});
const filled = { type: 'string', minLength: 1 };

const environmentVariable = {
  ...object({
    name: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
    value: { type: 'string' },
    valueFrom: { type: 'object' },
  }),
  required: ['name'],
};
const role = object({
  replicas: { type: 'integer', minimum: 1 },
  resources: { type: 'object' },
  terminationGracePeriodSeconds: { type: 'integer', minimum: 40 },
});

function valuesSchema(): unknown {
  const config = Object.values(variables)
    .filter(({ name }) => !notInConfig.has(name))
    .map(({ name, means, schema }) => [name, { ...Object(schemaOf(schema)), description: means }] as const);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...object({
      global: { type: 'object' },
      image: object({
        repository: { type: 'string', minLength: 1 },
        tag: { type: 'string' },
        digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
        pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
      }),
      imagePullSecrets: { type: 'array', items: filled },
      part: { enum: ['all', 'app', 'cluster'] },
      clusterName: { type: 'string', pattern: '^([A-Za-z0-9][A-Za-z0-9._-]{0,99})?$' },
      existingSecret: filled,
      slackCredentialFiles: isEnabled,
      externalSecret: {
        ...object({
          enabled: isEnabled,
          store: object({ kind: { enum: ['SecretStore', 'ClusterSecretStore'] }, name }),
          key: name,
          refreshInterval: { type: 'string', pattern: '^[0-9]+(s|m|h)$' },
        }),
        ...whenEnabled({ key: filled, store: { properties: { name: filled }, required: ['name'] } }),
      },
      config: object(Object.fromEntries(config)),
      policy: name,
      alerts: name,
      alertSecrets: variableNames,
      git: name,
      gitSecrets: variableNames,
      kubeconfig: object({ readerSecret: name, patcherSecret: name }),
      redisSecret: object({ name, caKey: name, passwordKey: name, sentinelPasswordKey: name }),
      login: object({ enabled: isEnabled }),
      rbac: object({
        namespaces: { type: 'array', items: { type: 'string', minLength: 1 } },
        addOns: { type: 'array', uniqueItems: true, items: { enum: Object.keys(addOnRights) } },
      }),
      app: role,
      diagnosis: role,
      remediation: role,
      priorityClassName: name,
      nodeSelector: texts,
      tolerations: { type: 'array', items: { type: 'object' } },
      affinity: { type: 'object' },
      podAnnotations: texts,
      extraEnv: { type: 'array', items: environmentVariable },
      serviceAccount: object({ annotations: texts }),
      ingress: {
        ...object({ enabled: isEnabled, className: name, host: name, tlsSecret: name, annotations: texts }),
        ...whenEnabled({ host: filled }),
      },
      httpRoute: {
        ...object({ enabled: isEnabled, host: name, gateway: object({ name, namespace: name }) }),
        ...whenEnabled({ host: filled, gateway: { properties: { name: filled }, required: ['name'] } }),
      },
      redis: object({
        enabled: isEnabled,
        image: filled,
        maxMemory: { type: 'string', pattern: '^[0-9]+(kb|mb|gb)$' },
        resources: { type: 'object' },
        storage: quantity,
        storageClassName: name,
      }),
      networkPolicy: object({
        enabled: isEnabled,
        metricsFrom: peers,
        alertsFrom: peers,
        slackFrom: peers,
        loginFrom: peers,
        apiServer: object({
          cidrs: { type: 'array', items: { type: 'string', pattern: '^[0-9a-fA-F:.]+/[0-9]+$' } },
          port,
        }),
        redis: object({ to: peers, port, sentinelPort: port }),
      }),
      monitoring: object({
        labels: texts,
        serviceMonitor: object({
          enabled: isEnabled,
          interval: { type: 'string', pattern: '^[0-9]+(s|m)$' },
        }),
        rules: object({ enabled: isEnabled }),
        selfBlockedRollouts: object({ enabled: isEnabled }),
        dashboard: object({ enabled: isEnabled, labels: texts }),
      }),
      admissionWarnings: object({ enabled: isEnabled }),
      autoscaling: {
        ...object({
          enabled: isEnabled,
          prometheus: name,
          minReplicas: count,
          maxReplicas: count,
          jobsPerReplica: count,
        }),
        ...whenEnabled({ prometheus: { type: 'string', pattern: '^https?://' } }),
      },
    }),
    allOf: [
      {
        if: has({ login: has({ enabled: { const: true } }), part: { enum: ['all', 'app'] } }),
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON schema
        then: has({ config: { required: ['LOGIN_ISSUER', 'LOGIN_CLIENT_ID', 'LOGIN_BASE_URL'] } }),
      },
      {
        if: has({ config: { required: ['LOGIN_ISSUER'] }, part: { enum: ['all', 'app'] } }),
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON schema
        then: has({ login: has({ enabled: { const: true } }) }),
      },
    ],
  };
}

it('keeps the schema of the chart equal to the settings of the product', async () => {
  const file = fileURLToPath(new URL('../../deploy/chart/values.schema.json', import.meta.url));
  await expect(`${JSON.stringify(valuesSchema(), null, 2)}\n`).toMatchFileSnapshot(file);
});
