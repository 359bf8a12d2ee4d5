import { describe, expect, it } from 'vitest';
import { cleanText } from '#src/doctor/commands/clean-text.js';
import { commandText, isClusterName, isNamespaceName, isWorkloadName } from '#src/doctor/commands/command.js';
import { parseCommand } from '#src/doctor/commands/parse-command.js';
import { takeOptions } from '#src/doctor/commands/parse-workload.js';
import { memberKindOf, workloadKindOf } from '#src/doctor/commands/workload-kind.js';

describe('changes of a text by chat programs are undone', () => {
  it.each<[string, string, string]>([
    ['several spaces', 'a   b', 'a b'],
    ['a line break', 'a\nb', 'a b'],
    ['a tab', 'a\tb', 'a b'],
    ['a next-line character', 'a\u0085b', 'a b'],
    ['zero-width characters', 'a\u200bb', 'ab'],
    ['control characters', 'a\u0007b', 'ab'],
    ['a variation selector', 'a\ufe0fb', 'ab'],
    ['double quotes of all kinds', '“a” „b‟ «c» ＂d＂', '"a" "b" "c" "d"'],
    ['single quotes of all kinds', '‘a’ ‚b‛ ′c＇', "'a' 'b' 'c'"],
    ['a wide slash', 'ml／web', 'ml/web'],
    ['code marks', '`a` ``b`` ```c```', 'a b c'],
    ['a long dash before a word', '—namespace ml', '--namespace ml'],
    ['a long dash before a letter', '—n ml', '-n ml'],
    ['a long dash after a quote', '"—namespace', '"--namespace'],
    ['a dash and a long dash', '-—namespace', '--namespace'],
    ['dashes within a word', 'gpu‑server a—b', 'gpu-server a-b'],
    ['a long dash before a digit', '—2', '-2'],
    ['a mention', '<@U012ABC> a', 'a'],
    ['a mention with its name', '<@U012ABC|doctor> a', 'a'],
    ['a channel with its name', '<#C012ABC|ml> a', 'ml a'],
    ['a link with its label', '<https://x.example/a|b> c', 'b c'],
    ['a link without a label to a name', '<http://ml/a/>', 'ml/a'],
    ['not the address of a page', '<https://x.example/a/>', 'https://x.example/a/'],
    ['a link with an empty label', '<http://x.example|>', 'x.example'],
    ['a mail address', '<mailto:a@x.example>', 'a@x.example'],
    ['entities', '&lt;a&gt; &amp; b', '<a> & b'],
    ['an entity that was written', '&amp;lt;', '&lt;'],
    ['letters in parts', 'e\u0301', '\u00e9'],
    ['spaces around', '  a  ', 'a'],
  ])('%s', (_, text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it('for the first 4000 characters, and a longer text ends in the same way as a scheduler message', () => {
    expect(cleanText('a'.repeat(4_000))).toBe('a'.repeat(4_000));
    expect(cleanText('a'.repeat(4_001))).toBe(`${'a'.repeat(3_996)} ...`);
  });
});

describe('Kubernetes names', () => {
  it.each<[string, boolean, boolean]>([
    ['web', true, true],
    ['w', true, true],
    ['3', true, true],
    ['web-2', true, true],
    ['a'.repeat(63), true, true],
    ['a'.repeat(64), false, true],
    ['a'.repeat(253), false, true],
    ['a'.repeat(254), false, false],
    ['web.v2', false, true],
    ['web..v2', false, false],
    ['.web', false, false],
    ['web.', false, false],
    ['-web', false, false],
    ['web-', false, false],
    ['web.-v2', false, false],
    ['Web', false, false],
    ['we_b', false, false],
    ['web ', false, false],
    [' web', false, false],
    ['', false, false],
  ])('"%s" may be a namespace: %s, a workload: %s', (name, namespace, workload) => {
    expect([isNamespaceName(name), isWorkloadName(name)]).toEqual([namespace, workload]);
  });

  it.each<[string, boolean]>([
    ['arn:aws:eks:eu-west-1:12:cluster/prod', true],
    ['Prod_EU@admin', true],
    ['c'.repeat(253), true],
    ['c'.repeat(254), false],
    ['', false],
    ['a b', false],
    ['<a', false],
    ['a>', false],
    ['"a', false],
    ["a'b", false],
    ['a`', false],
  ])('"%s" may be a cluster: %s', (name, good) => {
    expect(isClusterName(name)).toBe(good);
  });
});

describe('words for workload kinds', () => {
  it.each([
    ['deployments', 'Deployment'],
    ['deployment', 'Deployment'],
    ['deploy', 'Deployment'],
    ['statefulsets', 'StatefulSet'],
    ['statefulset', 'StatefulSet'],
    ['sts', 'StatefulSet'],
    ['daemonsets', 'DaemonSet'],
    ['daemonset', 'DaemonSet'],
    ['ds', 'DaemonSet'],
    ['StatefulSet.apps', 'StatefulSet'],
    ['daemonsets.v1.apps', 'DaemonSet'],
    ['deploy.', 'Deployment'],
    ['deployment.apps.example', undefined],
    ['deployment.v2.apps', undefined],
    ['appsdeployment', undefined],
    ['de.ployment', undefined],
    ['job', undefined],
  ])('%s: %s', (word, kind) => {
    expect(workloadKindOf(word)).toBe(kind);
  });

  it.each([
    ['pods', true],
    ['pod', true],
    ['po', true],
    ['replicasets', true],
    ['replicaset', true],
    ['rs', true],
    ['ReplicaSets.apps', true],
    ['rs.v1.apps', true],
    ['rs.apps.x', false],
    ['deploy', false],
  ])('%s has an owner: %s', (word, owned) => {
    expect(memberKindOf(word) !== undefined).toBe(owned);
  });
});

describe('command options', () => {
  const none = { allNamespaces: false };

  it.each<[string, string, object]>([
    ['none', 'a b', { words: ['a', 'b'], ...none }],
    ['short', '-n ml a', { words: ['a'], namespace: 'ml', ...none }],
    ['short, in one', 'a -nml', { words: ['a'], namespace: 'ml', ...none }],
    ['short, with =', '-n=ml', { words: [], namespace: 'ml', ...none }],
    ['long', '--namespace ml', { words: [], namespace: 'ml', ...none }],
    ['long, with =', '--namespace=ml', { words: [], namespace: 'ml', ...none }],
    ['long, shortened', '--ns ml', { words: [], namespace: 'ml', ...none }],
    ['in capitals', '--Namespace ml', { words: [], namespace: 'ml', ...none }],
    ['for a cluster', '--cluster eu', { words: [], cluster: 'eu', ...none }],
    ['for a context', '--context=eu', { words: [], cluster: 'eu', ...none }],
    ['for a cluster, short', '-c eu', { words: [], cluster: 'eu', ...none }],
    ['for all', '-A', { words: [], allNamespaces: true }],
    ['for all, small', '-a x', { words: ['x'], allNamespaces: true }],
    ['for all, long', '--all-namespaces', { words: [], allNamespaces: true }],
    ['with a value in quotes', '-n "ml"', { words: [], namespace: 'ml', ...none }],
    ['with a value in quotes after =', `--namespace='ml'`, { words: [], namespace: 'ml', ...none }],
    ['with a comma behind', '-n ml, a;', { words: ['a'], namespace: 'ml', ...none }],
    ['twice with the same value', '-n ml --namespace=ml', { words: [], namespace: 'ml', ...none }],
    ['with = in the value', '--cluster=a=b', { words: [], cluster: 'a=b', ...none }],
    ['with a value that begins with a dash', '--cluster=-a', { words: [], cluster: '-a', ...none }],
    ['not a lone dash', '- a', { words: ['-', 'a'], ...none }],
    ['not with quotes only', '"" a', { words: ['a'], ...none }],
  ])('%s: %s', (_, text, words) => {
    expect(takeOptions(text)).toEqual(words);
  });

  it.each<[string, string, string, object]>([
    ['an unknown option', '--force', 'option-unknown', { option: '--force' }],
    ['an unknown option with a value', '--force=yes', 'option-unknown', { option: '--force' }],
    ['a long option that begins like the short one', '--nml', 'option-unknown', { option: '--nml' }],
    ['an option that ends like the short one', '-x-nml', 'option-unknown', { option: '-x-nml' }],
    ['an unknown short option in capitals', '-X', 'option-unknown', { option: '-X' }],
    ['an option without a value', 'a -n', 'option-empty', { option: '-n' }],
    ['an option with an empty value', '--namespace=', 'option-empty', { option: '--namespace' }],
    ['an option with quotes as its value', '-n=""', 'option-empty', { option: '-n' }],
    ['an option before another one', '-c -n ml', 'option-empty', { option: '-c' }],
    ['two namespaces', '-n a --ns b', 'given-twice', { option: 'namespace', first: 'a', second: 'b' }],
    ['two clusters', '-c a --context b', 'given-twice', { option: 'cluster', first: 'a', second: 'b' }],
  ])('with an error are answered with the problem: %s', (_, text, key, values) => {
    expect(takeOptions(text)).toMatchObject({ type: 'usage', problem: { key, values } });
  });
});

describe('an invalid request is answered with the problem', () => {
  it.each<[string, string, object]>([
    ['scan ml shop', 'further-words', { words: ['shop'], meant: 'scan ml' }],
    ['scan ml -n shop', 'given-twice', { option: 'namespace', first: 'shop', second: 'ml' }],
    ['scan m.l', 'namespace-invalid', { name: 'm.l' }],
    ['scan ml -c <a', 'cluster-invalid', { name: '<a' }],
    ['scan --force', 'option-unknown', { option: '--force' }],
    ['scan /', 'namespace-missing', {}],
    ['incidents of today', 'further-words', { words: ['of', 'today'], meant: 'incidents' }],
    ['silences now', 'further-words', { words: ['now'], meant: 'silences' }],
    ['deploy inference now', 'too-many-words', { words: ['inference', 'now'] }],
    ['inference ml', 'further-words', { words: [], meant: 'inference/ml' }],
    ['inference in ml', 'further-words', { words: ['in'], meant: 'ml/inference' }],
    ['ml/x now', 'further-words', { words: ['now'], meant: 'ml/x' }],
    ['restart ml/x now', 'further-words', { words: ['now'], meant: 'restart ml/x' }],
    ['changes allow now', 'further-words', { words: ['now'], meant: 'changes allow' }],
    ['ml/x,ml/y', 'too-many-words', { words: ['ml/y'] }],
    ['repair ml/x', 'verb-misspelt', { verb: 'repair', meant: 'ml/x' }],
    ['https://grafana.example/d/abc', 'address-given', {}],
    ['<https://grafana.example/d/abc?var-namespace=shop>', 'address-given', {}],
    ['silence ml/x forever', 'duration-invalid', { text: 'forever' }],
    ['scan *', 'namespace-missing', {}],
    ['deploy /', 'name-missing', {}],
    ['deploy pod/x', 'kind-twice', { first: 'deploy', second: 'pod/x' }],
    ['cronjob/x', 'kind-not-supported', { kinds: 'CronJobs', ask: 'message-of-pod' }],
    ['job/ml/x', 'kind-not-supported', { kinds: 'Jobs' }],
    ['jobs.batch/x', 'kind-not-supported', { kinds: 'Jobs' }],
    ['node n-a', 'kind-not-supported', { kinds: 'Nodes', ask: 'scan' }],
    ['cronjob/x -n ml', 'kind-not-supported', { kinds: 'CronJobs' }],
    ['cronjobs.batch x -n ml', 'kind-not-supported', { kinds: 'CronJobs' }],
    ['jobs/x -n ml', 'kind-not-supported', { kinds: 'Jobs' }],
    ['job x', 'kind-not-supported', { kinds: 'Jobs' }],
    ['svc/x -n ml', 'kind-not-supported', { kinds: 'Services', ask: 'workload-that-uses-it' }],
    ['scna ml', 'verb-misspelt', { verb: 'scna', meant: 'scan ml' }],
    ['restrat ml/x', 'verb-misspelt', { verb: 'restrat', meant: 'restart ml/x' }],
    ['silense ml/x 2h', 'verb-misspelt', { verb: 'silense', meant: 'silence ml/x 2h' }],
    ['silense ml/x', 'further-words', { words: ['silense'], meant: 'ml/x' }],
    ['ml/x -n shop', 'given-twice', { option: 'namespace', first: 'shop', second: 'ml' }],
    ['eu/ml/x -c us', 'given-twice', { option: 'cluster', first: 'us', second: 'eu' }],
    ['ml/x -c <a', 'cluster-invalid', { name: '<a' }],
    ['m.l/x', 'namespace-invalid', { name: 'm.l' }],
    ['ml/x_y', 'name-invalid', { name: 'x_y' }],
    ['silence ml/x 2h30', 'duration-invalid', { text: '2h30' }],
    ['silence ml/x off now please', 'too-many-words', { words: ['now', 'please'] }],
    ['silence ml/x 2Y', 'duration-invalid', { text: '2Y' }],
    ['silence ml/x 1234567m', 'duration-invalid', { text: '1234567m' }],
  ])('%s: %s', (text, key, values) => {
    expect(parseCommand(text)).toMatchObject({ type: 'usage', problem: { key, values } });
  });
});

describe('a request is parsed', () => {
  const query = { namespace: 'ml', name: 'x' };
  const silence = (seconds: number, reason = '') => ({ type: 'silence', query, seconds, reason });
  const deployment = { type: 'diagnose', query: { ...query, kind: 'Deployment' } };
  const rollout = { type: 'diagnose', query: { ...query, kind: 'Rollout' } };
  const groups = { type: 'diagnose', query: { ...query, kind: 'LeaderWorkerSet' } };
  const knative = { type: 'diagnose', query: { ...query, kind: 'KnativeService' } };
  const dynamo = { type: 'diagnose', query: { ...query, kind: 'DynamoGraphDeployment' } };
  const inferenceService = { type: 'diagnose', query: { ...query, owner: 'InferenceService' } };
  const llmInferenceService = { type: 'diagnose', query: { ...query, owner: 'LLMInferenceService' } };
  const ray = { type: 'diagnose', query: { ...query, kind: 'RayService' } };

  it.each<[string, object]>([
    ['-h', { type: 'help' }],
    ['--help', { type: 'help' }],
    ['help me', { type: 'help' }],
    ['look ml/x', { type: 'diagnose', query }],
    ['DIAGNOSE ml/x', { type: 'diagnose', query }],
    ['scan ML', { type: 'scan', namespace: 'ml' }],
    ['scan -n ML', { type: 'scan', namespace: 'ml' }],
    ['scan ml -n ml', { type: 'scan', namespace: 'ml' }],
    ['scan a/b/ml', { type: 'scan', namespace: 'ml', cluster: 'a/b' }],
    ['scan /ml', { type: 'scan', namespace: 'ml' }],
    ['scan eu/ -A', { type: 'scan', cluster: 'eu' }],
    ['scan eu/ -n ml', { type: 'scan', namespace: 'ml', cluster: 'eu' }],
    ['scan eu/ml -c us', { type: 'scan', namespace: 'ml', cluster: 'us' }],
    ['scan -A -c eu', { type: 'scan', cluster: 'eu' }],
    ['explain \'a "b" c\'', { type: 'explain', sentence: 'a "b" c' }],
    ['silence ml/x 1m', silence(60)],
    ['silence ml/x 1min', silence(60)],
    ['silence ml/x 1H', silence(3_600)],
    ['silence ml/x 43200m', silence(30 * 86_400)],
    ['silence ml/x FOR 2h since then', silence(7_200, 'since then')],
    ['silence ml/x 2h 3h', silence(7_200, '3h')],
    ['silence ml/x off', { type: 'unsilence', query }],
    ['rollout/x -n ml', rollout],
    ['ksvc/x -n ml', knative],
    ['knativeservice/x -n ml', knative],
    ['services.serving.knative.dev/x -n ml', knative],
    ['ksvc.v1.serving.knative.dev/x -n ml', knative],
    ['rayservice/x -n ml', ray],
    ['rayservices.ray.io/x -n ml', ray],
    ['rayservices.v1.ray.io/x -n ml', ray],
    ['dgd/x -n ml', dynamo],
    ['dynamographdeployment/x -n ml', dynamo],
    ['dynamographdeployments.nvidia.com/x -n ml', dynamo],
    ['dynamographdeployments.v1beta1.nvidia.com/x -n ml', dynamo],
    ['isvc/x -n ml', inferenceService],
    ['ml/inferenceservice/x', inferenceService],
    ['isvc x -n ml', inferenceService],
    ['inferenceservices.serving.kserve.io/x -n ml', inferenceService],
    ['inferenceservices.v1beta1.serving.kserve.io/x -n ml', inferenceService],
    ['llmisvc/x -n ml', llmInferenceService],
    ['llminferenceservices.v1alpha2.serving.kserve.io/x -n ml', llmInferenceService],
    ['lws/x -n ml', groups],
    ['leaderworkerset/x -n ml', groups],
    ['leaderworkersets.leaderworkerset.x-k8s.io/x -n ml', groups],
    ['leaderworkersets.v1.leaderworkerset.x-k8s.io/x -n ml', groups],
    ['ml/ro/x', rollout],
    ['rollouts x -n ml', rollout],
    ['ml/rollouts.argoproj.io/x', rollout],
    ['ml/rollouts.v1alpha1.argoproj.io/x', rollout],
    ['kubectl argo rollouts get rollout x -n ml -w', rollout],
    ['kubectl argo rollouts status x -n ml', rollout],
    ['kubectl argo rollouts get ro x -n ml -w', rollout],
    ['kubectl argo rollouts get rollouts x -n ml', rollout],
    ['kubectl argo rollouts retry ro x -n ml', rollout],
    ['kubectl argo rollouts promote x -n ml --full', rollout],
    ['kubectl rollout status deploy/x -n ml', deployment],
    ['kubectl rollout history deploy/x -n ml', deployment],
    ['kubectl rollout restart deploy/x -n ml', deployment],
    ['kubectl rollout undo deploy/x -n ml', deployment],
    ['kubectl rollout pause deploy/x -n ml', deployment],
    ['kubectl rollout resume deploy/x -n ml', deployment],
    ['kubectl describe deploy/x -n ml', deployment],
    ['kubectl get deploy x -n ml -o yaml', deployment],
    ['kubectl get deploy x -n ml -oyaml', deployment],
    ['kubectl get deploy x -n ml -o=wide', deployment],
    ['kubectl get deploy x -n ml --output=json', deployment],
    ['kubectl get deploy x --output json -n ml', deployment],
    ['kubectl rollout status deploy/x --watch -n ml', deployment],
    ['kubectl rollout status deploy/x --watch=false -n ml', deployment],
    ['kubectl rollout status deploy/x --timeout=5m -n ml', deployment],
    ['kubectl get', { type: 'bare' }],
  ])('%s', (text, command) => {
    expect(parseCommand(text)).toEqual(command);
  });

  it.each<[string, string]>([
    ['another command of kubectl', 'kubectl delete deploy/x -n ml'],
    ['kubectl not at the beginning', 'run kubectl get deploy/x'],
    ['a word that only begins like a subcommand', 'kubectl getx deploy/x'],
    ['two dollars', '$ $ kubectl get deploy/x'],
  ])('not %s', (_, text) => {
    expect(parseCommand(text)).toMatchObject({ type: 'usage' });
  });
});

describe('the text of a button', () => {
  it.each<[string, Parameters<typeof commandText>, string]>([
    [
      'with all parts',
      ['history', { cluster: 'eu', kind: 'StatefulSet', namespace: 'ml', name: 'x' }],
      'history statefulset/x -n ml --cluster eu',
    ],
    ['with a name only', ['audit', { name: 'x' }], 'audit x'],
    ['with further words', ['silence', { namespace: 'ml', name: 'x' }, '2h'], 'silence x -n ml 2h'],
  ])('%s', (_, given, text) => {
    expect(commandText(...given)).toBe(text);
  });
});
