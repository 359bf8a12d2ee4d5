/** The rooms of the pure floors. Each may import those before it; a new room gets its place here. */
const pureRooms = [
  'engine/collections',
  'engine/language',
  'engine/statistics',
  'engine/objects',
  'engine/messages',
  'engine/scheduler',
  'engine/workloads',
  'engine/owners',
  'engine/parents',
  'engine/creation',
  'engine/simulation',
  'engine/neighbours',
  'engine/queues',
  'doctor/input',
  'doctor/log-lines',
  'doctor/redaction',
  'doctor/audit',
  'doctor/crash-history',
  'doctor/fixes',
  'doctor/commands',
  'doctor/policy',
  'doctor/forecasts',
  'doctor/findings',
  'doctor/causes',
  'doctor/requested',
  'doctor/pictures',
  'doctor/scans',
  'doctor/sentinel',
  'doctor/alerts',
  'doctor/git-edits',
  'doctor/incidents',
];

const roomOrder = pureRooms.map((room, at) => ({
  name: `room-order-${room.replace('/', '-')}`,
  comment: 'between the rooms of the pure floors imports have one direction',
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: '^src/(engine|doctor)/', pathNot: `^src/(${pureRooms.slice(0, at + 1).join('|')})/` },
}));

/** Edges that other edges may use. */
const sharedEdges = 'files|http|telemetry';
/** Edges that are made of others: programs and what they offer. */
const composedEdges = 'cli|mcp|library|dump-page';

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
      name: 'engine-is-pure',
      comment: 'engine/ imports itself, zod and yaml, nothing else: no I/O, no clock, no framework',
      severity: 'error',
      from: { path: '^src/engine/' },
      to: { pathNot: ['^src/engine/', '^node_modules/(zod|yaml)/'] },
    },
    {
      name: 'doctor-is-pure',
      comment: 'doctor/ imports itself, engine/, zod and yaml',
      severity: 'error',
      from: { path: '^src/doctor/' },
      to: { pathNot: ['^src/(engine|doctor)/', '^node_modules/(zod|yaml)/'] },
    },
    {
      name: 'explain-loads-no-rules',
      comment: 'explain starts in half the time without the causes, which one sentence does not need',
      severity: 'error',
      from: { path: '^src/edges/cli/explain-command\\.ts$' },
      to: { path: '^src/doctor/causes/', reachable: true },
    },
    ...roomOrder,
    {
      name: 'pure-rooms-are-listed',
      severity: 'error',
      from: { path: '^src/(engine|doctor)/', pathNot: `^src/(${pureRooms.join('|')})/` },
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
      from: { path: '^src/doctor/causes/(?!causes\\.ts)([^/.]+)[/.]' },
      to: { path: '^src/doctor/causes/', pathNot: '^src/doctor/causes/$1[/.]' },
    },
    {
      name: 'kinds-of-fixes-stand-alone',
      severity: 'error',
      from: { path: '^src/doctor/fixes/kinds/([^/]+)/' },
      to: { path: '^src/doctor/fixes/kinds/[^/]+/', pathNot: '^src/doctor/fixes/kinds/$1/' },
    },
    {
      name: 'workloads-do-not-know-filters',
      comment: 'controllers and scheduler share quantities and requests only',
      severity: 'error',
      from: { path: '^src/engine/workloads/' },
      to: {
        path: '^src/engine/scheduler/',
        pathNot: '^src/engine/scheduler/(quantity|pod-requests|resource-name|node-selector)[^/]*$',
      },
    },
    {
      name: 'jobs-know-pure-floors-only',
      severity: 'error',
      from: { path: '^src/service/jobs/' },
      to: { path: '^(src|workers|demo)/', pathNot: '^src/(engine|doctor|service/jobs)/' },
    },
    {
      name: 'service-knows-ports-only',
      severity: 'error',
      from: { path: '^src/service/' },
      to: { path: '^(src|workers|demo)/', pathNot: '^src/(engine|doctor|service)/' },
    },
    {
      name: 'service-uses-no-framework',
      severity: 'error',
      from: { path: '^src/service/' },
      to: { dependencyTypes: ['npm'], pathNot: '^node_modules/zod/' },
    },
    {
      name: 'edges-stand-alone',
      severity: 'error',
      from: { path: '^src/edges/([^/]+)/', pathNot: `^src/edges/(${composedEdges})/` },
      to: { path: '^src/edges/[^/]+/', pathNot: `^src/edges/($1|${sharedEdges})/` },
    },
    {
      name: 'settings-wire-nothing',
      severity: 'error',
      from: { path: '^src/settings/' },
      to: { path: ['^src/roots/', '^src/[^/]+$', '^workers/'] },
    },
    {
      name: 'edges-do-not-wire',
      severity: 'error',
      from: { path: '^src/edges/', pathNot: `^src/edges/(${composedEdges})/` },
      to: { path: ['^src/(settings|roots)/', '^src/[^/]+$', '^workers/'] },
    },
    {
      name: 'block-kit-lives-in-render',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/edges/slack/' },
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
