import { expect, it } from 'vitest';
import { renderNotFound, renderUsage } from '#src/edges/slack/render/answers.js';
import { aloud } from '../../../../support/read-aloud.js';

it.each([
  ['en', { name: 'status' }, 'No namespace contains a workload with a similar name'],
  ['en', { name: 'status', namespace: 'ml' }, 'Check the namespace, or leave it out'],
  ['ko', { name: 'status' }, '어느 네임스페이스에도 비슷한 이름이 없습니다'],
  ['ko', { name: 'status', namespace: 'ml' }, '네임스페이스를 빼고'],
] as const)('in %s, the hint for %o fits the searched namespaces', (language, query, hint) => {
  const found = { type: 'not-found', what: 'workload', name: 'status', nearest: [] } as const;
  expect(renderNotFound(found, query, language).text).toContain(hint);
});

it.each([
  ['en', 'exists in the namespace'],
  ['ko', '오브젝트가 있지만'],
] as const)('in %s, states what the controller of an object without workloads reports', (language, says) => {
  const conditions = [
    { type: 'PredictorReady', reason: 'ReconcileFailed', message: 'strategy is <invalid>' },
  ];
  const childless = { name: 'isvc/llm', namespace: 'ml', conditions };
  const found = { type: 'not-found', what: 'below', name: 'llm', nearest: [], childless } as const;
  const { text } = renderNotFound(found, { name: 'llm' }, language);

  expect(text).toContain(says);
  expect(text).toContain('ReconcileFailed');
});

it.each([
  ['CronJobs', 'CronJob 진단은'],
  ['Ingresses', 'Ingress 진단은'],
])('names the kind %s in the singular in Korean', (kinds, says) => {
  const { text } = renderUsage({ key: 'kind-not-supported', values: { kinds, ask: 'scan' } }, 'ko');

  expect(text).toContain(says);
});

it.each([
  ['a namespace that does not exist', 'namespace', []],
  ['no workload of that namespace', 'workload', ['shop/gpu-a']],
] as const)('states that a Node is not diagnosed when node/gpu-a is not found: %s', (_, what, nearest) => {
  const found = { type: 'not-found', what, name: 'node', nearest } as const;
  expect(renderNotFound(found, { namespace: 'node', name: 'gpu-a' }, 'en').text).toContain(
    'Nodes are not supported yet.',
  );
});

it('offers the workload where a workload of that namespace is near', () => {
  const found = { type: 'not-found', what: 'workload', name: 'jobs/wbe', nearest: ['jobs/web'] } as const;
  const { blocks } = renderNotFound(found, { namespace: 'jobs', name: 'wbe' }, 'en');
  expect(aloud(blocks)).toContain('[jobs/web]');
});

it.each([
  ['en', 'message-of-pod', 'Paste a message from the events of its pod: explain'],
  ['ko', 'message-of-pod', '파드의 이벤트 메시지를 붙여 넣으면'],
  ['en', 'workload-that-uses-it', 'Enter the workload that uses it'],
  ['ko', 'workload-that-uses-it', '이를 사용하는 워크로드를 입력하세요'],
  ['en', 'scan', 'scan -A diagnoses'],
  ['ko', 'scan', 'scan -A 명령으로'],
] as const)(
  'in %s, names what people can ask in place of a kind that is not diagnosed: %s',
  (language, ask, says) => {
    const { text } = renderUsage({ key: 'kind-not-supported', values: { kinds: 'Jobs', ask } }, language);

    expect(text).toContain(says);
  },
);

it.each([
  ['en', '`ml` is a namespace. `scan ml` diagnoses all of its workloads.'],
  ['ko', '`ml`은 네임스페이스입니다. `scan ml` 명령으로'],
] as const)('in %s, offers a scan for the name of a namespace', (language, says) => {
  const found = { type: 'not-found', what: 'workload', name: 'ml', nearest: [], isNamespace: true } as const;
  const { blocks } = renderNotFound(found, { name: 'ml' }, language);

  expect(aloud(blocks)).toContain(says);
  expect(JSON.stringify(blocks)).toContain('"value":"scan ml"');
});

it.each([
  ['en', '`ml/inference` is a `Deployment`, not a `StatefulSet`.'],
  ['ko', '`ml/inference` 워크로드는 `StatefulSet`이 아니라 `Deployment`입니다.'],
] as const)('in %s, names the workload of another kind that has the name', (language, says) => {
  const workload = { cluster: 'prod', kind: 'Deployment', namespace: 'ml', name: 'inference' } as const;
  const asked = { kind: 'StatefulSet', name: 'inference' } as const;
  const missing = {
    type: 'not-found',
    what: 'workload',
    name: 'inference',
    nearest: ['ml/inference'],
  } as const;
  const { blocks } = renderNotFound({ ...missing, ofOtherKind: [workload] }, asked, language);

  expect(aloud(blocks)).toContain(says);
  expect(aloud(blocks)).toContain('[Deployment ml/inference (prod)]');
});
