import { message, messages, type ProtobufField, type ProtobufMessage, text, texts } from './protobuf.js';

const status: ProtobufField = { name: 'status', type: 'ignored' };

const metadata = message('metadata', {
  1: text('name'),
  2: text('generateName'),
  3: text('namespace'),
  8: { name: 'creationTimestamp', type: 'ignored' },
  11: { name: 'labels', type: 'map' },
  12: { name: 'annotations', type: 'map' },
});

const container: ProtobufMessage = {
  1: text('name'),
  2: text('image'),
  3: texts('command'),
  4: texts('args'),
  5: text('workingDir'),
  6: messages('ports', {
    1: text('name'),
    2: { name: 'hostPort', type: 'int' },
    3: { name: 'containerPort', type: 'int' },
    4: text('protocol'),
    5: text('hostIP'),
  }),
  7: messages('env', { 1: text('name'), 2: text('value') }),
  8: message('resources', {}),
  14: text('imagePullPolicy'),
};

const deployment: ProtobufMessage = {
  1: metadata,
  2: message('spec', {
    1: { name: 'replicas', type: 'int' },
    2: message('selector', { 1: { name: 'matchLabels', type: 'map' } }),
    3: message('template', { 1: metadata, 2: message('spec', { 2: messages('containers', container) }) }),
    4: message('strategy', {}),
  }),
  3: status,
};

const accessReview: ProtobufMessage = {
  1: metadata,
  2: message('spec', {
    1: message('resourceAttributes', {
      1: text('namespace'),
      2: text('verb'),
      3: text('group'),
      4: text('version'),
      5: text('resource'),
      6: text('subresource'),
      7: text('name'),
    }),
    2: message('nonResourceAttributes', { 1: text('path'), 2: text('verb') }),
  }),
  3: status,
};

const eviction: ProtobufMessage = {
  1: metadata,
  2: message('deleteOptions', { 1: { name: 'gracePeriodSeconds', type: 'int' }, 5: texts('dryRun') }),
};

/**
 * What kubectl's imperative commands send as protobuf
 * (`create deployment|namespace|configmap|serviceaccount`, `auth can-i`, `drain`), by kind. Objects from
 * files are sent as JSON.
 */
export const protobufMessages: Readonly<Record<string, ProtobufMessage>> = {
  ConfigMap: { 1: metadata, 2: { name: 'data', type: 'map' } },
  Deployment: deployment,
  Eviction: eviction,
  Namespace: { 1: metadata, 2: message('spec', {}), 3: status },
  SelfSubjectAccessReview: accessReview,
  SelfSubjectRulesReview: { 1: metadata, 2: message('spec', { 1: text('namespace') }), 3: status },
  ServiceAccount: { 1: metadata },
};
