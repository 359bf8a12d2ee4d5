import { describe, expect, it } from 'vitest';
import { namesInText } from '#src/doctor/alerts/names-in-text.js';
import type { NamedPod } from '#src/doctor/alerts/subject.js';
import type { NamedWorkload } from '#src/doctor/commands/command.js';

const web: NamedWorkload = { namespace: 'shop', name: 'web' };
const deployment: NamedWorkload = { ...web, kind: 'Deployment' };
const loose: NamedWorkload = { kind: 'Deployment', name: 'web' };
const pod: NamedPod = { name: 'web-7d9c5b8f6-x2k4p' };

describe('workloads in a text', () => {
  it.each<[string, string, readonly NamedWorkload[]]>([
    ['namespace and name', 'see shop/web now', [web]],
    ['kind and name', 'deployment/web', [loose]],
    ['namespace, kind and name', 'shop/deployment/web', [deployment]],
    ['cluster, namespace and name', 'prod/shop/web', [{ cluster: 'prod', ...web }]],
    ['everything', 'prod/shop/deploy/web', [{ cluster: 'prod', ...deployment }]],
    [
      'a cluster as contexts are called',
      'admin@prod.eu:1/shop/web',
      [{ cluster: 'admin@prod.eu:1', ...web }],
    ],
    ['a cluster name of 253', `${'c'.repeat(253)}/shop/web`, [{ cluster: 'c'.repeat(253), ...web }]],
    ['a cluster name of 254', `${'c'.repeat(254)}/shop/web`, []],
    ['a cluster with letters that none has', 'prod%/shop/web', []],
    ['a cluster that begins with such a letter', '%prod/shop/web', []],
    ['two parts before the namespace', 'eu/prod/shop/web', []],
    ['a path of files', 'usr/local/share/man/web', []],
    ['a namespace without a letter', '3/web', []],
    ['a namespace in capitals', 'Shop/web', []],
    ['a namespace with a dot', 'example.com/web', []],
    ['a name without a letter', 'shop/3', []],
    ['a name in capitals', 'shop/Web', []],
    ['words with a slash', 'and/or, on/off, not/web', []],
    ['an article before a path', 'the/shop/web', []],
    ['a word of a sentence after a kind', 'deployment/status', []],
    ['the notation of Argo CD', 'Degraded (Caused by apps/Deployment:shop/web)', [deployment]],
    ['its notation without a group', 'Caused by Deployment:shop/web and 2 more', [deployment]],
    ['its notation of another kind', 'Caused by Service:shop/web', []],
    ['its notation without a namespace', 'Caused by apps/Deployment:web', []],
    ['the end of a sentence', 'Look at shop/web.', [web]],
    ['an exclamation', 'shop/web!?', [web]],
    ['dots before', '...shop/web', [web]],
    ['brackets', '(shop/web)', [web]],
    ['square brackets', '[shop/web]', [web]],
    ['quotes', '"shop/web"', [web]],
    ['a comma', 'shop/web,shop/db', [web, { namespace: 'shop', name: 'db' }]],
    ['the same twice', 'shop/web and shop/web', [web]],
    ['a Rollout', 'rollout/web', [{ kind: 'Rollout', name: 'web' }]],
    ['a Rollout with its namespace', 'shop/rollouts.argoproj.io/web', [{ ...web, kind: 'Rollout' }]],
    ['a LeaderWorkerSet', 'shop/lws/web', [{ ...web, kind: 'LeaderWorkerSet' }]],
    ['an InferenceService', 'shop/isvc/web', [{ ...web, owner: 'InferenceService' }]],
    ['a rollout in a sentence', 'The rollout stalled, and rollout progress is slow', []],
    ['a kind before the name', 'Deployment web', [loose]],
    [
      'a kind before a path',
      'StatefulSet shop/db',
      [
        { namespace: 'shop', kind: 'StatefulSet', name: 'db' },
        { namespace: 'shop', name: 'db' },
      ],
    ],
    ['a kind before a longer path', 'deployment prod/shop/web', [{ cluster: 'prod', ...web }]],
    ['a kind before a path with a bad namespace', 'deployment Shop/web', []],
    ['a kind in a sentence', 'The deployment was restarted', []],
    ['a kind at the end', 'the rollout of the Deployment', []],
    ['a kind before a number', 'deployment 3', []],
    ['a kind before a word with a capital', 'Deployment Web', []],
    ['the namespace after', 'deployment web in namespace shop', [deployment]],
    ['the namespace at once', 'deployment web namespace shop', [deployment]],
    ['the namespace before its word', 'deployment web in the shop namespace', [deployment]],
    ['the namespace with a capital and a colon', 'deployment web (Namespace: shop)', [deployment]],
    ['the namespace five words on', 'deployment web is not ready in namespace shop', [deployment]],
    ['the namespace far away', 'deployment web is not ready since noon in namespace shop', [loose]],
    ['a namespace in capitals after', 'deployment web in namespace Shop', [loose]],
    ['a namespace in capitals before', 'deployment web in the Shop namespace', [loose]],
    ['a word that ends in namespace', 'deployment web in subnamespace shop', [loose]],
    ['a word that begins with namespace', 'deployment web was namespaced shop', [loose]],
    ['an article before namespace', 'deployment web: the namespace shop', [deployment]],
  ])('are found: %s: %s', (_, text, workloads) => {
    expect(namesInText(text).workloads).toEqual(workloads);
  });
});

describe('pods in a text', () => {
  it.each<[string, string, readonly NamedPod[]]>([
    ['by their shape', 'web-7d9c5b8f6-x2k4p crashes', [pod]],
    ['by their shape with the namespace', 'shop/web-7d9c5b8f6-x2k4p', [{ namespace: 'shop', ...pod }]],
    ['by pod/', 'pod/pg-0', [{ name: 'pg-0' }]],
    ['by the short word', 'po/pg-0', [{ name: 'pg-0' }]],
    ['by namespace/pod/', 'shop/pods/pg-0', [{ namespace: 'shop', name: 'pg-0' }]],
    ['with everything', 'prod/shop/pod/pg-0', [{ cluster: 'prod', namespace: 'shop', name: 'pg-0' }]],
    ['by their word', 'pod pg-0', [{ name: 'pg-0' }]],
    ['by their word in capitals', 'PODS pg-0', [{ name: 'pg-0' }]],
    ['by their word and a namespace', 'Pod pg-0 in namespace db', [{ namespace: 'db', name: 'pg-0' }]],
    ['not by a word that begins so', 'podium pg-0', []],
    ['not by a word that ends so', 'tripod pg-0', []],
    ['not where a ReplicaSet is named', 'rs/web-7d9c5b8f6', []],
    ['not where a ReplicaSet is named in full', 'shop/ReplicaSets/web-7d9c5b8f6-x2k4p', []],
    ['not for a word of the sentence', 'pods are gone', []],
    [
      'once, with the namespace elsewhere in the text',
      `${pod.name} … shop/${pod.name}`,
      [{ namespace: 'shop', ...pod }],
    ],
    [
      'each, when only one has a namespace',
      `db-7d9c5b8f6-x2k4p shop/${pod.name}`,
      [{ name: 'db-7d9c5b8f6-x2k4p' }, { namespace: 'shop', ...pod }],
    ],
  ])('%s: %s', (_, text, pods) => {
    expect(namesInText(text)).toMatchObject({ pods, workloads: [] });
  });
});

describe('marks of chats and documents', () => {
  it.each<[string, string, readonly NamedWorkload[]]>([
    ['the label of a link', '<https://x.example/a/b|shop/web>', [web]],
    ['the label of a mail address', '<mailto:a@x.example|shop/web>', [web]],
    ['a label with an empty address', '<https:|shop/web>', [web]],
    ['a bare link', '<https://x.example/shop/db> shop/web', [web]],
    ['a channel, which is no name', '<#C012ABC|team/shop> shop/web', [web]],
    ['a link of Markdown', '[shop/web](https://x.example/shop/db)', [web]],
    ['a link of Markdown without encryption', '[shop/web](http://x.example/shop/db)', [web]],
    ['entities', '&lt;shop/web&gt;', [web]],
    ['an ampersand', 'shop/web &amp; shop/db', [web, { namespace: 'shop', name: 'db' }]],
    ['an address of another scheme', 'git+ssh://host/shop/db shop/web', [web]],
    ['an address in capitals', 'HTTPS://X.EXAMPLE/shop/db shop/web', [web]],
    ['bold', '*shop/web*', [web]],
    ['code', '`shop/web`', [web]],
    ['struck out', '~shop/web~', [web]],
    ['a bullet', '•shop/web', [web]],
  ])('%s', (_, text, workloads) => {
    expect(namesInText(text).workloads).toEqual(workloads);
  });

  it('are not undone twice', () => {
    expect(namesInText('cluster: a&amp;lt;b').labels).toEqual({ cluster: 'a&lt;b' });
  });
});

describe('labels that a text spells out', () => {
  it.each<[string, string, Readonly<Record<string, string>>]>([
    ['with a colon', 'namespace: shop', { namespace: 'shop' }],
    ['with a colon and no space', 'namespace:shop', { namespace: 'shop' }],
    ['with an equals sign', 'deployment=web', { deployment: 'web' }],
    ['with three spaces', 'namespace   :   shop', { namespace: 'shop' }],
    ['not with a gulf between', 'namespace:    shop', {}],
    ['as a selector', '{namespace="shop",deployment="web"}', { namespace: 'shop', deployment: 'web' }],
    ['in brackets', '(pod=pg-0)', { pod: 'pg-0' }],
    ['in bold', '*Namespace:* shop', { namespace: 'shop' }],
    ['in italics', '_namespace_: shop', { namespace: 'shop' }],
    ['in italics with its colon', '_namespace:_ shop', { namespace: 'shop' }],
    ['in capitals', 'NAMESPACE: shop', { namespace: 'shop' }],
    ['with dots in the label', 'k8s.namespace.name: shop', { 'k8s.namespace.name': 'shop' }],
    [
      'without the end of the sentence',
      'namespace: shop.; cluster: prod.eu',
      { namespace: 'shop', cluster: 'prod.eu' },
    ],
    ['the first one counts', 'namespace: shop\nnamespace: db', { namespace: 'shop' }],
    ['not those that are no labels', 'reason: shop', {}],
    ['not in the middle of a word', 'x-namespace: shop', {}],
    ['with the container', 'container: app', { container: 'app' }],
    ['without a value', 'namespace:\n\n\n\n', {}],
    ['without words that are too long for a name', `node: ${'n'.repeat(260)}`, { node: 'n'.repeat(253) }],
  ])('%s', (_, text, labels) => {
    expect(namesInText(text).labels).toEqual(labels);
  });
});

describe('a long text', () => {
  const filler = (words: number): string => 'x '.repeat(words);

  it('is read for 600 words', () => {
    expect(namesInText(`${filler(599)}shop/web`).workloads).toEqual([web]);
    expect(namesInText(`${filler(600)}shop/web`).workloads).toEqual([]);
  });

  it('is read for 8000 characters', () => {
    expect(namesInText(`${' '.repeat(7_992)}shop/web`).workloads).toEqual([web]);
    expect(namesInText(`${' '.repeat(8_000)}shop/web`).workloads).toEqual([]);
  });

  it('names at most six workloads and six pods', () => {
    const all = [1, 2, 3, 4, 5, 6, 7, 8];
    const { workloads, pods } = namesInText(all.map((n) => `shop/web${n} pod/pg-${n}`).join(' '));
    expect(workloads.map(({ name }) => name)).toEqual(['web1', 'web2', 'web3', 'web4', 'web5', 'web6']);
    expect(pods.map(({ name }) => name)).toEqual(['pg-1', 'pg-2', 'pg-3', 'pg-4', 'pg-5', 'pg-6']);
  });
});
