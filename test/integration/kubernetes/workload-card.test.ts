import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { answerWorkload } from '#src/edges/dump-page/answer-workload.js';
import type { ApiCall } from '#src/edges/kubernetes/api-call.js';
import { createLocalCluster, type LocalCluster } from '../../../demo/cluster/local-cluster.js';

const recording = join(import.meta.dirname, '../../scenarios/gpu-one-node');
const inference = { kind: 'Deployment', namespace: 'shop', name: 'inference' };
const ofShop = (resources: readonly string[]) => [
  { verbs: ['list'], apiGroups: ['*'], resources, namespaces: ['shop'] },
];
const users = [
  { name: 'sam', token: 'sam', rules: ofShop(['*']) },
  { name: 'kim', token: 'kim', rules: ofShop(['deployments', 'replicasets']) },
  { name: 'lee', token: 'lee', rules: [] },
];

describe('the section on the page of a workload in Headlamp', () => {
  let cluster: LocalCluster;
  afterEach(() => cluster.close());

  const asked = async (person: string, language: 'en' | 'ko' = 'en'): Promise<string> => {
    cluster = await createLocalCluster({ users });
    await cluster.loadRecording(recording);
    const headers = { authorization: `Bearer ${person}` };
    const call: ApiCall = async ({ path, query = {} }) => {
      const asked = new URLSearchParams();
      for (const [name, value] of Object.entries(query)) {
        if (value !== undefined) asked.set(name, `${value}`);
      }
      const answer = await fetch(`${cluster.url}${path}?${asked}`, { headers });
      return { status: answer.status, body: await answer.json(), retryAfterMs: undefined };
    };
    return answerWorkload(call, inference, language);
  };

  it('shows the cause, the picture and the command, and reads neither Secrets nor ConfigMaps', async () => {
    const html = await asked('admin');

    expect(html).toContain('<code>surge-deadlock</code>');
    expect(html).toContain('proven');
    expect(html).toContain('<svg');
    expect(html).toMatch(/kubectl -n shop patch deployment\/inference --type=\w+ -p /u);
    expect(html.match(/<article/gu)).toHaveLength(1);
    expect(new Set(cluster.requests.map(({ verb }) => verb))).toEqual(new Set(['get', 'list']));
    const resources = new Set(cluster.requests.map(({ resource }) => resource));
    expect(resources.has('pods')).toBe(true);
    expect(resources.has('secrets') || resources.has('configmaps')).toBe(false);
  });

  it('proves nothing with the rights of a user who may not list nodes', async () => {
    const html = await asked('sam');

    expect(html).not.toContain('proven');
    expect(html).toMatch(/could not be read \(<code>forbidden<\/code>\)/u);
  });

  it('never says that nothing is wrong to a user who may not list pods', async () => {
    const html = await asked('kim', 'ko');

    expect(html).toContain('일부 오브젝트를 읽지 못했습니다');
    expect(html).not.toContain('surge-deadlock');
  });

  it('says that it read no object to a user without any right', async () => {
    expect(await asked('lee')).toContain('could not be read');
  });
});
