import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Pages of a folder by name, without its README. */
function pagesIn(name) {
  return readdirSync(folder(name))
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .sort()
    .map((file) => {
      const page = file.slice(0, -'.md'.length);
      return { text: page, link: `/${name}/${page}` };
    });
}

/** The sidebar. The build fails for a page that it does not have. */
export const sidebar = [
  {
    text: 'Start here',
    items: [
      { text: 'What it does', link: '/' },
      { text: 'Diagnose a dump in the browser', link: '/diagnose.html', target: '_self' },
      { text: 'Install in a cluster', link: '/install' },
      { text: 'Make the Slack app', link: '/slack-app' },
      { text: 'Use it in Slack', link: '/slack' },
      { text: 'The npm package and kubectl', link: '/npm' },
    ],
  },
  { text: 'Causes', link: '/causes/', collapsed: true, items: pagesIn('causes') },
  {
    text: 'Concepts',
    items: [
      { text: 'Why rollouts deadlock', link: '/why-rollouts-deadlock' },
      { text: 'Fixes and what they cost', link: '/remediations' },
      { text: 'Does a change last?', link: '/owners' },
      { text: 'Crash history', link: '/crash-history' },
      { text: 'Security', link: '/security' },
      { text: 'Redaction of secrets', link: '/redaction' },
    ],
  },
  {
    text: 'How to',
    items: [
      { text: 'Receive alerts', link: '/alerts' },
      { text: 'Report deadlocks without an alert', link: '/sentinel' },
      { text: 'Diagnose Argo Rollouts', link: '/argo-rollouts' },
      { text: 'Diagnose LeaderWorkerSets', link: '/leader-worker-set' },
      { text: 'Diagnose Knative Services', link: '/knative' },
      { text: 'Diagnose RayServices', link: '/ray-service' },
      { text: 'Diagnose NVIDIA Dynamo', link: '/dynamo' },
      { text: 'Diagnose KServe', link: '/kserve' },
      { text: 'Diagnose vLLM production-stack', link: '/production-stack' },
      { text: 'Check pull requests', link: '/pull-requests' },
      { text: 'Warn when a manifest is written', link: '/admission-warnings' },
      { text: 'Open fixes as pull requests', link: '/git' },
      { text: 'Connect an assistant (MCP)', link: '/mcp' },
      { text: 'See it in Headlamp', link: '/headlamp' },
      { text: 'Find deadlocks with Prometheus', link: '/self-blocked-rollouts' },
      { text: 'Run many clusters', link: '/many-clusters' },
      { text: 'Company login for approvals', link: '/login' },
      { text: 'Run Redis', link: '/redis' },
      { text: 'Make and replace approval keys', link: '/approval-keys' },
      { text: 'Check the audit', link: '/audit' },
    ],
  },
  {
    text: 'Reference',
    collapsed: true,
    items: [
      { text: 'Command line', link: '/cli' },
      { text: 'Without access to the cluster', link: '/without-access' },
      { text: 'Settings', link: '/configuration' },
      { text: 'Policy', link: '/policy' },
      { text: 'Metrics', link: '/metrics' },
      { text: 'JSON of answers', link: '/json' },
      { text: 'JSON: facts of findings', link: '/facts' },
      { text: 'Limits', link: '/limits' },
      { text: 'Images and releases', link: '/release' },
      { text: 'Inside: flows, limits, folders', link: '/inside' },
    ],
  },
  {
    text: 'Troubleshooting',
    items: [
      { text: 'It does not work', link: '/troubleshooting' },
      { text: 'Runbook of its alerts', link: '/runbook' },
    ],
  },
  {
    text: 'Evidence',
    collapsed: true,
    items: [
      { text: 'Engines and Kubernetes', link: '/engines' },
      { text: 'Certificates of deadlocks', link: '/certificate' },
      { text: 'Tests', link: '/testing' },
      { text: 'Control-plane tests', link: '/control-plane-tests' },
      { text: 'Offered fixes, applied', link: '/applied-fixes' },
      { text: 'Faults', link: '/faults' },
      { text: 'Mutation tests', link: '/mutation' },
      { text: 'Benchmarks', link: '/benchmarks' },
      { text: 'Comparison', link: '/comparison' },
      { text: 'Decisions', link: '/decisions/', collapsed: true, items: pagesIn('decisions') },
    ],
  },
];

/** The sidebar of the pages in Korean. What they do not have is in English. */
export const koreanSidebar = [
  { text: '소개', link: '/ko/' },
  { text: '설치', link: '/ko/install' },
  { text: '원인 목록', link: '/ko/causes' },
  { text: '덤프 파일을 브라우저에서 진단', link: '/diagnose.html', target: '_self' },
  { text: '영어 문서 전체', link: '/' },
];
