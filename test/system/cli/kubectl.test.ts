import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/faults-rig.js';
import { type LocalIncident, startLocalIncident } from '../../support/local-incident.js';
import { rolloutDoctor } from './run.js';

const run = promisify(execFile);
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

interface Answer {
  readonly findings: readonly {
    readonly cause: string;
    readonly remediations: readonly { readonly kind: string; readonly kubectl?: readonly string[] }[];
  }[];
}

describe.runIf(hasKubectl)('the kubectl command of a fix', () => {
  let incident: LocalIncident;
  beforeEach(async () => {
    incident = await startLocalIncident();
  });
  afterEach(() => incident.close());

  const diagnose = async (...more: readonly string[]) =>
    rolloutDoctor(['diagnose', 'ml/inference', '--kubeconfig', incident.kubeconfig, ...more]);
  const causes = async (): Promise<readonly string[]> =>
    (JSON.parse((await diagnose('-o', 'json')).out) as Answer).findings.map(({ cause }) => cause);

  it.each(['patch-strategy', 'scale-down-old', 'undo-rollout'])('%s ends the deadlock', async (kind) => {
    const [text, json] = [await diagnose(), await diagnose('-o', 'json')];
    const { findings } = JSON.parse(json.out) as Answer;
    expect(findings[0]?.cause).toBe('surge-deadlock');
    const [command = ''] = findings[0]?.remediations.find((each) => each.kind === kind)?.kubectl ?? [];
    expect(text.out).toContain(`      ${command}\n`);

    await run('bash', ['-c', command]);
    await eventually('the deadlock is gone', async () => !(await causes()).includes('surge-deadlock'));
  });
});
