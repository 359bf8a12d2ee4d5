import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editInTree } from '../support/edit-in-tree.js';
import { acceptedTrees, type Files, refusedTrees } from '../support/kustomize-trees.js';
import { ensureTool } from './harness/tools.js';

let kubectl = '';
let folder = '';

beforeAll(async () => {
  ({ file: kubectl } = await ensureTool('kubectl'));
  folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-kustomize-'));
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the real Kustomize answers for the folder `prod`. */
function build(files: Files): { readonly type: 'built' | 'refused'; readonly text: string } {
  const root = mkdtempSync(join(folder, 'tree-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  try {
    const args = ['kustomize', join(root, 'prod')];
    return { type: 'built', text: execFileSync(kubectl, args, { encoding: 'utf8', stdio: 'pipe' }) };
  } catch (error) {
    return { type: 'refused', text: String((error as { readonly stderr?: unknown }).stderr) };
  }
}

describe('a tree that the real Kustomize refuses is refused', () => {
  it.each(Object.entries(refusedTrees))('%s', (_, files) => {
    expect(build(files)).toMatchObject({ type: 'refused' });
    expect(editInTree(files, 'prod')).toMatchObject({ type: 'refusal' });
  });
});

describe('a tree that the real Kustomize builds is edited', () => {
  it.each(Object.entries(acceptedTrees))('%s', (_, files) => {
    expect(build(files)).toMatchObject({ type: 'built' });
    expect(editInTree(files, 'prod')).toMatchObject({ type: 'edited' });
  });
});
