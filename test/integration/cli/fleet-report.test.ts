import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scenario } from '../../support/command-line-run.js';
import { rolloutDoctor } from '../../support/run-command-line.js';
import { isDeadlocked } from '../../support/shown-words.js';

const fragile = scenario('controls/before-surge-host-port');
const healthy = scenario('controls/daemon-update-complete');

function scan(from: string, ...args: readonly string[]) {
  return rolloutDoctor(['scan', '--fragile', '--from', from, ...args]);
}

describe('scan --fragile', () => {
  let hostile: string;
  beforeAll(async () => {
    hostile = await mkdtemp(join(tmpdir(), 'rollout-doctor-fleet-'));
    const text = await readFile(join(fragile, 'objects.json'), 'utf8');
    // Node names are quoted in the report; the API server would not accept this one, a recording may hold it.
    const node = (
      JSON.parse(text) as { readonly items: readonly { kind: string; metadata: { name: string } }[] }
    ).items.find(({ kind }) => kind === 'Node')?.metadata.name;
    expect(node).toBeDefined();
    await writeFile(
      join(hostile, 'objects.json'),
      text.replaceAll(`"${node}"`, JSON.stringify('<script>alert(1)</script>|x')),
    );
  });
  afterAll(() => rm(hostile, { recursive: true }));

  it('lists a workload whose next update deadlocks, with the change, and ends with status 1', async () => {
    const { status, out } = await scan(fragile);
    expect(status).toBe(1);
    expect(out).toMatch(/^1 of \d+ workloads? will deadlock at its next update\.\n/);
    expect(out).toContain('hostPort');
    expect(out).not.toContain('deadlocked now');
  });

  it('lists a workload that is deadlocked now', async () => {
    const { status, out } = await scan(scenario('gpu-one-node'));
    expect(status).toBe(1);
    expect(out).toContain(`shop/inference ${isDeadlocked}`);
    expect(out).toMatch(/^1 of 1 workload will deadlock at its next update\.\n\nIt is deadlocked now\.\n/u);
  });

  it('lists nothing where every next update completes, and ends with status 0', async () => {
    const { status, out } = await scan(healthy);
    expect([status, out.includes('No deadlock was found')]).toEqual([0, true]);
  });

  it('names the same workload in JSON, Markdown and HTML', async () => {
    const [json, markdown, page] = await Promise.all(
      ['json', 'markdown', 'html'].map((output) => scan(fragile, '-o', output)),
    );
    const list = JSON.parse(json?.out ?? '');
    expect(list).toMatchObject({ apiVersion: 'rollout-doctor/v1', kind: 'FragileWorkloadList' });
    const [{ workload, confidence, advice }] = list.items;
    const name = `${workload.kind.toLowerCase()}/${workload.name} -n ${workload.namespace}`;
    expect(confidence).toBe('proven');
    expect(advice.length).toBeGreaterThan(0);
    expect(markdown?.out).toContain(`| \`${name}\` | \`hostPort\` |`);
    expect(page?.out).toContain(`<code>${name}</code>`);
  });

  it('writes a page that needs no other file, runs no script, and shows markup of the cluster as text', async () => {
    const { out } = await scan(hostile, '-o', 'html');
    expect(out).toContain('&lt;script&gt;');
    expect(out).not.toMatch(/<script|<link|<img|src=|href=/i);
    expect(out).toContain("default-src 'none'");
  });

  it.each([
    [
      'of a deadlock',
      scenario('gpu-one-node'),
      /needs nvidia\.com\/gpu on gpu-a, in use by the old pod inference-/,
    ],
    ['of the next update', fragile, /needs hostPort on edge-a and edge-b, in use by the old pods ingress-/],
    [
      'of the next update beyond a quota',
      scenario('controls/before-quota-deadlock'),
      /needs requests\.cpu, in use/,
    ],
    [
      'of a volume',
      scenario('controls/before-volume-attach-deadlock'),
      /needs volume pv-wordpress, attached to n-a/,
    ],
  ])('draws the wait cycle %s in the page, and states it for screen readers', async (_, from, says) => {
    const { out } = await scan(from, '-o', 'html');
    const [svg = '', label = ''] = /<svg role="img" aria-label="([^"]*)"[\s\S]*?<\/svg>/.exec(out) ?? [];
    expect(label).toMatch(says);
    expect(svg).toContain('>Old pod</text>');
  });

  it('shows markup of the cluster as text in the picture too', async () => {
    const { out } = await scan(hostile, '-o', 'html');
    const [svg = ''] = /<svg[\s\S]*?<\/svg>/.exec(out) ?? [];
    expect(svg).toContain('&lt;script&gt;');
  });

  it('states the time to the second', async () => {
    const reports = await Promise.all(
      ['markdown', 'html'].map((output) => scan(scenario('gpu-one-node'), '-o', output)),
    );
    for (const { out } of reports) expect(out).toContain('as of 2026-11-20T09:29:17Z');
  });

  it('keeps a name with a bar within its cell of the Markdown table', async () => {
    const { out } = await scan(hostile, '-o', 'markdown');
    for (const row of out.split('\n').filter((line) => line.startsWith('| '))) {
      expect(row.replaceAll('\\|', '').split('|')).toHaveLength(6);
    }
  });

  it('refuses HTML for an ordinary scan', async () => {
    const { status, err } = await rolloutDoctor(['scan', '--from', fragile, '-o', 'html']);
    expect([status, err]).toEqual([2, 'The format html needs --fragile. Use scan -A --fragile -o html.\n']);
  });

  it('is written in Korean', async () => {
    const { out } = await scan(fragile, '--lang', 'ko', '-o', 'html');
    expect(out).toContain('다음 업데이트에서 교착 상태에 빠지는 워크로드');
  });
});
