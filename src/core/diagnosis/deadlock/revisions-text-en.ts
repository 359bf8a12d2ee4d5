import { code, say, sentences, word } from '../../language/prose.js';
import { counted, duration, names } from '../../language/words.js';

interface RevisionValues {
  readonly next: string;
  readonly former: readonly string[];
}

/** The sentences about workloads that replace a whole revision: Knative Services, RayServices, DynamoGraphDeployments. */
export const revisionsEn = {
  'strategy-knative': ({ next, former }: RevisionValues) =>
    sentences(
      say`Knative starts the pods of revision ${code(next)} beside those of ${names('en', former)}, which serves.`,
      say`It moves the traffic, and stops the old pods, only when the new revision is ready.`,
    ),
  'strategy-ray': ({ next, former }: RevisionValues) =>
    sentences(
      say`KubeRay starts RayCluster ${code(next)} beside ${names('en', former)}, which serves.`,
      say`It switches, and deletes the old RayCluster, only when the Serve applications of the new one run.`,
    ),
  'strategy-dynamo': ({
    next,
    former,
    component,
    surge,
    unavailable,
  }: RevisionValues & {
    readonly component: string;
    readonly surge: number;
    readonly unavailable: number;
  }) =>
    sentences(
      say`The Dynamo operator starts workers of generation ${code(next)} beside those of ${names('en', former)}, which serve.`,
      say`Of component ${code(component)}, ${counted(surge, 'worker', 'workers')} more than its replicas may exist, and ${unavailable === 0 ? word('none') : unavailable} may be missing. So it stops no other old worker before a new one is ready.`,
    ),
  'ev-revisions': ({ next, former }: RevisionValues) =>
    say`${code(next)} is not ready, and ${names('en', former)} ${word(former.length === 1 ? 'serves' : 'serve')}`,
  'knative-gives-up': ({ seconds, isDefault }: { readonly seconds: number; readonly isDefault: boolean }) =>
    sentences(
      isDefault
        ? say`After the progress deadline (${duration('en', seconds)} by default), Knative marks the new revision as failed and scales it to zero.`
        : say`After the progress deadline (${duration('en', seconds)}), Knative marks the new revision as failed and scales it to zero.`,
      say`The old revision then goes on serving, and the update is not made.`,
    ),
  'revision-may-shrink': ({
    revision,
    pods,
    least,
  }: {
    readonly revision: string;
    readonly pods: number;
    readonly least: number;
  }) =>
    say`Knative's autoscaler may reduce revision ${code(revision)} from ${counted(pods, 'pod', 'pods')} to ${least} when it receives fewer requests. The new pod may fit then.`,
  /** `pods`: those that wait for a node; none where the API server does not create them. */
  'ray-may-serve': ({ pods }: { readonly pods: readonly string[] }) =>
    pods.length === 0
      ? say`The head of the new RayCluster is ready. If the Serve applications start without the missing pods, KubeRay switches.`
      : say`The head of the new RayCluster is ready. If the Serve applications start without ${names('en', pods, 3)}, KubeRay switches.`,
  'ray-may-shrink': ({ clusters }: { readonly clusters: readonly string[] }) =>
    say`Ray's autoscaler may remove idle workers of RayCluster ${names('en', clusters)}. The new pod may fit then.`,
  'ray-incremental': () =>
    say`With ${code('NewClusterWithIncrementalUpgrade')}, KubeRay moves traffic in steps, and Ray's autoscaler may reduce the old RayCluster after each. This diagnosis does not simulate these steps.`,
  'patch-withheld-knative': () =>
    say`Knative has no field that stops the old revision first. A changed strategy of its Deployments decides nothing: the pods belong to two of them.`,
  'patch-withheld-ray': () =>
    say`A RayService has no field that deletes the old RayCluster first. ${code('spec.upgradeStrategy.type')} applies to later changes only.`,
  'patch-withheld-dynamo': () =>
    say`The bounds of the update are annotations in the pod templates of the components, and a change there makes a further generation of workers. Rollout Doctor does not change them.`,
  'dynamo-may-scale': ({ component }: { readonly component: string }) =>
    say`A planner or autoscaler may reduce component ${code(component)} through its scaling adapter. The new pod may fit then.`,
  'advice-dynamo-title': () => say`Let the operator stop an old worker first`,
  'advice-dynamo': ({ component, workload }: { readonly component: string; readonly workload: string }) =>
    sentences(
      say`Set these annotations in the manifest of ${code(workload)}, for component ${code(component)} and for each other one that is stuck.`,
      say`The operator then stops an old worker before it starts a new one. A component with one worker serves nothing until the new worker is ready.`,
      say`A change of a worker's Deployment does not last: the operator reverts it.`,
    ),
  /** Of KServe. */
  'advice-serverless-title': () => say`Know the mode of the InferenceService`,
  'advice-serverless': ({ service }: { readonly service: string }) =>
    sentences(
      say`InferenceService ${code(service)} is in serverless mode, where the webhook of KServe refuses ${code('deploymentStrategy')}.`,
      say`The field exists in RawDeployment (Standard) mode only. The annotation ${code('serving.kserve.io/deploymentMode')} sets the mode, and a change of it needs a new InferenceService.`,
    ),
  'advice-knative-title': () => say`Free the place that the old revision uses`,
  'advice-knative': ({ revision, workload }: { readonly revision: string; readonly workload: string }) =>
    sentences(
      say`Deleting the Deployment of ${code(revision)} does not help, because Knative makes it again.`,
      say`Where its autoscaler may go to zero, set the annotation ${code('autoscaling.knative.dev/min-scale: "0"')} on Revision ${code(revision)}. It then stops its pods while no request arrives.`,
      say`Otherwise delete Revision ${code(revision)}: ${code(workload)} serves no request until the new revision is ready.`,
    ),
  'advice-ray-title': () => say`Replace the RayCluster in place`,
  'advice-ray': ({ cluster, workload }: { readonly cluster: string; readonly workload: string }) =>
    sentences(
      say`With ${code('spec.upgradeStrategy.type: None')}, KubeRay starts no second RayCluster for a later change of ${code(workload)}.`,
      say`Such a change takes effect when the RayCluster is made again, after you delete it: ${code(workload)} serves no request until then.`,
      say`For the update that is stuck now, deleting RayCluster ${code(cluster)} frees its place at the same price.`,
    ),
};
