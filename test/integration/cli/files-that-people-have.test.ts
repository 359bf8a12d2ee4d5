import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collapses } from '../../support/collapsed-spaces.js';
import { type Ran, scenario } from '../../support/command-line-run.js';
import { rolloutDoctor } from '../../support/run-command-line.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Nine pods are wanted, and three of them crash on one node. */
const incident = scenario('crash-on-one-node');
const { items } = JSON.parse(readFileSync(join(incident, 'objects.json'), 'utf8')) as {
  readonly items: readonly { readonly kind: string }[];
};

function storeObjects(...kinds: readonly string[]): void {
  for (const kind of kinds) {
    const list = { apiVersion: 'v1', kind: 'List', items: items.filter((each) => each.kind === kind) };
    writeFileSync(join(folder, `${kind}.json`), JSON.stringify(list));
  }
}

function diagnose(path: string, ...options: readonly string[]): Promise<Ran> {
  return rolloutDoctor(['diagnose', 'shop/api', '--from', path, ...options]);
}

describe('the objects of a crash loop on one node', () => {
  it('have their cause and exit status 1 without the ReplicaSets', async () => {
    storeObjects('Deployment', 'Pod', 'Event', 'Node');
    const { status, out } = await diagnose(folder, '-o', 'json');
    expect(status, out).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ ready: { pods: 6, wanted: 9 } });
    expect(out).toMatch(/"cause": "(?:crash-loop-on-node|application-crash)"/u);
  });

  it('need no name of the workload, since there is one', async () => {
    storeObjects('Deployment', 'ReplicaSet', 'Pod', 'Event', 'Node');
    const named = await diagnose(folder);
    expect(named.status, named.err).toBe(1);
    expect(await rolloutDoctor(['diagnose', '--from', folder])).toEqual(named);
  });

  it.each([
    ['pods', ['Deployment', 'ReplicaSet', 'Event', 'Node'], /kubectl get pods?\b/u],
    ['pods and ReplicaSets', ['Deployment', 'Event', 'Node'], /kubectl get .*pods?\b/u],
  ])('are not healthy without the %s, and the answer names the command', async (_, kinds, command) => {
    storeObjects(...kinds);
    const { status, out } = await diagnose(folder);
    expect([1, 3], out).toContain(status);
    expect(out).not.toMatch(/No problem found/u);
    expect(out).toMatch(command);
  });
});

describe('what kubectl get all prints of a deadlock', () => {
  it.each(['diagnose', 'scan'])(
    'leads with the command for the nodes to a better answer: %s',
    async (verb) => {
      const of = scenario('gpu-one-node');
      const { items: all } = JSON.parse(readFileSync(join(of, 'objects.json'), 'utf8')) as {
        readonly items: readonly { readonly kind: string }[];
      };
      const kept = all.filter(({ kind }) => ['Deployment', 'ReplicaSet', 'Pod', 'Service'].includes(kind));
      writeFileSync(
        join(folder, 'all.json'),
        JSON.stringify({ apiVersion: 'v1', kind: 'List', items: kept }),
      );
      const { status, out } = await rolloutDoctor([
        verb,
        '--from',
        folder,
        ...(verb === 'scan' ? ['-A'] : []),
      ]);
      expect(status, out).toBe(1);
      expect(out).toMatch(/^ {2}kubectl get node -n shop -o yaml$/mu);
    },
  );
});

describe('a scan of more workloads than it has room for commands', () => {
  it('counts the commands that it leaves out', async () => {
    const workloads = Array.from({ length: 12 }, (_, at) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: `team-${at}`, uid: `u${at}`, generation: 2 },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web' } },
        template: { spec: { containers: [] } },
      },
      status: { observedGeneration: 2, replicas: 3, updatedReplicas: 1, readyReplicas: 2 },
    }));
    writeFileSync(
      join(folder, 'all.json'),
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items: workloads }),
    );
    const { out } = await rolloutDoctor(['scan', '-A', '--from', folder]);
    const [, shown, all] = /^(\d+) of the (\d+) commands that show what is missing$/mu.exec(out) ?? [];
    expect(out.match(/^ {2}kubectl get /gmu), out).toHaveLength(Number(shown));
    expect(Number(all)).toBeGreaterThanOrEqual(12);
  });
});

describe('the text of kubectl about a crash loop on one node', () => {
  const printed = (file: string): string =>
    readFileSync(join(incident, '../../kubectl-text/crash-on-one-node', file), 'utf8');

  it.each(collapses)(
    'has its cause and no proof where a chat collapsed its spaces %s',
    async (_, collapse) => {
      const path = join(folder, 'chat.txt');
      writeFileSync(path, `jin  14:52\n${collapse(printed('describe.txt'))}`);
      const { status, out } = await diagnose(path, '-o', 'json');
      expect(status, out).toBe(1);
      expect(out).toContain('"cause": "crash-loop-on-node"');
      expect(out).not.toContain('"confidence": "proven"');
    },
  );

  it('is refused with the command that prints objects where it is a table', async () => {
    const path = join(folder, 'pods.txt');
    writeFileSync(path, printed('pods.txt'));
    const { status, out, err } = await diagnose(path);
    expect([status, out]).toEqual([3, '']);
    expect(err).toMatch(/^[^\n]*kubectl get pods[^\n]*-o yaml[^\n]*\n$/u);
  });
});
