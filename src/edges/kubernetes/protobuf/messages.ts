import { clusterAutoscalerAnnotations } from '../../../engine/objects/node.js';

/**
 * Numbers of the fields that the model reads, as `k8s.io/api/core/v1/generated.proto` and
 * `apimachinery/…/meta/v1` have them; what is not named here is skipped. One line a message:
 * `field=number:type`, text where no type stands, `[]` for a list, `{}` for a map, `{prefix}` for those
 * entries of a map whose key begins so. `+` in place of a field: the message's fields lie in the one around
 * it, as in JSON.
 *
 * `int`: kept when it is 0. `some`: left out when it is 0, as JSON leaves it out. `cordon`: JSON in bytes,
 * see there.
 */
const table = `
Unknown typeMeta=1:TypeMeta raw=2:bytes
TypeMeta kind=2
PodList metadata=1:ListMeta items=2:Pod[]
NodeList metadata=1:ListMeta items=2:Node[]
ListMeta resourceVersion=2 continue=3
Status status=2 message=3 reason=4 code=6:int

Pod metadata=1:ObjectMeta spec=2:PodSpec status=3:PodStatus
Node metadata=1:NodeMeta spec=2:NodeSpec status=3:NodeStatus
ObjectMeta name=1 generateName=2 namespace=3 uid=5 resourceVersion=6 generation=7:some creationTimestamp=8:Time deletionTimestamp=9:Time deletionGracePeriodSeconds=10:int labels=11{} annotations=12{} ownerReferences=13:OwnerReference[] finalizers=14[]
NodeMeta name=1 generateName=2 namespace=3 uid=5 resourceVersion=6 creationTimestamp=8:Time deletionTimestamp=9:Time deletionGracePeriodSeconds=10:int labels=11{} annotations=12{${clusterAutoscalerAnnotations}} ownerReferences=13:OwnerReference[] managedFields=17:ManagedFieldsEntry[]
ManagedFieldsEntry manager=1 operation=2 apiVersion=3 time=4:Time fieldsV1=7:cordon subresource=8
OwnerReference kind=1 name=3 uid=4 apiVersion=5 controller=6:bool

NodeSpec unschedulable=4:bool taints=5:Taint[]
Taint key=1 value=2 effect=3 timeAdded=4:Time
NodeStatus capacity=1:Quantity{} allocatable=2:Quantity{} conditions=4:NodeCondition[] nodeInfo=7:NodeSystemInfo declaredFeatures=14[]
NodeCondition type=1 status=2 lastTransitionTime=4:Time reason=5 message=6
NodeSystemInfo kernelVersion=4 osImage=5 containerRuntimeVersion=6 kubeletVersion=7 operatingSystem=9 architecture=10

PodSpec volumes=1:Volume[] containers=2:Container[] restartPolicy=3 terminationGracePeriodSeconds=4:int activeDeadlineSeconds=5:int nodeSelector=7{} serviceAccountName=8 nodeName=10 hostNetwork=11:bool imagePullSecrets=15:LocalObjectReference[] affinity=18:Affinity schedulerName=19 initContainers=20:Container[] tolerations=22:Toleration[] priorityClassName=24 priority=25:int readinessGates=28:PodReadinessGate[] runtimeClassName=29 enableServiceLinks=30:bool preemptionPolicy=31 overhead=32:Quantity{} topologySpreadConstraints=33:TopologySpreadConstraint[] ephemeralContainers=34:EphemeralContainer[] schedulingGates=38:PodSchedulingGate[] resourceClaims=39:PodResourceClaim[] resources=40:ResourceRequirements schedulingGroup=43:PodSchedulingGroup
PodSchedulingGate name=1
PodSchedulingGroup podGroupName=1
PodReadinessGate conditionType=1
PodResourceClaim name=1 resourceClaimName=3 resourceClaimTemplateName=4
Toleration key=1 operator=2 value=3 effect=4 tolerationSeconds=5:int
TopologySpreadConstraint maxSkew=1:int topologyKey=2 whenUnsatisfiable=3 labelSelector=4:LabelSelector minDomains=5:int nodeAffinityPolicy=6 nodeTaintsPolicy=7 matchLabelKeys=8[]

Affinity nodeAffinity=1:NodeAffinity podAffinity=2:PodAffinity podAntiAffinity=3:PodAffinity
NodeAffinity requiredDuringSchedulingIgnoredDuringExecution=1:NodeSelector
NodeSelector nodeSelectorTerms=1:NodeSelectorTerm[]
NodeSelectorTerm matchExpressions=1:Requirement[] matchFields=2:Requirement[]
Requirement key=1 operator=2 values=3[]
PodAffinity requiredDuringSchedulingIgnoredDuringExecution=1:PodAffinityTerm[]
PodAffinityTerm labelSelector=1:LabelSelector namespaces=2[] topologyKey=3 namespaceSelector=4:LabelSelector matchLabelKeys=5[] mismatchLabelKeys=6[]
LabelSelector matchLabels=1{} matchExpressions=2:Requirement[]

Container name=1 image=2 command=3[] args=4[] workingDir=5 ports=6:ContainerPort[] env=7:EnvVar[] resources=8:ResourceRequirements volumeMounts=9:VolumeMount[] livenessProbe=10:Probe readinessProbe=11:Probe lifecycle=12:Lifecycle imagePullPolicy=14 envFrom=19:EnvFromSource[] volumeDevices=21:VolumeDevice[] startupProbe=22:Probe restartPolicy=24 restartPolicyRules=25:RestartRule[]
RestartRule action=1 exitCodes=2:ExitCodes
ExitCodes operator=1 values=2:int[]
EphemeralContainer +=1:Container
ContainerPort name=1 hostPort=2:int containerPort=3:int protocol=4 hostIP=5
ResourceRequirements limits=1:Quantity{} requests=2:Quantity{} claims=3:ResourceClaim[]
ResourceClaim name=1 request=2
VolumeMount name=1 readOnly=2:bool mountPath=3 subPath=4 subPathExpr=6
VolumeDevice name=1 devicePath=2
EnvFromSource prefix=1 configMapRef=2:EnvSource secretRef=3:EnvSource
EnvSource +=1:LocalObjectReference optional=2:bool
EnvVar name=1 value=2 valueFrom=3:EnvVarSource
EnvVarSource fieldRef=1:ObjectFieldSelector resourceFieldRef=2:ResourceFieldSelector configMapKeyRef=3:KeySelector secretKeyRef=4:KeySelector
ObjectFieldSelector fieldPath=2
ResourceFieldSelector resource=2
KeySelector +=1:LocalObjectReference key=2 optional=3:bool
LocalObjectReference name=1
Probe +=1:Handler initialDelaySeconds=2:some timeoutSeconds=3:some periodSeconds=4:some successThreshold=5:some failureThreshold=6:some terminationGracePeriodSeconds=7:int
Handler exec=1:ExecAction httpGet=2:HTTPGetAction tcpSocket=3:TCPSocketAction grpc=4:GRPCAction
ExecAction command=1[]
HTTPGetAction path=1 port=2:IntOrString host=3 scheme=4
TCPSocketAction port=1:IntOrString host=2
GRPCAction port=1:int service=2
Lifecycle postStart=1:LifecycleHandler preStop=2:LifecycleHandler
LifecycleHandler exec=1:ExecAction httpGet=2:HTTPGetAction sleep=4:SleepAction
SleepAction seconds=1:int

Volume name=1 +=2:VolumeSource
VolumeSource hostPath=1:HostPath emptyDir=2:EmptyDir gcePersistentDisk=3:GCEPersistentDisk awsElasticBlockStore=4:AWSElasticBlockStore secret=6:SecretVolume nfs=7:Nothing iscsi=8:ISCSI persistentVolumeClaim=10:PersistentVolumeClaimSource rbd=11:RBD configMap=19:NamedVolume projected=26:Projected csi=28:CSI ephemeral=29:Nothing image=30:ImageVolume
Nothing
HostPath path=1
EmptyDir medium=1 sizeLimit=2:Quantity
GCEPersistentDisk pdName=1 readOnly=4:bool
AWSElasticBlockStore volumeID=1
SecretVolume secretName=1 items=2:KeyToPath[] optional=4:bool
NamedVolume +=1:LocalObjectReference items=2:KeyToPath[] optional=4:bool
KeyToPath key=1 path=2
ISCSI iqn=2 lun=3:int readOnly=6:bool
PersistentVolumeClaimSource claimName=1 readOnly=2:bool
RBD monitors=1[] image=2 pool=4 readOnly=8:bool
Projected sources=1:VolumeProjection[]
VolumeProjection secret=1:NamedVolume configMap=3:NamedVolume
CSI driver=1 readOnly=2:bool fsType=3
ImageVolume reference=1

PodStatus phase=1 conditions=2:PodCondition[] message=3 reason=4 podIP=6 startTime=7:Time containerStatuses=8:ContainerStatus[] qosClass=9 initContainerStatuses=10:ContainerStatus[] nominatedNodeName=11 ephemeralContainerStatuses=13:ContainerStatus[] resize=14 resourceClaimStatuses=15:PodResourceClaimStatus[] extendedResourceClaimStatus=18:PodExtendedResourceClaimStatus allocatedResources=19:Quantity{} resources=20:ResourceRequirements
PodCondition type=1 status=2 lastTransitionTime=4:Time reason=5 message=6 observedGeneration=7:some
ContainerStatus name=1 state=2:ContainerState lastState=3:ContainerState ready=4:bool restartCount=5:int image=6 imageID=7 containerID=8 started=9:bool allocatedResources=10:Quantity{} resources=11:ResourceRequirements allocatedResourcesStatus=14:ResourceStatus[]
ResourceStatus name=1 resources=2:ResourceHealth[]
ResourceHealth resourceID=1 health=2
ContainerState waiting=1:Waiting running=2:Running terminated=3:Terminated
Waiting reason=1 message=2
Running startedAt=1:Time
Terminated exitCode=1:int signal=2:some reason=3 message=4 startedAt=5:Time finishedAt=6:Time containerID=7
PodResourceClaimStatus name=1 resourceClaimName=2
PodExtendedResourceClaimStatus resourceClaimName=2
`;

const scalars = [
  'string',
  'bool',
  'int',
  'some',
  'Quantity',
  'Time',
  'IntOrString',
  'bytes',
  'cordon',
] as const;
export type Scalar = (typeof scalars)[number];

export interface Field {
  /** As JSON spells it; `undefined`: the fields of the message lie in the one around it. */
  readonly name: string | undefined;
  readonly many: 'one' | 'list' | 'map';
  readonly type: Scalar | Message;
  /** What the keys of a map that are kept begin with; all keys where it is absent. */
  readonly prefix: Buffer | undefined;
}

/** Its fields by number. */
export type Message = { readonly fields: readonly (Field | undefined)[] };

/** The message of a kind, such as `PodList`; `undefined` for one that is not read this way. */
export function messageOf(kind: string): Message | undefined {
  messages ??= readTable();
  return messages.get(kind);
}

let messages: ReadonlyMap<string, Message> | undefined;

function readTable(): ReadonlyMap<string, Message> {
  const found = new Map<string, { readonly fields: (Field | undefined)[] }>();
  const lines = table.split('\n').filter((line) => line !== '');
  for (const line of lines) found.set(line.split(' ', 1)[0] ?? '', { fields: [] });
  for (const line of lines) {
    const [kind = '', ...fields] = line.split(' ');
    for (const text of fields) {
      const [, name = '', number = '', type = 'string', marks = '', prefix = ''] =
        /^(\w+|\+)=(\d+)(?::(\w+))?(\[\]|\{([\w./-]*)\})?$/.exec(text) ?? [];
      const message = found.get(type);
      const scalar = scalars.find((each) => each === type);
      const of = message ?? scalar;
      if (of === undefined) throw new Error(`${kind} has a field that cannot be read: ${text}`);
      const target = found.get(kind);
      if (target !== undefined) {
        target.fields[Number(number)] = {
          name: name === '+' ? undefined : name,
          many: marks === '[]' ? 'list' : marks.startsWith('{') ? 'map' : 'one',
          type: of,
          prefix: prefix === '' ? undefined : Buffer.from(prefix),
        };
      }
    }
  }
  return found;
}
