/** The folders of `core/`. Each may import those before it; a new folder gets its place here. */
const coreFolders = [
  'collections',
  'language',
  'log',
  'redaction',
  'statistics',
  'cluster',
  'schedule',
  'audit',
  'crash-history',
  'placement',
  'rollout',
  'survival',
  'top-owner',
  'remediation',
  'creation',
  'pod-oracle',
  'neighbours',
  'kueue',
  'command',
  'authorization',
  'check',
  'diagnosis',
  'requested',
  'picture',
  'scan',
  'sentinel',
  'alert',
  'git-change',
  'incident',
];

const coreOrder = coreFolders.map((folder, at) => ({
  name: `core-order-${folder}`,
  comment: 'inside core/ imports have one direction',
  severity: 'error',
  from: { path: `^src/core/${folder}/` },
  to: { path: '^src/core/', pathNot: `^src/core/(${coreFolders.slice(0, at + 1).join('|')})/` },
}));

/**
 * Who may import whom. `test/thorough/architecture.test.ts` fails when this looked at no module.
 * @type {import('dependency-cruiser').IConfiguration}
 */
module.exports = {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'client-node-by-its-entry',
      comment: 'the files behind the public entry move between releases',
      severity: 'error',
      from: { pathNot: '^node_modules/' },
      to: { path: '@kubernetes/client-node/dist/', pathNot: 'client-node/dist/index\\.(js|d\\.ts)$' },
    },
    {
      name: 'core-is-pure',
      comment: 'core/ imports itself, zod and yaml, nothing else: no I/O, no clock, no framework',
      severity: 'error',
      from: { path: '^src/core/' },
      to: { pathNot: ['^src/core/', '^node_modules/(zod|yaml)/'] },
    },
    ...coreOrder,
    {
      name: 'core-folders-are-listed',
      severity: 'error',
      from: { path: '^src/core/', pathNot: `^src/core/(${coreFolders.join('|')})/` },
      to: {},
    },
    {
      name: 'tiers-share-by-support',
      comment:
        'what the tests of two tiers use is in test/support; test/cluster and test/mutation are programs with tests',
      severity: 'error',
      from: { path: '^test/([^/]+)/' },
      to: { path: '^test/', pathNot: ['^test/(support|mutation|cluster)/', '^test/$1/'] },
    },
    {
      name: 'causes-stand-alone',
      comment: 'a cause never imports another cause',
      severity: 'error',
      from: { path: '^src/core/diagnosis/causes/([^/]+)/' },
      to: { path: '^src/core/diagnosis/causes/[^/]+/', pathNot: '^src/core/diagnosis/causes/$1/' },
    },
    {
      name: 'remediation-kinds-stand-alone',
      severity: 'error',
      from: { path: '^src/core/remediation/kinds/([^/]+)/' },
      to: { path: '^src/core/remediation/kinds/[^/]+/', pathNot: '^src/core/remediation/kinds/$1/' },
    },
    {
      name: 'rollout-does-not-know-placement-checks',
      comment: 'the engines share quantities and requests only',
      severity: 'error',
      from: { path: '^src/core/rollout/' },
      to: {
        path: '^src/core/placement/',
        pathNot: '^src/core/placement/(quantity|pod-requests|resource-name|node-selector|toleration)[^/]*$',
      },
    },
    {
      name: 'jobs-know-core-only',
      severity: 'error',
      from: { path: '^src/jobs/' },
      to: { path: '^(src|workers|demo)/', pathNot: '^src/(core|jobs)/' },
    },
    {
      name: 'usecases-know-ports-only',
      severity: 'error',
      from: { path: '^src/usecases/' },
      to: { path: '^(src|workers|demo)/', pathNot: '^src/(core|jobs|usecases|errors|input-error)' },
    },
    {
      name: 'usecases-use-no-framework',
      severity: 'error',
      from: { path: '^src/(usecases|jobs)/' },
      to: { dependencyTypes: ['npm'], pathNot: '^node_modules/zod/' },
    },
    {
      name: 'adapters-stand-alone',
      severity: 'error',
      from: { path: '^src/adapters/([^/]+)/' },
      to: { path: '^src/adapters/[^/]+/', pathNot: '^src/adapters/$1/' },
    },
    {
      name: 'adapters-do-not-wire',
      severity: 'error',
      from: { path: '^src/adapters/' },
      to: { path: ['^src/(main|container|config|cli)\\.ts$', '^workers/'] },
    },
    {
      name: 'block-kit-lives-in-render',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/adapters/slack/' },
      to: { path: '^node_modules/@slack/' },
    },
    {
      name: 'product-does-not-need-demo-or-test',
      severity: 'error',
      from: { path: '^(src|workers)/' },
      to: { path: '^(demo|test|scripts)/' },
    },
    {
      name: 'no-dev-dependency-in-product',
      severity: 'error',
      from: { path: '^(src|workers)/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
