import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasPackages } from '../../scripts/installed-packages.mjs';

const tool = { version: '1.2.3', integrity: 'sha512-a' };
const forOtherPlatform = { version: '2.0.0', integrity: 'sha512-b', optional: true };
const lock = {
  '': { name: 'project' },
  'node_modules/tool': tool,
  'node_modules/tool-darwin': forOtherPlatform,
};

describe('hasPackages', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'rollout-doctor-packages-'));
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: lock }));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const install = (text: string): void => {
    mkdirSync(join(root, 'node_modules'));
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), text);
  };

  it('accepts what npm ci installed, without packages of other platforms', () => {
    install(JSON.stringify({ packages: { 'node_modules/tool': tool } }));
    expect(hasPackages(root)).toBe(true);
  });

  it.each([
    ['without node_modules', undefined],
    ['where a package is missing', '{"packages":{}}'],
    ['where the lock names another version', '{"packages":{"node_modules/tool":{"version":"1.2.2"}}}'],
    [
      'where a package was added by hand',
      JSON.stringify({ packages: { 'node_modules/tool': tool, 'node_modules/other': tool } }),
    ],
    ['where the list of npm is cut off', '{"packages":{'],
  ])('asks for an installation %s', (_, text) => {
    if (text !== undefined) install(text);
    expect(hasPackages(root)).toBe(false);
  });
});
