import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command } from '#src/doctor/commands/command.js';
import { changeWords, commandText } from '#src/doctor/commands/command.js';
import { parseCommand } from '#src/doctor/commands/parse-command.js';
import { resolveWorkload } from '#src/doctor/commands/resolve-workload.js';
import type { RequestedChange } from '#src/doctor/fixes/requested-change.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';

const inference = { namespace: 'ml', name: 'inference' };

describe('user requests', () => {
  const requests: readonly (readonly [sentence: string, text: string, command: Command])[] = [
    ['the audit of everything', 'audit', { type: 'audit' }],
    ['the audit of one workload', 'audit ml/inference', { type: 'audit', query: inference }],
    ['the audit in Korean', '감사 ml/inference', { type: 'audit', query: inference }],
    ['incidents in capitals', 'INCIDENTS', { type: 'incidents' }],
    ['incidents in Korean', '인시던트', { type: 'incidents' }],
    ['history in kubectl syntax', 'history deploy inference -n ml', historyOf('Deployment')],
    ['history in Korean', '이력 sts/inference -n ml', historyOf('StatefulSet')],
    ['a scan in Korean', '스캔 ml', { type: 'scan', namespace: 'ml' }],
    ['the list of silences', 'silence', { type: 'silences' }],
    ['the list of silences in another form', 'silences', { type: 'silences' }],
    ['the end of a silence', 'silence ml/inference off', { type: 'unsilence', query: inference }],
    ['the end of a silence in capitals', 'silence ml/inference OFF', { type: 'unsilence', query: inference }],
    ['the end of a silence in Korean', '음소거 ml/inference 해제', { type: 'unsilence', query: inference }],
    ['the end of a silence in one word', 'unsilence ml/inference', { type: 'unsilence', query: inference }],
    ['a silence of a day', 'silence ml/inference 1d', silence(86_400)],
    ['a silence of any length, which settings limit', 'silence ml/inference 400d', silence(400 * 86_400)],
    ['a silence in Korean', '음소거 ml/inference 30m', silence(1_800)],
    ['a restart', 'restart ml/inference', change({ kind: 'restart-rollout' })],
    ['a restart in Korean and capitals', '재시작 ML/inference', change({ kind: 'restart-rollout' })],
    ['a rollback', 'Rollback inference -n ml', change({ kind: 'undo-rollout' })],
    ['resuming', 'resume ml/inference', change({ kind: 'resume-rollout' })],
    ['a promotion', 'promote ml/inference', change({ kind: 'promote-rollout' })],
    ['a promotion in Korean', '승격 ml/inference', change({ kind: 'promote-rollout' })],
    ['a retry', 'retry ml/inference', change({ kind: 'retry-rollout' })],
    ['a retry in Korean', '재시도 ml/inference', change({ kind: 'retry-rollout' })],
    ['an abort', 'ABORT ml/inference', change({ kind: 'abort-rollout' })],
    ['an abort in Korean', '중단 ml/inference', change({ kind: 'abort-rollout' })],
    ['an exclusion of one node', 'exclude ml/inference gpu-a', exclusion('gpu-a')],
    [
      'an exclusion of several nodes',
      'exclude ml/inference from gpu-a, gpu-b,GPU-a',
      exclusion('gpu-a', 'gpu-b'),
    ],
    ['a node that is called from', 'exclude ml/inference from', exclusion('from')],
    ['an exclusion with options', 'exclude inference gpu-a -n ml gpu-b', exclusion('gpu-a', 'gpu-b')],
    [
      'an exclusion as kubectl spells the workload, in Korean',
      '제외 deploy inference -n ml gpu-a',
      {
        type: 'change',
        query: { kind: 'Deployment', namespace: 'ml', name: 'inference' },
        change: { kind: 'exclude-nodes', nodes: ['gpu-a'] },
      },
    ],
    [
      'a workload that is called restart',
      'ml/restart',
      { type: 'diagnose', query: { namespace: 'ml', name: 'restart' } },
    ],
    [
      'a reason that ends in off',
      'silence ml/inference 2h node n-b is off',
      silence(7_200, 'node n-b is off'),
    ],
    [
      'a workload that is called off',
      'silence deploy/off -n ml 2h',
      {
        type: 'silence',
        query: { kind: 'Deployment', namespace: 'ml', name: 'off' },
        seconds: 7_200,
        reason: '',
      },
    ],
    [
      'a restart of an InferenceService',
      'restart isvc/llm -n ml',
      {
        type: 'change',
        query: { owner: 'InferenceService', namespace: 'ml', name: 'llm' },
        change: { kind: 'restart-rollout' },
      },
    ],
    [
      'an exclusion for an InferenceService in two words',
      'exclude isvc llm gpu-a -n ml',
      {
        type: 'change',
        query: { owner: 'InferenceService', namespace: 'ml', name: 'llm' },
        change: { kind: 'exclude-nodes', nodes: ['gpu-a'] },
      },
    ],
    [
      'a silence of the workload that owns a pod',
      'silence pod/inference-5c96 -n ml 2h',
      {
        type: 'silence',
        query: { member: 'Pod', namespace: 'ml', name: 'inference-5c96' },
        seconds: 7_200,
        reason: '',
      },
    ],
    [
      'a silence of an LLMInferenceService',
      'silence ml/llmisvc/llm 2h',
      {
        type: 'silence',
        query: { owner: 'LLMInferenceService', namespace: 'ml', name: 'llm' },
        seconds: 7_200,
        reason: '',
      },
    ],
  ];

  it.each(requests)('%s: %s', (_, text, command) => {
    expect(parseCommand(text)).toEqual(command);
  });

  const usages: readonly (readonly [sentence: string, text: string, key: string])[] = [
    ['words after incidents', 'incidents now', 'further-words'],
    ['a restart without a workload', 'restart', 'name-missing'],
    ['a restart of two', 'restart ml/a ml/b', 'too-many-words'],
    ['a restart of a pod', 'restart pod/x', 'kind-not-diagnosed'],
    ['a restart of a RayCluster', 'restart raycluster/x', 'kind-not-diagnosed'],
    ['the end of a silence of a pod', 'silence pod/x off', 'kind-not-diagnosed'],
    ['an exclusion without nodes', 'exclude ml/inference', 'nodes-missing'],
    ['an exclusion without nodes', 'exclude', 'name-missing'],
    ['an exclusion of an invalid node name', 'exclude ml/inference gpu_a', 'node-invalid'],
    [
      'an exclusion of eleven nodes',
      `exclude ml/inference ${'abcdefghijk'.split('').join(' ')}`,
      'nodes-too-many',
    ],
    ['a history without a workload', 'history', 'name-missing'],
    ['the history of two', 'history ml/inference ml/training', 'too-many-words'],
    ['the audit of a pod', 'audit pod/inference-5c96', 'kind-not-diagnosed'],
    ['the audit of a broadcast', 'audit <!channel>', 'name-invalid'],
    ['a silence without a workload', 'silence 2h', 'name-missing'],
    ['a silence of the name off without a duration', 'silence off', 'duration-missing'],
    ['an end of a silence with a further word', 'silence ml/inference off now', 'too-many-words'],
    ['a silence with an unknown unit', 'silence ml/inference 2y', 'duration-invalid'],
    ['a silence without a unit', 'silence ml/inference 20', 'duration-invalid'],
    ['a silence of seven digits', 'silence ml/inference 1000000d', 'duration-invalid'],
    ['a silence with a negative duration', 'silence ml/inference -2h', 'option-unknown'],
    ['a silence of an invalid name', 'silence ml/infer_ence 2h', 'name-invalid'],
    ['an end of a silence without a name', 'unsilence', 'name-missing'],
  ];

  it.each(usages)('%s is answered with the problem: %s', (_, text, key) => {
    expect(parseCommand(text)).toMatchObject({ type: 'usage', problem: { key } });
  });
});

const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,20}[a-z0-9])?$/);
const kind = fc.constantFrom('Deployment' as const, 'StatefulSet' as const, 'DaemonSet' as const);

it('the text of a button parses to its request', () => {
  fc.assert(
    fc.property(
      fc.record({ cluster: label, kind, namespace: label, name: label }),
      fc.constantFrom('diagnose', 'history', 'audit', 'unsilence'),
      (workload: WorkloadRef, verb) => {
        expect(parseCommand(commandText(verb, workload))).toEqual({ type: verb, query: workload });
      },
    ),
    { numRuns: 200 },
  );
  const workload = {
    cluster: 'arn:aws:eks:eu-west-1:12:cluster/prod',
    kind: 'Deployment',
    ...inference,
  } as const;
  expect(parseCommand(commandText('silence', workload, '90m node swap'))).toEqual({
    type: 'silence',
    query: workload,
    seconds: 5_400,
    reason: 'node swap',
  });
  const change: RequestedChange = { kind: 'exclude-nodes', nodes: ['gpu-a', 'gpu-b'] };
  const { verb, rest } = changeWords(change);
  expect(parseCommand(commandText(verb, workload, rest))).toEqual({
    type: 'change',
    query: workload,
    change,
  });
});

describe('a workload with records', () => {
  const ref = (fields: Partial<WorkloadRef>): WorkloadRef => ({
    cluster: 'prod',
    kind: 'Deployment',
    namespace: 'ml',
    name: 'inference',
    ...fields,
  });
  const dev = ref({ namespace: 'ml-dev' });
  const known = [dev, ref({}), ref({ name: 'training' }), ref({ kind: 'StatefulSet', name: 'db' })];

  it('is found by its name, when the name is unique', () => {
    expect(resolveWorkload({ name: 'db' }, known)).toEqual({
      type: 'one',
      workload: ref({ kind: 'StatefulSet', name: 'db' }),
    });
  });

  it('is ambiguous when several have the name, in the order of their names', () => {
    expect(resolveWorkload({ name: 'inference' }, known)).toEqual({
      type: 'several',
      workloads: [ref({}), dev],
    });
  });

  it.each([
    ['namespace', { namespace: 'ml-dev', name: 'inference' }, dev],
    ['kind', { kind: 'StatefulSet', name: 'db' }, ref({ kind: 'StatefulSet', name: 'db' })],
    ['cluster', { cluster: 'prod', namespace: 'ml', name: 'inference' }, ref({})],
  ] as const)('is identified by its %s', (_, query, workload) => {
    expect(resolveWorkload(query, known)).toEqual({ type: 'one', workload });
  });

  it.each([
    ['another kind', { kind: 'DaemonSet', name: 'db' }],
    ['another cluster', { cluster: 'test', name: 'db' }],
    ['another namespace', { namespace: 'shop', name: 'db' }],
  ] as const)('is not found for %s', (_, query) => {
    expect(resolveWorkload(query, known).type).toBe('none');
  });

  it('is not found for a part of its name, with suggestions', () => {
    expect(resolveWorkload({ name: 'infer' }, known)).toEqual({ type: 'none', near: [ref({}), dev] });
    expect(resolveWorkload({ name: 'web' }, known)).toEqual({ type: 'none', near: [] });
  });
});

function historyOf(kind: 'Deployment' | 'StatefulSet'): Command {
  return { type: 'history', query: { ...inference, kind } };
}

function silence(seconds: number, reason = ''): Command {
  return { type: 'silence', query: inference, seconds, reason };
}

function change(asked: RequestedChange): Command {
  return { type: 'change', query: inference, change: asked };
}

function exclusion(...nodes: readonly string[]): Command {
  return change({ kind: 'exclude-nodes', nodes });
}
