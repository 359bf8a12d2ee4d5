import { code, say, sentences, word } from '../../../engine/language/prose.js';
import { counted, duration, names } from '../../../engine/language/words.js';

type RevisionValues = { readonly next: string; readonly former: readonly string[] };

/**
 * The sentences about workloads that replace a whole revision: Knative Services, RayServices,
 * DynamoGraphDeployments.
 */
const revisionsEn = {
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
  }: RevisionValues & { readonly component: string; readonly surge: number; readonly unavailable: number }) =>
    sentences(
      say`The Dynamo operator starts workers of generation ${code(next)} beside those of ${names('en', former)}, which serve.`,
      say`Of component ${code(component)}, ${counted(surge, 'worker', 'workers')} more than its replicas may exist, and ${unavailable === 0 ? word('none') : unavailable} may be missing. So it stops no other old worker before a new one is ready.`,
    ),
  'ev-revisions': ({ next, former }: RevisionValues) =>
    say`${code(next)} is not ready, and ${names('en', former)} ${word(former.length === 1 ? 'serves' : 'serve')}`,
  /** `leftSeconds`: until then; unknown of a recording without a moment. */
  'knative-gives-up': (values: { seconds: number; isDefault: boolean; leftSeconds: number | undefined }) =>
    sentences(
      values.isDefault
        ? say`Knative scales the new revision to zero ${autoscalerSeconds} s after its progress deadline, which is ${duration('en', values.seconds - autoscalerSeconds)} by default.`
        : say`Knative scales the new revision to zero ${autoscalerSeconds} s after its progress deadline of ${duration('en', values.seconds - autoscalerSeconds)}.`,
      values.leftSeconds === undefined || values.leftSeconds < 1
        ? say`A place that becomes free before then still helps.`
        : say`A place that becomes free in the next ${duration('en', values.leftSeconds)} still helps.`,
      say`Afterwards the old revision goes on serving, and the update is not made.`,
    ),
  'knative-goes-on': ({ ready }: { ready: readonly string[] }) =>
    say`Because ${names('en', ready, 3)} of the new revision became ready, Knative may never scale it to zero. The pods then wait without an end, and the ready ones use their places without traffic.`,
  'knative-others-wait': ({ revisions }: { revisions: readonly string[] }) =>
    sentences(
      say`Pods of ${names('en', revisions)}, which a later change replaced, wait as well.`,
      say`If one of them takes the place that becomes free, Knative moves the traffic to its revision.`,
    ),
  'revision-may-shrink': ({ revision, pods, least }: { revision: string; pods: number; least: number }) =>
    say`Knative's autoscaler may reduce revision ${code(revision)} from ${counted(pods, 'pod', 'pods')} to ${least} when it receives fewer requests. The new pod may fit then.`,
  /** `pods`: those that wait for a node; none where the API server does not create them. */
  'ray-may-serve': ({ pods }: { pods: readonly string[] }) =>
    pods.length === 0
      ? say`The head of the new RayCluster is ready. If the Serve applications start without the missing pods, KubeRay switches.`
      : say`The head of the new RayCluster is ready. If the Serve applications start without ${names('en', pods, 3)}, KubeRay switches.`,
  'ray-may-shrink': ({ clusters }: { clusters: readonly string[] }) =>
    say`Ray's autoscaler may remove idle workers of RayCluster ${names('en', clusters)}. The new pod may fit then.`,
  'ray-incremental': () =>
    say`With ${code('NewClusterWithIncrementalUpgrade')}, KubeRay moves traffic in steps, and Ray's autoscaler may reduce the old RayCluster after each. This diagnosis does not simulate these steps.`,
  'patch-withheld-knative': () =>
    say`Knative has no field that stops the old revision first. A changed strategy of its Deployments decides nothing: the pods belong to two of them.`,
  'ray-taken-back': ({ cluster }: { cluster: string }) =>
    say`The spec asks for what the old RayCluster runs. RayCluster ${code(cluster)} was prepared for a spec that was taken back. If its pods start, KubeRay still switches to it.`,
  'advice-taken-back-title': () => say`Do not free a place for the version that was taken back`,
  'advice-taken-back': ({ cluster, workload }: { cluster: string; workload: string }) =>
    sentences(
      say`${code(workload)} serves what its spec asks for. With more room, it would switch to RayCluster ${code(cluster)}, which runs the other version.`,
      say`With the type ${code('NewCluster')}, KubeRay replaces ${code(cluster)} by one of the present spec, for which waiting does no harm.`,
    ),
  'patch-withheld-inside': ({ deployment }: { deployment: string }) =>
    say`The strategy to change is that of the Deployment ${code(deployment)}. Diagnose it by its own name to review and approve the change.`,
  'advice-inside-title': () => say`Stop the old pod first, in the Deployment of the revision`,
  'advice-inside': ({ deployment, graceSeconds }: { deployment: string; graceSeconds: number }) =>
    sentences(
      say`The pods of one revision are being replaced, as after a restart or an upgrade of Knative. The Deployment ${code(deployment)} rolls by its own strategy, which Knative leaves alone.`,
      say`With this change an old pod stops before a new one starts. It may take ${duration('en', graceSeconds)} to stop, and its place is empty until the new pod is ready.`,
    ),
  'patch-withheld-ray': () =>
    say`A RayService has no field that deletes the old RayCluster first. ${code('spec.upgradeStrategy.type')} applies to later changes only.`,
  'patch-withheld-dynamo': () =>
    say`The bounds of the update are annotations in the pod templates of the components, and a change there makes a further generation of workers. Rollout Doctor does not change them.`,
  'dynamo-may-scale': ({ component }: { component: string }) =>
    say`A planner or autoscaler may reduce component ${code(component)} through its scaling adapter. The new pod may fit then.`,
  'advice-dynamo-title': () => say`Let the operator stop an old worker first`,
  'advice-dynamo': ({ component, workload }: { component: string; workload: string }) =>
    sentences(
      say`Set these annotations in the manifest of ${code(workload)}, for component ${code(component)} and for each other one that is stuck.`,
      say`The operator then stops an old worker before it starts a new one. A component with one worker serves nothing until the new worker is ready.`,
      say`A change of a worker's Deployment does not last: the operator reverts it.`,
    ),
  /** Of KServe. */
  'advice-serverless-title': () => say`Know the mode of the InferenceService`,
  'advice-serverless': ({ service }: { service: string }) =>
    sentences(
      say`InferenceService ${code(service)} is in serverless mode, where the webhook of KServe refuses ${code('deploymentStrategy')}.`,
      say`The field exists in RawDeployment (Standard) mode only. The annotation ${code('serving.kserve.io/deploymentMode')} sets the mode, and a change of it needs a new InferenceService.`,
    ),
  'advice-knative-title': () => say`Free the place that the old revision uses`,
  'advice-knative': ({ revision, workload }: { revision: string; workload: string }) =>
    sentences(
      say`Knative makes a deleted Deployment of ${code(revision)} again, and its pods then compete with the new ones for the place.`,
      say`Where its autoscaler may go to zero, set the annotation ${code('autoscaling.knative.dev/min-scale: "0"')} on Revision ${code(revision)}. It then stops its pods while no request arrives.`,
      say`Otherwise delete Revision ${code(revision)}: ${code(workload)} serves no request until the new revision is ready.`,
    ),
  'advice-tag-title': ({ tag }: { tag: string }) => say`Remove the tag ${code(tag)}`,
  'advice-tag': ({ tag, revision }: { tag: string; revision: string }) =>
    say`No traffic goes to ${code(revision)}, and the tag ${code(tag)} keeps its pods. Without the tag in ${code('spec.traffic')} Knative stops them, and no request is lost.`,
  'advice-knative-others-title': () => say`First delete the revisions that nobody wants`,
  'advice-knative-others': ({ revisions }: { revisions: readonly string[] }) =>
    say`Delete ${names('en', revisions)} before you free the place. Otherwise their pods may take it, and an abandoned version would serve.`,
  'advice-knative-back-title': () => say`Or roll back by the traffic`,
  'advice-knative-back': ({ revision }: { revision: string }) =>
    say`With all traffic on ${code(revision)}, the former version is what the manifest asks for, and no pod has to start. A changed template would make one more revision, whose pods need the same place.`,
  'advice-ray-title': () => say`Replace the RayCluster in place`,
  'advice-ray': ({ cluster, workload }: { cluster: string; workload: string }) =>
    sentences(
      say`With ${code('spec.upgradeStrategy.type: None')}, KubeRay starts no second RayCluster for a later change of ${code(workload)}.`,
      say`Such a change takes effect when the RayCluster is made again, after you delete it: ${code(workload)} serves no request until then.`,
      say`For the update that is stuck now, deleting RayCluster ${code(cluster)} frees its place at the same price.`,
    ),
};

/** Bounds of a LeaderWorkerSet. */
export interface GroupBounds {
  readonly maxSurge: string;
  readonly maxUnavailable: string;
  readonly replicas: number;
}

const wholeGroups = ({ maxSurge, maxUnavailable, replicas }: GroupBounds) =>
  say`The rolling update (maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)}) counts whole groups, of ${counted(replicas, 'group', 'groups')}.`;

/** Why the controllers of kinds beyond `apps/v1` stop no old pod, and what changes that, in English. */
/**
 * What the autoscaler adds (knative serving
 * `pkg/reconciler/autoscaling/kpa/scaler.go: activationTimeoutBuffer`).
 */
export const autoscalerSeconds = 30;

export const en = {
  /** Of a Rollout: a canary without a traffic router. */
  'strategy-canary': (values: {
    maxSurge: string;
    maxUnavailable: string;
    replicas: number;
    unavailable: number;
  }) =>
    sentences(
      say`The canary (maxSurge ${code(values.maxSurge)}, maxUnavailable ${code(values.maxUnavailable)}) allows ${values.unavailable} of ${counted(values.replicas, 'pod', 'pods')} to be missing.`,
      say`The controller stops no old pod before the new one is available.`,
    ),
  'strategy-routed': ({ replicas }: { replicas: number }) =>
    say`With a traffic router, all ${counted(replicas, 'stable pod stays', 'stable pods stay')} until the new revision is promoted. maxSurge and maxUnavailable are not used.`,
  'strategy-routed-dynamic': ({ weight }: { weight: number }) =>
    say`With ${code('dynamicStableScale')}, stable pods stop only after traffic has moved. The canary gets its weight of ${weight} only when its pods are available.`,
  'strategy-blue-green': ({ replicas }: { replicas: number }) =>
    say`A blue-green update keeps all ${counted(replicas, 'active pod', 'active pods')} until the preview pods are available.`,
  'patch-withheld-unused': () => say`This strategy does not use maxSurge and maxUnavailable of a canary.`,
  'patch-withheld-canary': ({ weight, replicas }: { weight: number; replicas: number }) =>
    say`With maxSurge 0, the controller may remove the waiting canary: weight ${weight} of ${counted(replicas, 'replica', 'replicas')} may be no pod. Then no old pod is replaced at this step.`,
  'scale-down-withheld-rollout': () =>
    say`The controller of a Rollout sets the size of its ReplicaSets again at once.`,
  /** Of a LeaderWorkerSet. */
  'strategy-groups': (bounds: GroupBounds) =>
    sentences(wholeGroups(bounds), say`The controller stops no old group before the new group is ready.`),
  'strategy-groups-in-order': (bounds: GroupBounds) =>
    sentences(
      wholeGroups(bounds),
      say`The StatefulSet of the leaders replaces one leader at a time, the highest number first. It waits until the new leader with the higher number is available.`,
    ),
  'ev-groups': ({ surge, unavailable }: { surge: number; unavailable: number }) =>
    say`${counted(surge, 'extra group', 'extra groups')}, and ${counted(unavailable, 'group', 'groups')} that may be missing`,
  'groups-not-simulated': ({ settings }: { settings: readonly string[] }) =>
    say`This diagnosis does not simulate ${names('en', settings)}. With such a setting, the pods of a group may need other nodes, or the controller may act in another way.`,
  ...revisionsEn,
};
