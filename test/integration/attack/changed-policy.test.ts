import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, type Rig, startRig } from '../../support/faults-rig.js';
import { inThisProcess } from '../../support/in-this-process.js';
import { aloud } from '../../support/read-aloud.js';

/** Long enough for a worker to read the file twice. */
const cancelSeconds = 30;
const policyOf = (...users: readonly string[]): string =>
  `grants:
  - { users: [${users.join(', ')}], namespaces: [shop], actions: "*" }
  - { users: [U0MINJUN], namespaces: ["*"], actions: [stop-changes] }
brakes: { cancelSeconds: ${cancelSeconds} }
`;
const processes = ['app-1', 'worker-1'];

let folder: string;
let rig: Rig;
let versions = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-policy-'));
  await mount(policyOf('U0DANA', 'U0MINJUN'));
  await symlink(join('..data', 'policy.yaml'), join(folder, 'policy.yaml'));
  rig = await startRig({ startPart: inThisProcess, env: { POLICY_FILE: join(folder, 'policy.yaml') } });
});

afterAll(async () => {
  await rig?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Exchanges the folder as the kubelet does for a changed ConfigMap. */
async function mount(policy: string): Promise<void> {
  versions += 1;
  const version = `..version-${versions}`;
  await mkdir(join(folder, version));
  await writeFile(join(folder, version, 'policy.yaml'), policy);
  await symlink(version, join(folder, '..new'));
  await rename(join(folder, '..new'), join(folder, '..data'));
}

/** Changes the file, and waits until app and worker have logged these words once more. */
async function mountUntilBoth(policy: string, words: string): Promise<void> {
  const counts = () =>
    processes.map((name) => rig.logged.filter((line) => line.process === name && line.msg === words).length);
  const before = counts();
  await mount(policy);
  await eventually(`app and worker log "${words}"`, () =>
    counts().every((count, position) => count > (before[position] ?? 0)),
  );
}

const changed = 'the policy has changed';
const faulty = 'the policy file has a fault; the last good policy counts';

/** Opens the Home tab, and waits for a page that contains or leaves out these words. */
async function home(person: string, how: 'with' | 'without', words: string): Promise<string> {
  const actor = rig.slack.as(person);
  actor.opensHome();
  return rig.slack.until(
    () => {
      const says = aloud(actor.home()?.blocks ?? []);
      return says.includes('inference') && says.includes(words) === (how === 'with') ? says : undefined;
    },
    { what: `the page of ${person} ${how} "${words}"` },
  );
}

it('refuses the click of a person whom the changed policy no longer names, without a restart', async () => {
  await rig.ask('deploy/inference -n shop');
  const card = await rig.untilDeadlock();
  const review = await rig.review('dana', card);
  await mountUntilBoth(policyOf('U0MINJUN'), changed);
  await rig.slack.as('dana').submits(review, { reason: 'deadlock' });

  expect(await rig.untilModal('dana', 'not approve')).toContain('@U0MINJUN');
  expect(rig.changes()).toEqual([]);
});

it('keeps the last good policy while the file has a fault, and shows the fault to those responsible', async () => {
  await mountUntilBoth('grants:\n  - { user: [U0DANA], namespaces: [shop], actions: "*" }\n', faulty);

  expect(await rig.counted('rollout_doctor_policy_readable')).toBe(0);
  expect(await home('min-jun', 'with', '정책 파일에 오류가 있습니다')).toContain('앱 로그');
  expect(await home('dana', 'with', '1 open incident')).not.toContain('policy file');
  await rig.opensReview('dana', await rig.untilDeadlock());
  await rig.untilModal('dana', 'not approve');

  await mountUntilBoth(policyOf('U0DANA', 'U0MINJUN'), changed);
  expect(await rig.counted('rollout_doctor_policy_readable')).toBe(processes.length);
  await home('min-jun', 'without', '정책 파일');
});

it('sends no change whose approver the policy no longer names when the worker starts it', async () => {
  await rig.approve('dana', await rig.untilDeadlock());
  await rig.untilCard('Cancel the change');
  await mountUntilBoth(policyOf('U0MINJUN'), changed);
  await rig.untilCard('The policy no longer accepts this approval');

  expect(rig.changes()).toEqual([]);
  expect(rig.strategy()).not.toContain('"maxSurge":0');
});
