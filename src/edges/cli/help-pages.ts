import type { Help } from './help-text.js';

/** The program's name where it is not started by kubectl. */
export const programName = 'rollout-doctor';

/**
 * What stands below the options in the help of each command: commands to copy, and sentences in the reader's
 * language.
 */
export function helpPages(help: Help, name = programName) {
  const examples = help('examples');
  const pages = {
    program: `
${examples}
  rollout-doctor diagnose ml/inference
  rollout-doctor explain "0/3 nodes are available: 3 Insufficient nvidia.com/gpu."

${help('exit-program')}
${help('more-help')}`,
    diagnose: `
${examples}
  rollout-doctor diagnose ml/inference
  rollout-doctor diagnose deploy/inference -n ml --output json
  rollout-doctor diagnose pod/inference-5c964cb969-tqc7m -n ml
  rollout-doctor diagnose ml/inference --watch
  rollout-doctor diagnose shop/api --from ./incident --at 2026-11-20T09:30:00Z`,
    scan: `
${examples}
  rollout-doctor scan -n shop
  rollout-doctor scan -A --context prod-eu --output json
  rollout-doctor scan -A --fragile --output html > fragile.html
  kubectl get deploy,sts,ds,rs,controllerrevisions,pods,events -A -o json > all.json
  kubectl get nodes -o json > nodes.json; rollout-doctor scan --from .

JSON: { apiVersion: "rollout-doctor/v1", kind: "DiagnosisList", items: [Diagnosis] }, ${help('json-scan')}`,
    check: `
${examples}
  rollout-doctor check -f deploy/ --against prod-eu
  kustomize build overlays/prod | rollout-doctor check -f - --against ./recorded
  rollout-doctor check -f web.yaml -o github     ${help('github')}
  rollout-doctor check -f web.yaml -o sarif      ${help('sarif')}

${help('check-fields')}
${help('exit-check')}`,
    'admission-policy': `
${examples}
  rollout-doctor admission-policy | kubectl apply -f -
  rollout-doctor admission-policy --lang ko > warnings.yaml`,
    record: `
${examples}
  rollout-doctor record cluster.json -A
  rollout-doctor record shop.json -n shop --context prod-eu --force
  rollout-doctor check -f deploy/ --against cluster.json

${help('record-leaves-out')}`,
    doctor: `
${examples}
  rollout-doctor doctor
  rollout-doctor doctor --only kubernetes --context prod-eu -n shop

${help('doctor-reads')}
${help('exit-doctor')}`,
    'cluster-keys': `
${examples}
  APPROVAL_KEYS="$(cat approval-keys)" rollout-doctor cluster-keys prod-eu`,
    'answer-keys': `
${examples}
  APPROVAL_KEYS="$(cat approval-keys)" rollout-doctor answer-keys prod-eu
  APPROVAL_KEYS="$(cat approval-keys)" rollout-doctor answer-keys`,
    mcp: `
${examples}
  rollout-doctor mcp --context prod-eu
  rollout-doctor mcp --from ./incident`,
    completion: `
${examples}
  source <(rollout-doctor completion bash)
  rollout-doctor completion zsh > "\${fpath[1]}/_rollout-doctor"
  rollout-doctor completion fish > ~/.config/fish/completions/rollout-doctor.fish`,
    explain: `
${examples}
  rollout-doctor explain "0/3 nodes are available: 3 Insufficient nvidia.com/gpu."
  kubectl get events -A --field-selector reason=FailedScheduling -o json \\
    | jq -r '.items[].message' | rollout-doctor explain --output json

${help('json-explain')}
{ nodes, feasible, reasons: [{ reason, count, text, detail }],
preemption: { reasons: [{ reason, count, text }], text } }`,
  };
  const asInvoked = (page: string): string => page.replaceAll(`${programName} `, `${name} `);
  return {
    program: asInvoked(pages.program),
    diagnose: asInvoked(pages.diagnose),
    scan: asInvoked(pages.scan),
    check: asInvoked(pages.check),
    'admission-policy': asInvoked(pages['admission-policy']),
    record: asInvoked(pages.record),
    mcp: asInvoked(pages.mcp),
    doctor: pages.doctor,
    'cluster-keys': pages['cluster-keys'],
    'answer-keys': pages['answer-keys'],
    completion: pages.completion,
    explain: asInvoked(pages.explain),
  };
}
