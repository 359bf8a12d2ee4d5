import { afterEach, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type LocalGitHost, startLocalGitHost } from '../../../demo/git-host/local-git-host.js';
import { applyManifest } from '../../../demo/git-owner/apply-manifest.js';
import type { Message } from '../../../demo/slack/workspace/model.js';
import { deployment, opened, quick } from '../../support/crashes-stage.js';
import { eventually, type Rig, startRig } from '../../support/faults-rig.js';

const repository = 'acme/deploy';

let rig: Rig | undefined;
let git: LocalGitHost | undefined;

afterEach(async () => {
  await rig?.stop();
  await git?.close();
});

type Form = 'a manifest' | 'a Kustomize build';

/** The recorded deadlock in a namespace that a repository declares, on real parts. */
async function started(form: Form) {
  const host = await startLocalGitHost({ repositories: { [repository]: {} } });
  git = host;
  const settings = {
    github: { appId: host.app.appId, apiUrl: host.url, privateKey: { env: 'GITHUB_PRIVATE_KEY' } },
    repositories: [repository],
    sources: [{ namespaces: ['shop'], repository, path: 'prod' }],
  };
  const stack = await startRig({
    cluster: { kubelet: quick },
    git: JSON.stringify(settings),
    env: { GITHUB_PRIVATE_KEY: host.app.privateKey },
  });
  rig = stack;
  const { spec } = deployment(stack, 'shop', 'inference');
  const { selector, template } = spec as { readonly selector: object; readonly template: object };
  const declared = {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'inference', namespace: 'shop' } },
    spec: { replicas: 1, selector, template },
  };
  const text = stringify(declared);
  const store = host.repository(repository);
  if (form === 'a manifest') store.commitFile('main', 'prod/inference.yaml', text);
  else {
    store.commitFile('main', 'base/inference.yaml', text);
    store.commitFile('main', 'base/kustomization.yaml', 'resources: [inference.yaml]\n');
    for (const overlay of ['prod', 'staging']) {
      store.commitFile('main', `${overlay}/kustomization.yaml`, 'resources: [../base]\n');
    }
  }
  await stack.ask('deploy/inference -n shop');
  return { stack, host, declared, card: await stack.untilCard('[Open a pull request]') };
}

async function restart({ workers: [worker] }: Rig): Promise<void> {
  await worker?.kill();
  await worker?.start();
}

async function approved(stack: Rig, card: Message, file: string): Promise<void> {
  const view = await opened(stack, 'dana', card, 'Open a pull request', file);
  await stack.slack.as('dana').submits(view, { reason: 'deadlock' });
}

/** One branch and one pull request, and a card that links to it. */
async function expectOne(stack: Rig, host: LocalGitHost): Promise<void> {
  await stack.untilCard('Pull request open');
  expect(host.pulls(repository)).toHaveLength(1);
  expect(host.repository(repository).branches()).toHaveLength(2);
  expect(stack.cards()).toHaveLength(1);
  expect(stack.changes()).toEqual([]);
}

const fileOf = (form: Form): string =>
  form === 'a manifest' ? 'prod/inference.yaml' : 'prod/kustomization.yaml';

it.each<[Form, string, string, boolean]>([
  ['a manifest', 'before the blob is stored', 'POST /git/blobs', false],
  ['a Kustomize build', 'after the branch is created', 'POST /git/refs', true],
  ['a manifest', 'before the pull request is opened', 'POST /pulls', false],
  ['a Kustomize build', 'after the pull request is opened', 'POST /pulls', true],
])(
  'a worker that is killed while it changes %s, %s, leaves one pull request',
  async (form, _, on, afterwards) => {
    const { stack, host, card } = await started(form);
    host.fail({ on, status: 200, hangs: true, afterwards });
    const [verb, end = ''] = on.split(' ');
    await approved(stack, card, fileOf(form));
    await eventually('the request is on its way', () =>
      host.requests.some(({ method, path }) => method === verb && path.endsWith(end)),
    );
    await restart(stack);

    await expectOne(stack, host);
  },
);

it('a worker that is killed during the preview is replaced by one that previews again', async () => {
  const { stack, host, card } = await started('a manifest');
  const head = host.repository(repository).headOf('main') ?? '';
  host.fail({ on: `GET /git/commits/${head}`, status: 200, hangs: true });
  await stack.slack.as('dana').clicks(card, 'Open a pull request');
  await eventually('the request is on its way', () => host.requests.some(({ path }) => path.endsWith(head)));
  await restart(stack);
  await stack.slack
    .until(
      () => {
        const view = stack.slack.as('dana').modal();
        return view?.submit !== undefined || JSON.stringify(view).includes('no result arrived')
          ? view
          : undefined;
      },
      { what: 'the answer in the modal' },
    )
    .then((view) => stack.slack.as('dana').closes(view));
  await approved(stack, card, fileOf('a manifest'));

  await expectOne(stack, host);
});

it('a worker that is killed after the merge is replaced by one that states the recovery', async () => {
  const { stack, host, declared, card } = await started('a Kustomize build');
  await approved(stack, card, fileOf('a Kustomize build'));
  await expectOne(stack, host);
  host.merge(repository, 1);
  await stack.untilCard('Pull request merged');
  await restart(stack);
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
  applyManifest(stack.cluster.registry, stringify({ ...declared, spec: { ...declared.spec, strategy } }));

  await stack.untilCard('Recovered');
  expect(host.pulls(repository)).toHaveLength(1);
  expect(stack.cards()).toHaveLength(1);
});
