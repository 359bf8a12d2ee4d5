import { describe, expect, it } from 'vitest';
import {
  kubernetesLinkerFlags,
  kubernetesModule,
  parseKubernetesVersion,
  requiredVersion,
  stagingModules,
} from '../../cluster/harness/recipe.js';

const upstream = `module k8s.io/kubernetes

go 1.24.0

godebug default=go1.24

require (
	github.com/kylelemons/godebug v1.1.0 // indirect
	k8s.io/api v0.0.0
	k8s.io/client-go v0.0.0
)

replace (
	k8s.io/api => ./staging/src/k8s.io/api
	k8s.io/client-go => ./staging/src/k8s.io/client-go
	example.com/fork => example.com/other v1.0.0
)
`;

describe('the Go module for another Kubernetes release', () => {
  it('replaces each staging folder by the published module of the same release, and nothing else', () => {
    expect(stagingModules(upstream)).toEqual(['k8s.io/api', 'k8s.io/client-go']);
    const goMod = kubernetesModule(upstream, '1.34.4');
    expect(goMod).toContain(
      '\tk8s.io/api => k8s.io/api v0.34.4\n\tk8s.io/client-go => k8s.io/client-go v0.34.4\n',
    );
    expect(goMod).not.toContain('staging');
    expect(goMod).not.toContain('example.com');
  });

  it('requires the release, names its commands as tools, and keeps its run-time defaults', () => {
    const goMod = kubernetesModule(upstream, '1.34.4');
    expect(requiredVersion(goMod, 'k8s.io/kubernetes')).toBe('1.34.4');
    expect(goMod).toContain('\tk8s.io/kubernetes/cmd/kube-scheduler\n');
    expect(goMod).toContain('\ngo 1.24.0\n\ngodebug default=go1.24\n');
  });

  it.each([
    [
      'a go.mod that names no staging module',
      upstream.replaceAll('./staging', './vendor'),
      'names no staging module',
    ],
    ['a go.mod without a go line', upstream.replace('go 1.24.0\n', ''), 'has no go line'],
    [
      'a go.mod without a godebug line',
      upstream.replace('godebug default=go1.24\n', ''),
      'has no godebug line',
    ],
  ])('refuses %s', (_what, goMod, message) => {
    expect(() => kubernetesModule(goMod, '1.34.4')).toThrow(message);
  });

  it.each(['1.36', 'v1.36.3', '2.0.0', '1.36.3-rc.1', ''])('refuses %j as an exact version', (version) => {
    expect(() => parseKubernetesVersion(version)).toThrow('is not an exact Kubernetes version');
  });

  it('contains the version where server and client read theirs', () => {
    const flags = kubernetesLinkerFlags('1.36.3');
    expect(flags).toContain('-X k8s.io/component-base/version.gitVersion=v1.36.3');
    expect(flags).toContain('-X k8s.io/client-go/pkg/version.gitMinor=36');
    expect(flags).toMatch(/^-s -w /);
  });
});

describe('the version that a go.mod requires', () => {
  it.each([
    ['in a block', 'require (\n\tsigs.k8s.io/kwok v0.8.0\n)\n', '0.8.0'],
    ['on a line of its own', 'require sigs.k8s.io/kwok v0.8.0 // indirect\n', '0.8.0'],
    ['of a module with the name as prefix only', 'require sigs.k8s.io/kwok/extra v0.8.0\n', undefined],
    ['named as a tool only', 'tool sigs.k8s.io/kwok\n', undefined],
  ])('is found %s', (_where, goMod, version) => {
    expect(requiredVersion(goMod, 'sigs.k8s.io/kwok')).toBe(version);
  });
});
