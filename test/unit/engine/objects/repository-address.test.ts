import { describe, expect, it } from 'vitest';
import { parseRepositoryUrl } from '#src/engine/objects/gitops.js';

describe('the URL of a repository', () => {
  it.each([
    'https://github.com/acme/deploy',
    'https://github.com/acme/deploy.git',
    'https://GitHub.com/acme/deploy.git/',
    'https://github.com:443/acme/deploy',
    'https://x-access-token:ghs_secret@github.com/acme/deploy.git',
    'https://user:pass@word@github.com/acme/deploy',
    'https://github.com/acme/deploy?token=ghs_secret#ghs_secret',
    'ssh://git@github.com/acme/deploy.git',
    'ssh://git@ssh.github.com:443/acme/deploy.git',
    'git@github.com:acme/deploy.git',
    'git@github.com:/acme/deploy',
    'github.com:acme/deploy',
    ' git@github.com:acme/deploy.git\n',
  ])('names host and path without credentials: %s', (url) => {
    expect(parseRepositoryUrl(url)).toEqual({ host: 'github.com', path: 'acme/deploy' });
  });

  it('keeps the case and the groups of a path', () => {
    expect(parseRepositoryUrl('https://git.example/Acme/Team/Deploy.git')).toEqual({
      host: 'git.example',
      path: 'Acme/Team/Deploy',
    });
  });

  it.each([
    '',
    '/srv/git/deploy.git',
    'file:///srv/git/deploy.git',
    'oci://registry.example/charts/app',
    'https://github.com/',
    'https://github.com/acme/../deploy',
    'deploy',
    `https://github.com/${'a'.repeat(3_000)}`,
  ])('is none: %s', (url) => {
    expect(parseRepositoryUrl(url)).toBeUndefined();
  });
});
