import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

const folder = join(import.meta.dirname, '../../deploy/rbac');

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly rules?: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly { readonly kind: string; readonly name: string }[];
}

function manifestsIn(name: string): readonly Manifest[] {
  return readdirSync(join(folder, name))
    .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
    .flatMap((file) => parseAllDocuments(readFileSync(join(folder, name, file), 'utf8')))
    .map((document) => document.toJS() as Manifest);
}

/** `verb resource` of everything that the account may do under the manifests of this folder. */
function rightsOf(account: string, manifests: readonly Manifest[]): readonly string[] {
  return manifests
    .filter(({ subjects = [] }) =>
      subjects.some(({ kind, name }) => kind === 'ServiceAccount' && name === account),
    )
    .flatMap(({ roleRef }) => {
      const role = manifests.find(
        ({ kind, metadata }) => kind === roleRef?.kind && metadata.name === roleRef.name,
      );
      if (role?.rules === undefined) throw new Error(`no ${roleRef?.kind} ${roleRef?.name}`);
      return role.rules;
    })
    .flatMap(({ resources, verbs }) => verbs.flatMap((verb) => resources.map((each) => `${verb} ${each}`)));
}

const isRead = (right: string): boolean => /^(get|list|watch) /.test(right);

describe.each(['cluster-wide', 'namespaced'])('the %s rights', (name) => {
  const manifests = manifestsIn(name);

  it('let the account of the app read, and not change anything, not even as a dry run', () => {
    const rights = rightsOf('rollout-doctor-reader', manifests);

    expect(rights.length).toBeGreaterThan(20);
    expect(rights.filter((right) => !isRead(right))).toEqual([]);
    expect(rights.filter((right) => /\*|secrets|serviceaccounts\/token/.test(right))).toEqual([]);
  });

  it('let only the account of the remediation worker change anything', () => {
    const accounts = new Set(
      manifests.flatMap(({ subjects = [] }) => subjects.map((subject) => subject.name)),
    );
    const changing = [...accounts].filter((each) =>
      rightsOf(each, manifests).some((right) => !isRead(right)),
    );

    expect(changing).toEqual(['rollout-doctor-patcher']);
    expect(rightsOf('rollout-doctor-patcher', manifests)).toEqual(
      expect.arrayContaining(['patch deployments', 'delete pods']),
    );
  });
});

describe('the optional rights to metadata', () => {
  it.each([
    ['configmaps', 'get configmaps'],
    ['secrets', 'get secrets'],
  ])('of %s are granted to the reading account, by name, and are part of no other file', (name, right) => {
    const manifests = parseAllDocuments(
      readFileSync(join(folder, 'config-metadata', `${name}.yaml`), 'utf8'),
    ).map((document) => document.toJS() as Manifest);
    const others = ['cluster-wide', 'namespaced', 'base'].map((each) =>
      readFileSync(join(folder, each, each === 'namespaced' ? 'reader.yaml' : 'kustomization.yaml'), 'utf8'),
    );

    expect(manifests.map(({ kind }) => kind)).toEqual(['Role', 'RoleBinding']);
    expect(rightsOf('rollout-doctor-reader', manifests)).toEqual([right]);
    expect(rightsOf('rollout-doctor-patcher', manifests)).toEqual([]);
    expect(others.filter((text) => text.includes('config-metadata'))).toEqual([]);
  });
});

describe('the optional rights to objects of deployment tools', () => {
  it.each([
    ['argo-cd', ['get applications', 'list applications']],
    ['flux', ['get kustomizations', 'get helmreleases', 'get gitrepositories']],
  ])('of %s let only the reading account read', (name, rights) => {
    const file = readFileSync(join(folder, 'owners', `${name}.yaml`), 'utf8');
    const manifests = parseAllDocuments(file).map((document) => document.toJS() as Manifest);

    expect(rightsOf('rollout-doctor-reader', manifests)).toEqual(rights);
    expect(rightsOf('rollout-doctor-patcher', manifests)).toEqual([]);
  });
});

describe('the rights of a recording', () => {
  it('are lists, and two reads of a namespace by name', () => {
    const rights = rightsOf('rollout-doctor-recorder', manifestsIn('recorder'));

    expect(rights.length).toBeGreaterThan(20);
    expect(rights.filter((right) => !right.startsWith('list '))).toEqual(['get namespaces']);
    expect(rights.filter((right) => /\*|secrets|configmaps|log/.test(right))).toEqual([]);
  });
});
