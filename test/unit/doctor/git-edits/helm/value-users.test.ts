import { describe, expect, it } from 'vitest';
import type { TreeEntry, TreeFile } from '#src/doctor/git-edits/git-target.js';
import { mayNameValues, valueUsers } from '#src/doctor/git-edits/helm/values-file.js';

function entry(path: string, fields: Partial<TreeEntry> = {}): TreeEntry {
  return { path, mode: '100644', sha: 'a', size: 10, ...fields };
}
const file = (path: string, text: string): TreeFile => ({ ...entry(path), text });

describe('the files that may name a values file', () => {
  const values = 'charts/web/values.yaml';

  it.each<[string, TreeEntry, boolean]>([
    ['a manifest', entry('apps/web.yaml'), true],
    ['an executable manifest', entry('apps/web.yml', { mode: '100755' }), true],
    ['a file of the largest size', entry('apps/web.yaml', { size: 64 * 1024 }), true],
    ['a file of an unknown size', entry('apps/web.yaml', { size: undefined }), true],
    ['a larger file', entry('apps/web.yaml', { size: 64 * 1024 + 1 }), false],
    ['the values file itself', entry(values), false],
    ['another kind of file', entry('README.md'), false],
    ['a file whose name only contains .yaml', entry('web.yaml.txt'), false],
    ['a symlink', entry('apps/web.yaml', { mode: '120000' }), false],
    ['a template', entry('charts/web/templates/deployment.yaml'), false],
    ['a template at the root', entry('templates/deployment.yaml'), false],
    ['a folder whose name ends in templates', entry('my-templates/web.yaml'), true],
  ])('include %s: %#', (_, given, isIncluded) => {
    expect(mayNameValues([given], values)).toEqual(isIncluded ? [given] : []);
  });

  it('are none where there are more than 60', () => {
    const many = Array.from({ length: 61 }, (_, index) => entry(`apps/${index}.yaml`));
    expect(mayNameValues(many.slice(1), values)).toHaveLength(60);
    expect(mayNameValues(many, values)).toEqual([]);
  });
});

describe('the files that install a release with the same values', () => {
  const about = { file: 'charts/web/values.yaml', folder: 'charts/web', release: 'web' };
  const staged = { ...about, file: 'envs/prod/web.yaml' };
  const release = (kind: string, name: string, text: string) =>
    `kind: ${kind}\nmetadata: {name: ${name}}\n# ${text}\n`;
  const users = (text: string, given = about, path = 'apps/a.yaml') => valueUsers([file(path, text)], given);

  it.each<[string, string, typeof about]>([
    ['an Application that names the chart', release('Application', 'other', 'charts/web'), about],
    ['an ApplicationSet', release('ApplicationSet', 'other', 'charts/web'), about],
    ['a HelmRelease', release('HelmRelease', 'other', 'charts/web'), about],
    [
      'one that names the file by its last folder',
      release('HelmRelease', 'other', '../prod/web.yaml'),
      staged,
    ],
    ['one in a second document', `a: 1\n---\n${release('HelmRelease', 'other', 'charts/web')}`, about],
  ])('are found: %s', (_, text, given) => {
    expect(users(text, given)).toEqual(['apps/a.yaml']);
  });

  it.each<[string, string, typeof about]>([
    ['the release itself', release('HelmRelease', 'web', 'charts/web'), about],
    ['an object that installs nothing', release('ConfigMap', 'other', 'charts/web'), about],
    ['one that names another chart', release('HelmRelease', 'other', 'charts/api'), about],
    ['one that names the chart of other values', release('HelmRelease', 'other', 'charts/web'), staged],
    ['a file that is no YAML', 'kind: [HelmRelease\ncharts/web', about],
    [
      'an object at the root without a folder',
      release('HelmRelease', 'other', 'x'),
      { ...about, file: 'values.yaml', folder: '' },
    ],
  ])('are not: %s', (_, text, given) => {
    expect(users(text, given)).toEqual([]);
  });

  it.each<[string, string, string, typeof about, boolean]>([
    ['from its folder', 'charts/all/Chart.yaml', 'dependencies:\n- repository: file://../web\n', about, true],
    ['in quotes', 'charts/all/Chart.yaml', 'dependencies:\n- repository: "file://../web"\n', about, true],
    ['from the root', 'Chart.yaml', 'dependencies:\n- repository: file://charts/web\n', about, true],
    [
      'of another folder',
      'charts/all/Chart.yaml',
      'dependencies:\n- repository: file://../api\n',
      about,
      false,
    ],
    [
      'of a registry',
      'charts/all/Chart.yaml',
      'dependencies:\n- repository: https://charts.example/web\n',
      about,
      false,
    ],
    [
      'where other values than the defaults change',
      'charts/all/Chart.yaml',
      'dependencies:\n- repository: file://../web\n',
      staged,
      false,
    ],
    [
      'in a file of another name',
      'charts/all/MyChart.yaml',
      'dependencies:\n- repository: file://../web\n',
      about,
      false,
    ],
  ])('include a chart that depends on the chart %s', (_, path, text, given, isUser) => {
    expect(users(text, given, path)).toEqual(isUser ? [path] : []);
  });
});
