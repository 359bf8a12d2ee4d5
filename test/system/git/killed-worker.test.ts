import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { JsonObject } from '../../../demo/cluster/json.js';
import { type LocalGitHost, startLocalGitHost } from '../../../demo/git-host/local-git-host.js';
import { applyManifest } from '../../../demo/git-owner/apply-manifest.js';
import { deployment, opened, quick } from '../../support/crashes-stage.js';
import { eventually, type Rig, startRig } from '../../support/faults-rig.js';

type Form = 'a manifest' | 'a Kustomize build';

/** The request in which the worker is killed, before or after the Git host has carried it out. */
const steps: readonly (readonly [string, Form, string, boolean])[] = [
  ['before the blob is stored', 'a manifest', 'POST /git/blobs', false],
  ['after the branch is created', 'a Kustomize build', 'POST /git/refs', true],
  ['before the pull request is opened', 'a manifest', 'POST /pulls', false],
  ['after the pull request is opened', 'a Kustomize build', 'POST /pulls', true],
];
const namespaces = [...steps.map((_, at) => `step-${at}`), 'previewed', 'merged'];
const formOf = (namespace: string): Form =>
  steps[namespaces.indexOf(namespace)]?.[1] ?? (namespace === 'merged' ? 'a Kustomize build' : 'a manifest');
const repositoryOf = (namespace: string) => `acme/${namespace}`;
const fileOf = (namespace: string): string =>
  formOf(namespace) === 'a manifest' ? 'prod/inference.yaml' : 'prod/kustomization.yaml';

let rig: Rig;
let git: LocalGitHost;
/** The words about the namespaces, each of which a repository of its own declares. */
const at = new Map<string, Rig>();
const declared = new Map<string, JsonObject>();

const placeOf = (namespace: string): Rig => {
  const place = at.get(namespace);
  if (place === undefined) throw new Error(`nothing in ${namespace}`);
  return place;
};

async function declare(namespace: string): Promise<void> {
  const place = await rig.also(namespace);
  at.set(namespace, place);
  const { spec } = deployment(rig, namespace, 'inference');
  const { selector, template } = spec as { readonly selector: JsonObject; readonly template: JsonObject };
  const object = {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'inference', namespace } },
    spec: { replicas: 1, selector, template },
  };
  declared.set(namespace, object);
  const store = git.repository(repositoryOf(namespace));
  if (formOf(namespace) === 'a manifest') store.commitFile('main', 'prod/inference.yaml', stringify(object));
  else {
    store.commitFile('main', 'base/inference.yaml', stringify(object));
    store.commitFile('main', 'base/kustomization.yaml', 'resources: [inference.yaml]\n');
    for (const overlay of ['prod', 'staging'])
      store.commitFile('main', `${overlay}/kustomization.yaml`, 'resources: [../base]\n');
  }
  await rig.ask(`deploy/inference -n ${namespace}`);
}

const cardIn = (namespace: string) => placeOf(namespace).untilCard('[Open a pull request]');

async function approve(namespace: string): Promise<void> {
  const view = await opened(rig, 'dana', await cardIn(namespace), 'Open a pull request', fileOf(namespace));
  await rig.slack.as('dana').submits(view, { reason: 'deadlock' });
}

/** The next request to the repository that matches gets no answer; waits until it is on its way. */
async function hang(namespace: string, on: string, afterwards: boolean, act: () => Promise<void>) {
  const [verb, end = ''] = on.split(' ');
  const path = `/repos/${repositoryOf(namespace)}${end}`;
  git.fail({ on: `${verb} ${path}`, status: 200, hangs: true, afterwards });
  await act();
  await eventually(`${on} in ${namespace} is on its way`, () =>
    git.requests.some((sent) => sent.method === verb && sent.path === path),
  );
}

/** One branch and one pull request, and a card that links to it. */
async function expectOne(namespace: string): Promise<void> {
  const place = placeOf(namespace);
  await place.untilCard('Pull request open');
  expect(git.pulls(repositoryOf(namespace))).toHaveLength(1);
  expect(git.repository(repositoryOf(namespace)).branches()).toHaveLength(2);
  expect(place.cards()).toHaveLength(1);
  expect(place.changes()).toEqual([]);
}

beforeAll(async () => {
  const repositories = namespaces.map(repositoryOf);
  git = await startLocalGitHost({ repositories: Object.fromEntries(repositories.map((name) => [name, {}])) });
  const settings = {
    github: { appId: git.app.appId, apiUrl: git.url, privateKey: { env: 'GITHUB_PRIVATE_KEY' } },
    repositories,
    sources: namespaces.map((namespace) => ({
      ...{ namespaces: [namespace], repository: repositoryOf(namespace), path: 'prod' },
    })),
  };
  rig = await startRig({
    cluster: { kubelet: quick },
    git: JSON.stringify(settings),
    // What hangs goes on to hang until the worker is killed.
    env: { GITHUB_PRIVATE_KEY: git.app.privateKey, READ_TIMEOUT_SECONDS: '60' },
  });
  for (const namespace of namespaces) await declare(namespace);
  await approve('merged');
  await expectOne('merged');
  git.merge(repositoryOf('merged'), 1);
  await placeOf('merged').untilCard('Pull request merged');
  for (const [index, [, , on, afterwards]] of steps.entries())
    await hang(`step-${index}`, on, afterwards, () => approve(`step-${index}`));
  const head = git.repository(repositoryOf('previewed')).headOf('main') ?? '';
  const card = await cardIn('previewed');
  await hang('previewed', `GET /git/commits/${head}`, false, async () => {
    await rig.slack.as('dana').clicks(card, 'Open a pull request');
  });
  const [worker] = rig.workers;
  await worker?.kill();
  await worker?.start();
}, 600_000);

afterAll(async () => {
  await rig?.stop();
  await git?.close();
});

describe('a worker that is killed', () => {
  it.each(steps.map(([when, form], index) => [form, when, `step-${index}`] as const))(
    'while it changes %s, %s, leaves one pull request',
    (_form, _when, namespace) => expectOne(namespace),
  );

  it('during the preview is replaced by one that previews again', async () => {
    const dana = rig.slack.as('dana');
    const answer = await rig.slack.until(
      () => {
        const view = dana.modal();
        const isOver = view?.submit !== undefined || JSON.stringify(view).includes('no result arrived');
        return isOver ? view : undefined;
      },
      { what: 'the answer in the modal' },
    );
    await dana.closes(answer);
    await approve('previewed');
    await expectOne('previewed');
  });

  it('after the merge is replaced by one that states the recovery', async () => {
    const { spec, ...object } = declared.get('merged') as { readonly spec: JsonObject };
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
    applyManifest(rig.cluster.registry, stringify({ ...object, spec: { ...spec, strategy } }));

    await placeOf('merged').untilCard('Recovered');
    expect(git.pulls(repositoryOf('merged'))).toHaveLength(1);
    expect(placeOf('merged').cards()).toHaveLength(1);
  });
});
