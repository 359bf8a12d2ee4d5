import { describe, expect, it } from 'vitest';
import { parseCommand } from '#src/doctor/commands/parse-command.js';
import { renderUsage } from '#src/edges/slack/render/answers.js';

describe('a request is read as it was meant', () => {
  it.each<[string, string]>([
    ['`ml/inference`.', 'ml/inference'],
    ['stateful set db -n shop', 'sts/db -n shop'],
    ['/rollout-doctor ml/inference', 'ml/inference'],
    ['inference를', 'inference'],
    ['inference를 진단해줘', 'inference'],
    ['ml/inference를 재시작 해줘', 'restart ml/inference'],
    ['재시작해줘 ml/inference', 'restart ml/inference'],
    ['ml/inference에서 gpu-a를 제외', 'exclude ml/inference gpu-a'],
    ['ml 네임스페이스 스캔', 'scan ml'],
    ['scan namespace ml', 'scan ml'],
    ['scan ns/ml', 'scan ml'],
    ['scan all', 'scan -A'],
    ['스캔 전체', 'scan -A'],
    ['roll back ml/inference', 'rollback ml/inference'],
    ['silence ml/inference for 2 hours', 'silence ml/inference 2h'],
    ['silence ml/inference 2 h node swap', 'silence ml/inference 2h node swap'],
    ['음소거 ml/inference 30 분', 'silence ml/inference 30m'],
    ['help me', 'help'],
    ['inference.ml.svc.cluster.local:8080', 'ml/inference'],
  ])('%s is %s', (typed, meant) => {
    expect(parseCommand(typed)).toEqual(parseCommand(meant));
  });
});

describe('a line or a row of kubectl is read', () => {
  it.each<[string, string]>([
    ['kubectl -n ml get pods', 'scan ml'],
    ['kubectl get events -n ml --sort-by=.lastTimestamp', 'scan ml'],
    ['kubectl events -n ml', 'scan ml'],
    ['kubectl -n ml rollout status deploy/inference', 'deploy/inference -n ml'],
    ['kubectl --context prod-eu -n ml get deploy inference -o yaml', 'prod-eu/ml/deploy/inference'],
    ['kubectl -n ml logs deploy/inference --previous', 'deploy/inference -n ml'],
    ['kubectl logs web-5c96 -n ml -c app --tail 50', 'pod/web-5c96 -n ml'],
    ['kubectl -n ml exec -it web-5c96 -- sh -c ls', 'pod/web-5c96 -n ml'],
    ['oc get pod web-5c96 -n ml', 'pod/web-5c96 -n ml'],
    ['get deploy inference -n ml', 'deploy/inference -n ml'],
    ['web-5c96   0/1   CrashLoopBackOff   7 (2m ago)   25m', 'pod/web-5c96'],
    ['ml   web-5c96   0/1   Pending   0   25m', 'pod/web-5c96 -n ml'],
    ['pod/web-5c96   0/1   Pending   0   25m', 'pod/web-5c96'],
    ['ml   inference   0/1   1   0   25m', 'inference -n ml'],
    ['kubectl apply -f web.yaml', ''],
  ])('%s', (typed, meant) => {
    expect(parseCommand(typed)).toEqual(parseCommand(meant));
  });
});

describe('a request that cannot be carried out is answered with one that can', () => {
  const offers: readonly (readonly [typed: string, offered: string])[] = [
    ['deployemnt/inference -n ml', 'deployment/inference -n ml'],
    ['depolyment inference -n ml', 'deployment/inference -n ml'],
    ['restart depolyment inference -n ml', 'restart deployment/inference -n ml'],
    ['ml:inference', 'ml/inference'],
    ['ml\\inference', 'ml/inference'],
    ['inference@ml', 'ml/inference'],
    ['ml/inference가 멈췄어요', 'ml/inference'],
    ['ml/inference 상태 확인해줘', 'ml/inference'],
    ['inference is down, please help', 'inference'],
    ['pod web-5c96 in ml is Pending', 'pod/web-5c96 -n ml'],
    ['kubectl scale deploy/inference --replicas=2 -n ml', 'deploy/inference -n ml'],
    ['kubectl set image deploy/inference app=img:2 -n ml', 'deploy/inference -n ml'],
    ['kubectl delete pod web-5c96 -n ml', 'pod web-5c96 -n ml'],
    ['ml scan', 'scan ml'],
    ['ml/inference restart now', 'ml/inference'],
    ['ml/inference restart', 'restart ml/inference'],
    ['undo ml/inference', 'rollback ml/inference'],
    ['snooze ml/inference 2h', 'silence ml/inference 2h'],
    ['approve ml/inference', 'ml/inference'],
    ['rollback ml/inference to 3', 'rollback ml/inference'],
    ['exclude gpu-a ml/inference', 'exclude ml/inference gpu-a'],
    ['exclude gpu-a gpu-b from ml/inference', 'exclude ml/inference gpu-a gpu-b'],
    ['scan deploy/inference -n ml', 'deploy/inference -n ml'],
    [
      '<https://cd.example/applications/argocd/ml?node=apps%2FDeployment%2Fml%2Finference%2F0>',
      'deployment/inference -n ml',
    ],
    ['<https://graphs.example/d/a/b?var-namespace=ml&amp;var-workload=inference>', 'ml/inference'],
    ['https://graphs.example/d/a?orgId=1&var-namespace=ml&var-pod=web-5c96', 'pod/web-5c96 -n ml'],
    ['https://console.example/k8s/ns/ml/deployments/inference', 'deployment/inference -n ml'],
    ['https://console.example/k8s/ns/ml/apps~v1~StatefulSet/db/pods', 'statefulset/db -n ml'],
    ['restart https://console.example/c/main/apps.deployment/ml/web', 'restart deployment/web -n ml'],
    ['https://dash.example/#/deployment/shop/web?namespace=shop', 'deployment/web -n shop'],
  ];

  it.each(offers)('%s: %s', (typed, offered) => {
    const command = parseCommand(typed);
    if (command.type !== 'usage') throw new Error(`read as ${JSON.stringify(command)}`);
    expect(command.problem.values).toMatchObject({ meant: offered });
    expect(parseCommand(offered).type).not.toBe('usage');
    for (const language of ['en', 'ko'] as const) {
      expect(JSON.stringify(renderUsage(command.problem, language).blocks)).toContain('"button"');
    }
  });

  it.each<[string, string]>([
    ['undo', 'verb-on-card'],
    ['approve', 'verb-on-card'],
    ['stop changes', 'reason-missing'],
    ['stop all changes', 'reason-missing'],
    ['<namespace>/<name>', 'form-given'],
    ['fix it', 'too-many-words'],
    ['thank you!', 'too-many-words'],
    ['my deployment is stuck', 'too-many-words'],
    ['https://git.example/acme/deploy/pull/3', 'address-given'],
    ['https://cd.example/applications/argocd/payments', 'address-given'],
    ['<https://cd.example/applications/argocd/payments>', 'address-given'],
    ['https://cloud.example/deployment/europe/prod/ml/web/overview', 'address-given'],
    ['ml/inference_v2', 'name-invalid'],
    ['web:1.2', 'name-invalid'],
  ])('%s is answered with %s and the form of a request', (typed, key) => {
    const command = parseCommand(typed);
    if (command.type !== 'usage') throw new Error(`read as ${JSON.stringify(command)}`);
    expect(command.problem.key).toBe(key);
    expect(renderUsage(command.problem, 'en').text).toMatch(/ml\/inference|namespace\/name|changes stop/);
  });
});

describe('a misspelt request that may be a name is offered where no workload has it', () => {
  it.each([
    ['depolyment/web', 'deployment/web'],
    ['helm', 'help'],
  ])('%s: %s', (typed, meant) => {
    expect(parseCommand(typed)).toMatchObject({ type: 'diagnose', meant });
  });
});
