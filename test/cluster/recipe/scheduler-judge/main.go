// Answers with the scheduler's own framework which nodes a recorded pod fits on, beside all recorded pods or without some of them.
//
// Standard input: a line of JSON for each question. Standard output: a line for each answer, in the same order.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/version"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	internalcache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/profile"
)

type question struct {
	Objects string   `json:"objects"`
	Release string   `json:"release"`
	Pod     string   `json:"pod"`
	Without []string `json:"without"`
}

type refusal struct {
	Plugin  string   `json:"plugin"`
	Reasons []string `json:"reasons"`
}

type answer struct {
	Error string `json:"error,omitempty"`
	// Of the pod as such, before any node.
	Pod *refusal `json:"pod,omitempty"`
	// By node; null where the pod fits.
	Nodes map[string]*refusal `json:"nodes"`
}

// Feature gates belong to the process, so questions about one release are answered beside each other, and releases one after the other.
func main() {
	klog.SetLogger(klog.Logger{})
	var asked []question
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var each question
		if err := json.Unmarshal(lines.Bytes(), &each); err != nil {
			panic(err)
		}
		asked = append(asked, each)
	}
	answers := make([]answer, len(asked))
	done := map[string]bool{}
	for _, first := range asked {
		if done[first.Release] {
			continue
		}
		done[first.Release] = true
		if err := utilfeature.DefaultMutableFeatureGate.SetEmulationVersion(version.MustParse(first.Release)); err != nil {
			panic(err)
		}
		var waiting sync.WaitGroup
		slots := make(chan struct{}, 8)
		for at, each := range asked {
			if each.Release != first.Release {
				continue
			}
			waiting.Add(1)
			slots <- struct{}{}
			go func() {
				defer func() { <-slots; waiting.Done() }()
				answers[at] = judge(each)
			}()
		}
		waiting.Wait()
	}
	out := json.NewEncoder(os.Stdout)
	for _, each := range answers {
		if err := out.Encode(each); err != nil {
			panic(err)
		}
	}
}

func judge(asked question) answer {
	answered, err := ask(asked)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return *answered
}

func ask(asked question) (*answer, error) {
	objects, err := read(asked)
	if err != nil {
		return nil, err
	}
	var pod *v1.Pod
	var placed, nominated []*v1.Pod
	var nodes []*v1.Node
	for _, object := range objects {
		switch typed := object.(type) {
		case *v1.Node:
			nodes = append(nodes, typed)
		case *v1.Pod:
			if typed.Namespace+"/"+typed.Name == asked.Pod {
				pod = typed
			} else if typed.Spec.NodeName != "" {
				placed = append(placed, typed)
			} else if typed.Status.NominatedNodeName != "" {
				nominated = append(nominated, typed)
			}
		}
	}
	if pod == nil {
		return nil, fmt.Errorf("no pod %s", asked.Pod)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	client := fake.NewClientset(objects...)
	informers := scheduler.NewInformerFactory(client, 0, nil)
	snapshot := internalcache.NewSnapshot(placed, nodes)
	recorders := profile.NewRecorderFactory(events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()}))
	made, err := scheduler.New(ctx, client, informers, nil, recorders, scheduler.WithNodeInfoSnapshot(snapshot))
	if err != nil {
		return nil, err
	}
	informers.Start(ctx.Done())
	informers.WaitForCacheSync(ctx.Done())
	if err := made.WaitForHandlersSync(ctx); err != nil {
		return nil, err
	}
	// The caches of claims and volumes have handlers of their own, for which nothing waits.
	time.Sleep(50 * time.Millisecond)
	judging, ok := made.Profiles[pod.Spec.SchedulerName]
	if !ok {
		return nil, fmt.Errorf("another scheduler: %s", pod.Spec.SchedulerName)
	}
	for _, each := range nominated {
		info, err := framework.NewPodInfo(each)
		if err != nil {
			return nil, err
		}
		judging.AddNominatedPod(klog.FromContext(ctx), info, nil)
	}
	return filtered(ctx, judging, snapshot, pod, nodes)
}

func filtered(ctx context.Context, judging framework.Framework, snapshot *internalcache.Snapshot, pod *v1.Pod, nodes []*v1.Node) (*answer, error) {
	answered := &answer{Nodes: map[string]*refusal{}}
	for _, plugin := range judging.PreEnqueuePlugins() {
		if status := plugin.PreEnqueue(ctx, pod); !status.IsSuccess() {
			answered.Pod = refusalOf(status, plugin.Name())
			return answered, nil
		}
	}
	state := framework.NewCycleState()
	allowed, status, _ := judging.RunPreFilterPlugins(ctx, state, pod)
	if !status.IsSuccess() {
		if !status.IsRejected() {
			return nil, status.AsError()
		}
		answered.Pod = refusalOf(status, "")
		return answered, nil
	}
	for _, node := range nodes {
		if !allowed.AllNodes() && !allowed.NodeNames.Has(node.Name) {
			answered.Nodes[node.Name] = &refusal{Plugin: "PreFilter", Reasons: []string{}}
			continue
		}
		info, err := snapshot.NodeInfos().Get(node.Name)
		if err != nil {
			return nil, err
		}
		status := judging.RunFilterPluginsWithNominatedPods(ctx, state, pod, info)
		if status.IsSuccess() {
			answered.Nodes[node.Name] = nil
		} else if status.IsRejected() {
			answered.Nodes[node.Name] = refusalOf(status, "")
		} else {
			return nil, status.AsError()
		}
	}
	return answered, nil
}

func refusalOf(status *fwk.Status, plugin string) *refusal {
	if plugin == "" {
		plugin = status.Plugin()
	}
	return &refusal{Plugin: plugin, Reasons: status.Reasons()}
}

// The objects that a scheduler of this release reads, as they are once the pods that are left out are gone.
func read(asked question) ([]runtime.Object, error) {
	raw, err := os.ReadFile(asked.Objects)
	if err != nil {
		return nil, err
	}
	var list struct{ Items []json.RawMessage }
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	gone := map[string]bool{}
	for _, name := range asked.Without {
		gone[name] = true
	}
	goneUids := map[string]bool{}
	var left, stayed []*v1.Pod
	var objects []runtime.Object
	decoder := scheme.Codecs.UniversalDeserializer()
	for _, item := range list.Items {
		object, _, err := decoder.Decode(item, nil, nil)
		if err != nil {
			// Kinds of add-ons, and the header of a recording.
			continue
		}
		if pod, ok := object.(*v1.Pod); ok {
			if gone[pod.Namespace+"/"+pod.Name] {
				goneUids[string(pod.UID)] = true
				left = append(left, pod)
				continue
			}
			stayed = append(stayed, pod)
			// The scheduler lists no others.
			if pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed {
				continue
			}
			scheme.Scheme.Default(pod)
		}
		if readByScheduler[object.GetObjectKind().GroupVersionKind().Kind] {
			objects = append(objects, object)
		}
	}
	for _, object := range objects {
		if claim, ok := object.(*resourcev1.ResourceClaim); ok {
			release(claim, goneUids)
		}
	}
	return detached(objects, left, stayed), nil
}

// Without the attachments that only pods needed that are left out: the attach/detach controller removes them.
func detached(objects []runtime.Object, left, stayed []*v1.Pod) []runtime.Object {
	volumes := map[string]string{}
	for _, object := range objects {
		if claim, ok := object.(*v1.PersistentVolumeClaim); ok {
			volumes[claim.Namespace+"/"+claim.Name] = claim.Spec.VolumeName
		}
	}
	usedBy := func(pods []*v1.Pod) map[string]bool {
		used := map[string]bool{}
		for _, pod := range pods {
			for _, volume := range pod.Spec.Volumes {
				claim := pod.Name + "-" + volume.Name
				if volume.PersistentVolumeClaim != nil {
					claim = volume.PersistentVolumeClaim.ClaimName
				}
				if name := volumes[pod.Namespace+"/"+claim]; name != "" {
					used[pod.Spec.NodeName+" "+name] = true
				}
			}
		}
		return used
	}
	freed, kept := usedBy(left), usedBy(stayed)
	var remaining []runtime.Object
	for _, object := range objects {
		if attachment, ok := object.(*storagev1.VolumeAttachment); ok && attachment.Spec.Source.PersistentVolumeName != nil {
			at := attachment.Spec.NodeName + " " + *attachment.Spec.Source.PersistentVolumeName
			if freed[at] && !kept[at] {
				continue
			}
		}
		remaining = append(remaining, object)
	}
	return remaining
}

var readByScheduler = map[string]bool{
	"Pod": true, "Node": true, "Namespace": true, "PersistentVolumeClaim": true, "PersistentVolume": true,
	"StorageClass": true, "CSINode": true, "CSIDriver": true, "CSIStorageCapacity": true, "VolumeAttachment": true,
	"ResourceClaim": true, "ResourceSlice": true, "DeviceClass": true, "DeviceTaintRule": true,
}

// As the claim controller releases it once its last pod is gone.
func release(claim *resourcev1.ResourceClaim, gone map[string]bool) {
	var left []resourcev1.ResourceClaimConsumerReference
	for _, user := range claim.Status.ReservedFor {
		if !gone[string(user.UID)] {
			left = append(left, user)
		}
	}
	if len(left) == 0 && len(claim.Status.ReservedFor) > 0 {
		claim.Status.Allocation = nil
	}
	claim.Status.ReservedFor = left
}
