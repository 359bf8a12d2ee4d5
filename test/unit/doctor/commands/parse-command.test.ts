import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command, NamedWorkload } from '#src/doctor/commands/command.js';
import { parseCommand } from '#src/doctor/commands/parse-command.js';

const inference = { namespace: 'ml', name: 'inference' };
const deployment = { ...inference, kind: 'Deployment' };

describe('a workload is addressed', () => {
  const spellings: readonly (readonly [sentence: string, text: string, query: object])[] = [
    ['as namespace and name', 'ml/inference', inference],
    ['by its bare name', 'inference', { name: 'inference' }],
    ['with the verb spelled out', 'diagnose ml/inference', inference],
    ['with its cluster', 'prod-eu/ml/inference', { ...inference, cluster: 'prod-eu' }],
    ['in kubectl syntax', 'deploy/inference -n ml', deployment],
    ['with the option first', '-n ml deploy inference', deployment],
    ['with kind and name as two words', 'deploy inference', { kind: 'Deployment', name: 'inference' }],
    ['with the API group', 'deployment.apps/inference --namespace=ml', deployment],
    ['with group and version', 'deployments.v1.apps/inference -n ml', deployment],
    ['with option and value in one word', 'deploy/inference -nml', deployment],
    ['with -n=', 'deploy/inference -n=ml', deployment],
    ['in capitals', 'DEPLOYMENT/Inference -n ML', deployment],
    ['with the kind between namespace and name', 'ml/deploy/inference', deployment],
    ['with everything in one path', 'prod-eu/ml/deploy/inference', { ...deployment, cluster: 'prod-eu' }],
    ['with the context option', 'ml/inference --context prod-eu', { ...inference, cluster: 'prod-eu' }],
    [
      'in a cluster whose name has slashes',
      'arn:aws:eks:eu-west-1:12:cluster/prod/ml/inference',
      { ...inference, cluster: 'arn:aws:eks:eu-west-1:12:cluster/prod' },
    ],
    ['as a short StatefulSet', 'sts/db -n shop', { kind: 'StatefulSet', namespace: 'shop', name: 'db' }],
    [
      'as a plural DaemonSet',
      'daemonsets fluentd -n logs',
      { kind: 'DaemonSet', namespace: 'logs', name: 'fluentd' },
    ],
    ['in backticks', '`ml/inference`', inference],
    ['in a code fence', '```ml/inference```', inference],
    ['in straight quotes', '"ml/inference"', inference],
    ['in curly quotes', '“ml/inference”', inference],
    ['after a mention', '<@U012ABCDEF> ml/inference', inference],
    ['after a mention with a label', '<@U012ABCDEF|rollout-doctor> ml/inference', inference],
    [
      'inside a link that Slack made',
      '<http://prod.example/ml/inference|prod.example/ml/inference>',
      { ...inference, cluster: 'prod.example' },
    ],
    ['inside a link without a label', '<http://ml/inference>', inference],
    ['with a dash that a phone made longer', 'deploy/inference —n ml', deployment],
    ['with two dashes that became one', 'deploy/inference —namespace ml', deployment],
    ['with an en dash', 'deploy/inference –n ml', deployment],
    ['with no-break spaces', 'deploy/inference\u00a0-n\u00a0ml', deployment],
    ['with a zero-width space from a copy', 'ml/\u200binference', inference],
    ['with direction marks', '\u202eml/inference\u202c', inference],
    ['with a no-break hyphen', 'ml/gpu\u2011server', { namespace: 'ml', name: 'gpu-server' }],
    ['with spaces around', '   ml/inference  ', inference],
    ['with a trailing slash', 'ml/inference/', inference],
    ['with the same namespace twice', 'ml/inference -n ml', inference],
    ['with a dot in the name', 'ml/inference.v2', { namespace: 'ml', name: 'inference.v2' }],
    ['by a pasted kubectl line', 'kubectl rollout status deployment/inference -n ml -w', deployment],
    ['by a pasted kubectl get', '$ kubectl get deploy inference -n ml -o yaml', deployment],
    ['in Korean', '진단 ml/inference', inference],
    ['in Korean with the verb at the end', 'ml/inference 진단해줘', inference],
    ['in polite Korean', 'ml/inference 진단해 주세요', inference],
    ['with a courtesy', 'please diagnose ml/inference', inference],
    ['at the end of a sentence', 'ml/inference.', inference],
    ['with an exclamation mark', 'ml/inference!', inference],
    ['in brackets', '(ml/inference)', inference],
    ['in bold', '*ml/inference*', inference],
    ['in slanted text', '_ml/inference_', inference],
    ['struck through', '~ml/inference~', inference],
    ['after an at sign', '@ml/inference', inference],
    ['with spaces around the slash', 'ml / inference', inference],
    ['with the kind before the namespace', 'deploy/ml/inference', deployment],
    ['by a pasted line with a short name of kubectl', 'k get deploy inference -n ml', deployment],
    ['by one of its pods', 'pod/web-5c96 -n ml', { namespace: 'ml', member: 'Pod', name: 'web-5c96' }],
    ['by a path to its pod', 'ml/po/web-5c96', { namespace: 'ml', member: 'Pod', name: 'web-5c96' }],
    [
      'with the kind of its pod first',
      'pod/ml/web-5c96',
      { namespace: 'ml', member: 'Pod', name: 'web-5c96' },
    ],
    ['by one of its ReplicaSets', 'rs web-5c96', { member: 'ReplicaSet', name: 'web-5c96' }],
    ['in a namespace that is called like a kind', 'jobs/web', { namespace: 'jobs', name: 'web' }],
    ['though it has the name of a subcommand', 'deploy/help', { kind: 'Deployment', name: 'help' }],
    ['though it has the name of an object property', 'constructor', { name: 'constructor' }],
  ];

  it.each(spellings)('%s: %s', (_, text, query) => {
    expect(parseCommand(text)).toEqual({ type: 'diagnose', query });
  });
});

describe('a name that resembles a request', () => {
  it.each([
    ['hepl', 'help'],
    ['incident', 'incidents'],
    ['audti', 'audit'],
    ['CrashLoopBackOff', 'explain CrashLoopBackOff'],
    ['OOMKilled', 'explain OOMKilled'],
    ['Pending', 'explain Pending'],
    ['evicted', 'explain Evicted'],
    ['pods', 'scan -A'],
    ['deployments', 'scan -A'],
    ['nodes', 'scan -A'],
    ['namespaces', 'scan -A'],
    ['hi', 'help'],
    ['hello', 'help'],
  ])('%s is a workload unless none exists, and then %s is suggested', (text, meant) => {
    expect(parseCommand(text)).toEqual({ type: 'diagnose', query: { name: text.toLowerCase() }, meant });
  });

  it.each(['resume2', 'api', 'ml/scan', 'diagnose hepl'])('%s is only a workload', (text) => {
    expect(parseCommand(text)).not.toHaveProperty('meant');
  });
});

describe('other requests', () => {
  const requests: readonly (readonly [text: string, command: Command])[] = [
    ['', { type: 'bare' }],
    ['<@U012ABCDEF>', { type: 'bare' }],
    ['help', { type: 'help' }],
    ['HELP', { type: 'help' }],
    ['?', { type: 'help' }],
    ['—help', { type: 'help' }],
    ['도움말', { type: 'help' }],
    ['설명 Pending', { type: 'explain', sentence: 'Pending' }],
    ['incidents', { type: 'incidents' }],
    ['audit', { type: 'audit' }],
    ['scan ml', { type: 'scan', namespace: 'ml' }],
    ['scan -n ml --cluster prod-eu', { type: 'scan', namespace: 'ml', cluster: 'prod-eu' }],
    ['scan prod-eu/ml', { type: 'scan', namespace: 'ml', cluster: 'prod-eu' }],
    ['scan -A', { type: 'scan' }],
    ['ml 스캔', { type: 'scan', namespace: 'ml' }],
    ['kubectl get pods -n ml', { type: 'scan', namespace: 'ml' }],
    ['kubectl get deploy,pods -A', { type: 'scan' }],
    ['help!', { type: 'help' }],
    ['history ml/inference', { type: 'history', query: inference }],
    ['silence ml/inference 2h', { type: 'silence', query: inference, seconds: 7_200, reason: '' }],
    [
      'silence deploy/inference -n ml for 30m node swap',
      {
        type: 'silence',
        query: { ...inference, kind: 'Deployment' },
        seconds: 1_800,
        reason: 'node swap',
      },
    ],
    ['silence 2h ml/inference', { type: 'silence', query: inference, seconds: 7_200, reason: '' }],
    [
      'silence ml/inference 2hours, node swap',
      { type: 'silence', query: inference, seconds: 7_200, reason: 'node swap' },
    ],
    ['음소거 ml/inference 30분', { type: 'silence', query: inference, seconds: 1_800, reason: '' }],
    [
      '0/3 nodes are available: 3 Insufficient cpu.',
      { type: 'explain', sentence: '0/3 nodes are available: 3 Insufficient cpu.' },
    ],
    [
      'explain “0/3 nodes are available: 3 Insufficient cpu.”',
      { type: 'explain', sentence: '0/3 nodes are available: 3 Insufficient cpu.' },
    ],
    [
      'explain 0/1 nodes are available: 1 node(s) had untolerated taint {a: &lt;b&gt;}.',
      { type: 'explain', sentence: '0/1 nodes are available: 1 node(s) had untolerated taint {a: <b>}.' },
    ],
  ];

  it.each(requests)('%s', (text, command) => {
    expect(parseCommand(text)).toEqual(command);
  });
});

describe('a question names the workload that it is about', () => {
  it.each([
    ['why is inference stuck?', { name: 'inference' }],
    ['Why is ml/inference not ready', { namespace: 'ml', name: 'inference' }],
    ['what happened to deploy/api?', { kind: 'Deployment', name: 'api' }],
    ['is the rollout of shop/web still running?', { namespace: 'shop', name: 'web' }],
    ['why is shop/web stuck in staging?', { namespace: 'shop', name: 'web' }],
    ['inference가 왜 멈췄어?', { name: 'inference' }],
    ['왜 ml/inference 배포가 안 돼요', { namespace: 'ml', name: 'inference' }],
  ])('%s', (text, query) => {
    expect(parseCommand(text)).toEqual({ type: 'diagnose', query });
  });

  it.each([
    ['two names', 'why are inference and training stuck?', 'too-many-words'],
    ['no name', 'why is it stuck?', 'too-many-words'],
    ['no question', 'inference ml', 'further-words'],
    ['a Korean word that is no verb', '검사 ml', 'verb-unknown'],
  ])('and none where it has %s: %s', (_, text, key) => {
    expect(parseCommand(text)).toMatchObject({ type: 'usage', problem: { key } });
  });
});

describe('an invalid command is answered with the problem', () => {
  const usages: readonly (readonly [sentence: string, text: string, key: string])[] = [
    ['an underscore in the name', 'ml/inference_v2', 'name-invalid'],
    ['a name that ends in a dash', 'ml/inference-', 'name-invalid'],
    ['a name of 254 characters', `ml/${'a'.repeat(254)}`, 'name-invalid'],
    ['a namespace with a dot', 'm.l/inference', 'namespace-invalid'],
    ['a namespace of 64 characters', `${'a'.repeat(64)}/inference`, 'namespace-invalid'],
    ['a pod where the workload itself is meant', 'restart pod/inference-5c96', 'kind-not-diagnosed'],
    ['two workloads', 'ml/inference ml/training', 'too-many-words'],
    ['words around the name', 'please look at ml/inference', 'further-words'],
    ['two namespaces', 'ml/inference -n shop', 'given-twice'],
    ['two namespace options', 'inference -n ml -n shop', 'given-twice'],
    ['an option we do not have', 'ml/inference --force', 'option-unknown'],
    ['an option without a value', 'inference -n', 'option-empty'],
    ['an option that is followed by another', 'inference -n --cluster prod', 'option-empty'],
    ['options and no name', '-n ml', 'name-missing'],
    ['a kind and no name', 'diagnose', 'name-missing'],
    ['only slashes', '///', 'name-missing'],
    ['a scan without a scope', 'scan', 'namespace-missing'],
    ['an explanation without a message', 'explain ""', 'sentence-missing'],
    ['a silence without end', 'silence ml/inference', 'duration-missing'],
    ['a silence of no time', 'silence ml/inference 0h', 'duration-invalid'],
    ['a silence for ever', 'silence ml/inference forever', 'duration-invalid'],
    ['a broadcast', '<!channel>', 'name-invalid'],
    ['a shell line', '$(rm -rf /)', 'option-unknown'],
  ];

  it.each(usages)('%s: %s', (_, text, key) => {
    expect(parseCommand(text)).toMatchObject({ type: 'usage', problem: { key } });
  });
});

const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,20}[a-z0-9])?$/);
const reserved = new Set(
  'help diagnose look explain scan incidents history audit silence deploy deployment deployments sts statefulset statefulsets ds daemonset daemonsets pod pods po rs replicaset replicasets job cronjob cronjobs cj'.split(
    ' ',
  ),
);
const name = label.filter((text) => !reserved.has(text));
const kind = fc.constantFrom('Deployment' as const, 'StatefulSet' as const, 'DaemonSet' as const);

describe('for random inputs', () => {
  it('a query in kubectl syntax parses to itself', () => {
    fc.assert(
      fc.property(
        fc.record({ cluster: name, kind, namespace: name, name }, { requiredKeys: ['name'] }),
        (query: NamedWorkload) => {
          const text = [
            query.kind === undefined ? query.name : `${query.kind}/${query.name}`,
            query.namespace === undefined ? '' : `-n ${query.namespace}`,
            query.cluster === undefined ? '' : `--cluster ${query.cluster}`,
          ].join(' ');
          expect(parseCommand(text)).toEqual({ type: 'diagnose', query });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('a path parses to itself', () => {
    fc.assert(
      fc.property(fc.record({ cluster: name, namespace: name, name }), (query) => {
        expect(parseCommand(`${query.cluster}/${query.namespace}/${query.name}`)).toEqual({
          type: 'diagnose',
          query,
        });
      }),
      { numRuns: 200 },
    );
  });

  it('no text makes the parser throw, and every parsed query has valid names', () => {
    const noise = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc
        .array(
          fc.oneof(
            fc.constantFrom('-n', '--cluster', '/', '=', 'deploy', '<', '>', '|', '`', '—', '"', '@'),
            fc.string({ maxLength: 5 }),
          ),
          { maxLength: 12 },
        )
        .map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(noise, (text) => {
        const command = parseCommand(text);
        if (command.type !== 'diagnose') return;
        expect(command.query.name).toMatch(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/);
        expect(command.query.namespace ?? 'x').toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
        expect(command.query.cluster ?? 'x').not.toMatch(/\s/);
      }),
      { numRuns: 1_000 },
    );
  });

  it('a paste of 100 kB is parsed quickly', () => {
    expect(parseCommand('—n '.repeat(33_000)).type).toBe('usage');
    expect(parseCommand('<'.repeat(100_000)).type).toBe('usage');
  });
});
