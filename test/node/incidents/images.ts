import type { V1PodSpec, V1Secret } from '@kubernetes/client-node';
import type { Behaviour } from '../machine/registry.js';
import {
  allReady,
  incident,
  type NodeIncident,
  podOf,
  polite,
  program,
  restarted,
  run,
  type Scene,
  type Step,
  waitsFor,
  works,
} from './incident.js';

const pulled =
  (id: string, policy = 'IfNotPresent', tag = '1') =>
  (host: string): V1PodSpec =>
    podOf({ name: 'app', image: `${host}/${id}:${tag}`, imagePullPolicy: policy });
const pullRefused = waitsFor('ErrImagePull', 'ImagePullBackOff');
/** A pod of this container with the image of this name, which is asked for at each start. */
const always =
  (id: string, script: string) =>
  (host: string): V1PodSpec =>
    podOf({ ...program(script), image: `${host}/${id}:1`, imagePullPolicy: 'Always' });
const refused = (
  id: string,
  title: string,
  pod: NodeIncident['pod'],
  refusal: string,
  { facts, ...more }: Partial<NodeIncident> = {},
): NodeIncident => {
  const all = { refusal, ...facts };
  return incident(id, title, pod, { reached: pullRefused, cause: 'image-pull-failure', ...more, facts: all });
};
/** The registry answers the pull in this way. */
const answers = (registry: Behaviour, id: string, title: string, refusal: string): NodeIncident =>
  refused(id, title, pulled(id), refusal, { registry });
const behaves =
  (behaviour: Behaviour): Step['act'] =>
  ({ registry, namespace }) =>
    registry.behave(namespace, behaviour);

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
  answers('broken', 'registry-broken', 'the registry answers 500', 'registry-error'),
  answers('overloaded', 'registry-overloaded', 'the registry answers 503', 'registry-error'),
  answers('limited', 'registry-limited', 'the registry answers 429', 'rate-limited'),
  answers(
    'unauthorised',
    'registry-unauthorised',
    'the registry wants a name and a password',
    'not-authorised',
  ),
  answers('missing', 'registry-missing', 'the registry has no such repository', 'not-found'),
  refused(
    'tag-missing',
    'the registry has the repository, and not its tag',
    pulled('tag-missing', 'IfNotPresent', '2'),
    'not-found',
  ),
  answers(
    'lie',
    'registry-lies',
    'the registry gives other bytes than its manifest promises',
    'other-content',
  ),
  refused(
    'image-gone-in-a-crash-loop',
    'the registry answers 500 while a container of its image crashes',
    always('image-gone-in-a-crash-loop', 'sleep 3; exit 5'),
    'registry-error',
    { steps: [{ reached: restarted(1), act: behaves('broken') }], facts: { exitCode: 5 } },
  ),
  incident(
    'image-pulled-in-a-crash-loop',
    'the registry serves the image at each start of a container that crashes',
    always('image-pulled-in-a-crash-loop', 'sleep 3; exit 5'),
    { reached: restarted(3), cause: 'application-crash', never: ['image-pull-failure'] },
  ),
  works(
    'registry-recovered',
    'the registry answered 500 at first, and serves the image now',
    always('registry-recovered', `${polite} ${run}`),
    {
      registry: 'broken',
      steps: [{ reached: pullRefused, act: behaves('serve') }],
      never: ['image-pull-failure'],
    },
  ),
  works('registry-serves', 'the registry serves the image', always('registry-serves', `${polite} ${run}`)),
  refused(
    'registry-refuses-connections',
    'nothing listens at the address of the registry',
    () => podOf({ name: 'app', image: '127.0.0.1:1/app:1' }),
    'unreachable',
  ),
  refused(
    'image-name-invalid',
    'the name of the image is none',
    (host) => podOf({ name: 'app', image: `${host}/UPPER:1` }),
    'invalid-name',
    { reached: waitsFor('ErrImagePull', 'InvalidImageName', 'ImagePullBackOff') },
  ),
  refused(
    'image-never-pulled',
    'the template forbids the pull of an image that is not on the node',
    pulled('image-never-pulled', 'Never'),
    'never-pull',
    { reached: waitsFor('ErrImageNeverPull') },
  ),
  works(
    'image-present-and-never-pulled',
    'the template forbids the pull of an image that is on the node',
    program(`${polite} ${run}`, { imagePullPolicy: 'Never' }),
  ),
  refused(
    'pull-secret-missing',
    'the pull secret of the template does not exist, and the registry wants a password',
    (host) => ({ ...pulled('pull-secret-missing')(host), imagePullSecrets: [{ name: 'registry' }] }),
    'not-authorised',
    { registry: 'unauthorised' },
  ),
  refused(
    'init-image-missing',
    'the registry does not have the image of an init container',
    (host) =>
      podOf(program(run), { initContainers: [{ name: 'migrate', image: `${host}/init-image-missing:1` }] }),
    'not-found',
    { registry: 'missing', never: ['init-container-stuck'] },
  ),
  refused(
    'image-of-another-pods-credentials',
    'the image is on the node, and the new revision lacks the credentials that pulled it',
    withCredentials('image-of-another-pods-credentials', ['registry']),
    'not-authorised',
    {
      registry: 'password',
      beside: [credentials('registry')],
      steps: [{ reached: allReady(), act: updatePod({ imagePullSecrets: null }) }],
    },
  ),
  incident(
    'image-present-for-others-and-never-pulled',
    'the image is on the node, and a revision without its credentials may not pull it',
    withCredentials('image-present-for-others-and-never-pulled', ['registry']),
    {
      registry: 'password',
      beside: [credentials('registry')],
      steps: [
        {
          reached: allReady(),
          act: updatePod({ imagePullSecrets: null, containers: [{ name: 'app', imagePullPolicy: 'Never' }] }),
        },
      ],
      reached: waitsFor('ErrImageNeverPull'),
      cause: 'image-pull-failure',
    },
  ),
];
