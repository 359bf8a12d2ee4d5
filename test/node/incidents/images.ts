import type { V1PodSpec, V1Secret } from '@kubernetes/client-node';
import {
  allReady,
  type NodeIncident,
  podOf,
  polite,
  program,
  restarted,
  run,
  type Scene,
  waitsFor,
} from './incident.js';

const pulled =
  (id: string, policy = 'IfNotPresent', tag = '1') =>
  (host: string): V1PodSpec =>
    podOf({ name: 'app', image: `${host}/${id}:${tag}`, imagePullPolicy: policy });
const pullRefused = waitsFor('ErrImagePull', 'ImagePullBackOff');

const credentials = (name: string): V1Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  type: 'kubernetes.io/dockerconfigjson',
  stringData: {
    '.dockerconfigjson': JSON.stringify({
      auths: { '127.0.0.1:20450': { username: 'node', password: 'test' } },
    }),
  },
});
const withCredentials =
  (id: string, secrets: readonly string[]) =>
  (host: string): V1PodSpec => ({
    ...podOf({ ...program(`${polite} ${run}`), image: `${host}/${id}:1`, imagePullPolicy: 'IfNotPresent' }),
    nodeSelector: { 'kubernetes.io/hostname': 'node-a' },
    imagePullSecrets: secrets.map((name) => ({ name })),
  });
/** Another revision on the same node, with the image that the old one runs. */
const updatePod =
  (spec: object) =>
  ({ cluster, namespace }: Scene): Promise<void> =>
    cluster.patch({ kind: 'Deployment', namespace, name: 'web' }, { spec: { template: { spec } } });

/** Images that are not given, and images that are given late. */
export const images: readonly NodeIncident[] = [
  {
    id: 'registry-broken',
    title: 'the registry answers 500',
    registry: 'broken',
    pod: pulled('registry-broken'),
    reached: pullRefused,
    cause: 'image-pull-failure',
    facts: { refusal: 'registry-error' },
  },
  {
    id: 'registry-overloaded',
    title: 'the registry answers 503',
    registry: 'overloaded',
    pod: pulled('registry-overloaded'),
    reached: pullRefused,
    cause: 'image-pull-failure',
    facts: { refusal: 'registry-error' },
  },
  {
    id: 'registry-limited',
    title: 'the registry answers 429',
    registry: 'limited',
    pod: pulled('registry-limited'),
    reached: pullRefused,
    cause: 'image-pull-failure',
    facts: { refusal: 'rate-limited' },
  },
  {
    id: 'registry-unauthorised',
    title: 'the registry wants a name and a password',
    registry: 'unauthorised',
    pod: pulled('registry-unauthorised'),
    reached: pullRefused,
    cause: 'image-pull-failure',
    facts: { refusal: 'not-authorised' },
  },
  {
    id: 'registry-missing',
    title: 'the registry has no such repository',
    registry: 'missing',
    pod: pulled('registry-missing'),
    reached: pullRefused,
    cause: 'image-pull-failure',
    facts: { refusal: 'not-found' },
  },
  {
    id: 'tag-missing',
    title: 'the registry has the repository, and not its tag',
    pod: pulled('tag-missing', 'IfNotPresent', '2'),
    reached: pullRefused,
    cause: 'image-pull-failure',
    facts: { refusal: 'not-found' },
  },
  {
    id: 'registry-lies',
    title: 'the registry gives other bytes than its manifest promises',
    registry: 'lie',
    pod: pulled('registry-lies'),
    reached: pullRefused,
    cause: 'image-pull-failure',
    facts: { refusal: 'other-content' },
  },
  {
    id: 'image-gone-in-a-crash-loop',
    title: 'the registry answers 500 while a container of its image crashes',
    pod: (host) =>
      podOf({
        ...program('sleep 3; exit 5'),
        image: `${host}/image-gone-in-a-crash-loop:1`,
        imagePullPolicy: 'Always',
      }),
    steps: [
      { reached: restarted(1), act: ({ registry, namespace }) => registry.behave(namespace, 'broken') },
    ],
    reached: pullRefused,
    cause: 'image-pull-failure',
    facts: { refusal: 'registry-error', exitCode: 5 },
  },
  {
    id: 'image-pulled-in-a-crash-loop',
    title: 'the registry serves the image at each start of a container that crashes',
    pod: (host) =>
      podOf({
        ...program('sleep 3; exit 5'),
        image: `${host}/image-pulled-in-a-crash-loop:1`,
        imagePullPolicy: 'Always',
      }),
    reached: restarted(3),
    cause: 'application-crash',
    never: ['image-pull-failure'],
  },
  {
    id: 'registry-recovered',
    title: 'the registry answered 500 at first, and serves the image now',
    registry: 'broken',
    pod: (host) =>
      podOf({
        ...program(`${polite} ${run}`),
        image: `${host}/registry-recovered:1`,
        imagePullPolicy: 'Always',
      }),
    steps: [{ reached: pullRefused, act: ({ registry, namespace }) => registry.behave(namespace, 'serve') }],
    reached: allReady(),
    cause: null,
    never: ['image-pull-failure'],
  },
  {
    id: 'registry-serves',
    title: 'the registry serves the image',
    pod: (host) =>
      podOf({
        ...program(`${polite} ${run}`),
        image: `${host}/registry-serves:1`,
        imagePullPolicy: 'Always',
      }),
    reached: allReady(),
    cause: null,
  },
  {
    id: 'registry-refuses-connections',
    title: 'nothing listens at the address of the registry',
    pod: () => podOf({ name: 'app', image: '127.0.0.1:1/app:1' }),
    reached: pullRefused,
    cause: 'image-pull-failure',
    facts: { refusal: 'unreachable' },
  },
  {
    id: 'image-name-invalid',
    title: 'the name of the image is none',
    pod: (host) => podOf({ name: 'app', image: `${host}/UPPER:1` }),
    reached: waitsFor('ErrImagePull', 'InvalidImageName', 'ImagePullBackOff'),
    cause: 'image-pull-failure',
    facts: { refusal: 'invalid-name' },
  },
  {
    id: 'image-never-pulled',
    title: 'the template forbids the pull of an image that is not on the node',
    pod: pulled('image-never-pulled', 'Never'),
    reached: waitsFor('ErrImageNeverPull'),
    cause: 'image-pull-failure',
    facts: { refusal: 'never-pull' },
  },
  {
    id: 'image-present-and-never-pulled',
    title: 'the template forbids the pull of an image that is on the node',
    pod: () => podOf(program(`${polite} ${run}`, { imagePullPolicy: 'Never' })),
    reached: allReady(),
    cause: null,
  },
  {
    id: 'pull-secret-missing',
    title: 'the pull secret of the template does not exist, and the registry wants a password',
    registry: 'unauthorised',
    pod: (host) => ({ ...pulled('pull-secret-missing')(host), imagePullSecrets: [{ name: 'registry' }] }),
    reached: pullRefused,
    cause: 'image-pull-failure',
    facts: { refusal: 'not-authorised' },
  },
  {
    id: 'init-image-missing',
    title: 'the registry does not have the image of an init container',
    registry: 'missing',
    pod: (host) =>
      podOf(program(run), { initContainers: [{ name: 'migrate', image: `${host}/init-image-missing:1` }] }),
    reached: pullRefused,
    cause: 'image-pull-failure',
    never: ['init-container-stuck'],
    facts: { refusal: 'not-found' },
  },
  {
    id: 'image-of-another-pods-credentials',
    title: 'the image is on the node, and the new revision lacks the credentials that pulled it',
    registry: 'password',
    beside: [credentials('registry')],
    pod: withCredentials('image-of-another-pods-credentials', ['registry']),
    steps: [{ reached: allReady(), act: updatePod({ imagePullSecrets: null }) }],
    reached: pullRefused,
    cause: 'image-pull-failure',
    facts: { refusal: 'not-authorised' },
  },
  {
    id: 'image-present-for-others-and-never-pulled',
    title: 'the image is on the node, and a revision without its credentials may not pull it',
    registry: 'password',
    beside: [credentials('registry')],
    pod: withCredentials('image-present-for-others-and-never-pulled', ['registry']),
    steps: [
      {
        reached: allReady(),
        act: updatePod({ imagePullSecrets: null, containers: [{ name: 'app', imagePullPolicy: 'Never' }] }),
      },
    ],
    reached: waitsFor('ErrImageNeverPull'),
    cause: 'image-pull-failure',
  },
];
