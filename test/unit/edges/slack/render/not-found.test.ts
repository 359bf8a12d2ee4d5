import { expect, it } from 'vitest';
import { renderNotFound, renderUsage } from '#src/edges/slack/render/answers.js';

it.each([
  ['en', { name: 'status' }, 'No namespace contains a workload with a similar name'],
  ['en', { name: 'status', namespace: 'ml' }, 'Check the namespace, or leave it out'],
  ['ko', { name: 'status' }, '모든 네임스페이스에 비슷한 이름이 없습니다'],
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
  expect(renderUsage({ key: 'kind-not-supported', values: { kinds } }, 'ko').text).toContain(says);
});
