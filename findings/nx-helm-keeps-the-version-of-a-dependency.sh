#!/usr/bin/env bash
# The generator for dependencies of @nx-extensions/helm 1.0.0, run twice for redis in a workspace of Nx: first with version 20.0.0, then with
# 21.0.0.
# Guess: Chart.yaml has version 21.0.0, and the repository is listed once.
# Seen:  Chart.yaml has version 20.0.0 still, since only a new dependency is written to it. The second run ends without an error, and the
#        repository is listed twice.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts @nx-extensions/helm@1.0.0 @nx/devkit@20.8.2 nx@20.8.2 >/dev/null 2>&1
cat >generate.js <<'JS'
const { addProjectConfiguration, readProjectConfiguration } = require('@nx/devkit');
const { createTreeWithEmptyWorkspace } = require('@nx/devkit/testing');
const { chartGenerator } = require('@nx-extensions/helm/src/generators/chart/generator.js');
const { dependencyGenerator } = require('@nx-extensions/helm/src/generators/dependency/generator.js');

async function run() {
  const tree = createTreeWithEmptyWorkspace();
  addProjectConfiguration(tree, 'shop', { root: 'apps/shop', targets: {} });
  await chartGenerator(tree, { project: 'shop', name: 'shop', chartFolder: 'chart', format: false });
  for (const chartVersion of ['20.0.0', '21.0.0']) {
    await dependencyGenerator(tree, {
      project: 'shop',
      chartName: 'redis',
      chartVersion,
      repository: 'https://charts.example',
      repositoryName: 'example',
      format: false,
    });
    const [written] = /version: .*/.exec(tree.read('apps/shop/chart/Chart.yaml', 'utf8').split('dependencies:')[1]);
    const { repositories } = readProjectConfiguration(tree, 'shop').targets.helm.options.dependencies;
    console.log(`${chartVersion}: ${written}, repositories: ${repositories.map(({ name }) => name)}`);
  }
}
run();
JS
NX_DAEMON=false node generate.js 2>/dev/null | grep version | tee seen
diff seen - <<'OUT'
20.0.0: version: 20.0.0, repositories: example
21.0.0: version: 20.0.0, repositories: example,example
OUT
