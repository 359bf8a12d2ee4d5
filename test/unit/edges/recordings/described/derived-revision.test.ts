import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRecording } from '#src/edges/recordings/read-recording.js';
import { describeAll, describePod, printedAt } from '#support/descriptions.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'revisions-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const restarted = 'kubectl.kubernetes.io/restartedAt: 2026-07-01T11:30:00Z';

const set = (strategy: string, ...annotations: readonly string[]) =>
  [
    'Name:               db',
    'Namespace:          shop',
    'CreationTimestamp:  Mon, 01 Jun 2026 12:00:00 +0000',
    'Selector:           app=db',
    'Labels:             <none>',
    'Annotations:        <none>',
    'Replicas:           2 desired | 2 total',
    `Update Strategy:    ${strategy}`,
    'Pods Status:        2 Running / 0 Waiting / 0 Succeeded / 0 Failed',
    'Pod Template:',
    '  Labels:       app=db',
    ...annotations.map((each) => `  Annotations:  ${each}`),
    '  Containers:',
    '   app:',
    '    Image:       db:1',
    '  Volumes:       <none>',
    'Volume Claims:   <none>',
    'Events:          <none>',
  ].join('\n');

const member = (name: string, revision: string, ...annotations: readonly string[]) =>
  describePod({
    name,
    owner: 'StatefulSet/db',
    image: 'db:1',
    labels: ['app=db', `controller-revision-hash=${revision}`],
    annotations,
  });

async function statusOf(...blocks: readonly string[]) {
  writeFileSync(join(folder, 'a.txt'), describeAll(...blocks));
  const { objects } = await readRecording(folder, { at: printedAt });
  return objects.StatefulSet[0]?.status;
}

describe('the new revision of a described StatefulSet', () => {
  it('is that of the pods with the annotations of the template, where their containers are alike', async () => {
    const pods = [member('db-0', 'db-new', restarted), member('db-1', 'db-old')];
    expect(await statusOf(set('OnDelete', restarted), ...pods)).toMatchObject({
      updateRevision: 'db-new',
      currentRevision: 'db-old',
    });
  });

  it('is not known where no pod has the annotations of the template', async () => {
    const pods = [member('db-0', 'db-old'), member('db-1', 'db-old')];
    expect((await statusOf(set('RollingUpdate', restarted), ...pods))?.updateRevision).toBe('');
  });

  it('is that of pods to which others have added annotations', async () => {
    const pods = [member('db-0', 'db-old', 'added: by-a-webhook'), member('db-1', 'db-old')];
    expect((await statusOf(set('RollingUpdate'), ...pods))?.updateRevision).toBe('db-old');
  });
});
