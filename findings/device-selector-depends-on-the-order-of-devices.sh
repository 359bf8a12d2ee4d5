#!/usr/bin/env bash
# A ResourceClaim for one GPU with `mig == false`, on a node with an old GPU, whose driver reports no such attribute, and a new one
# (the allocator of the scheduler, k8s.io/dynamic-resource-allocation 0.36.3). The ResourceSlice lists them in either order.
# Guess: the new GPU in both cases: a device without the attribute does not match.
# Seen:  with the old GPU first the claim fails with an error and gets no GPU; with the new one first it gets it, and never reads
#        the old one. A pod starts on one node and not on its twin, or no more after the driver restarts, while a GPU that
#        fits is free. With `.?mig.orValue(true)` the order does not matter.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"context"
	"fmt"

	core "k8s.io/api/core/v1"
	resource "k8s.io/api/resource/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

type classes struct{}

func (classes) List() ([]*resource.DeviceClass, error) { return nil, nil }

func (classes) Get(name string) (*resource.DeviceClass, error) {
	return &resource.DeviceClass{ObjectMeta: meta.ObjectMeta{Name: name}}, nil
}

func allocate(expression string, devices []resource.Device) (string, error) {
	name := "node-1"
	slice := &resource.ResourceSlice{ObjectMeta: meta.ObjectMeta{Name: name}, Spec: resource.ResourceSliceSpec{
		Driver: "gpu.example.com", NodeName: &name, Pool: resource.ResourcePool{Name: name, ResourceSliceCount: 1}, Devices: devices,
	}}
	request := &resource.ExactDeviceRequest{
		DeviceClassName: "gpu", AllocationMode: resource.DeviceAllocationModeExactCount, Count: 1,
		Selectors: []resource.DeviceSelector{{CEL: &resource.CELDeviceSelector{Expression: expression}}},
	}
	claim := &resource.ResourceClaim{ObjectMeta: meta.ObjectMeta{Namespace: "shop", Name: "gpu", UID: "1"}}
	claim.Spec.Devices.Requests = []resource.DeviceRequest{{Name: "gpu", Exactly: request}}
	state := structured.AllocatedState{
		AllocatedDevices:         sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
	}
	cache := cel.NewCache(10, cel.Features{})
	allocator, err := structured.NewAllocator(context.Background(), structured.Features{}, state, classes{}, []*resource.ResourceSlice{slice}, cache)
	if err != nil {
		return "", err
	}
	node := &core.Node{ObjectMeta: meta.ObjectMeta{Name: name}}
	results, err := allocator.Allocate(context.Background(), node, []*resource.ResourceClaim{claim})
	if len(results) == 0 {
		return "none", err
	}
	return results[0].Devices.Results[0].Device, err
}

func main() {
	mig := false
	former := resource.Device{Name: "old"}
	current := resource.Device{Name: "new", Attributes: map[resource.QualifiedName]resource.DeviceAttribute{"mig": {BoolValue: &mig}}}
	for _, attribute := range []string{".mig", ".?mig.orValue(true)"} {
		for _, devices := range [][]resource.Device{{former, current}, {current, former}} {
			device, err := allocate(`device.attributes["gpu.example.com"]`+attribute+" == false", devices)
			fmt.Printf("%s, %s before %s: %s %v\n", attribute, devices[0].Name, devices[1].Name, device, err)
		}
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/dynamic-resource-allocation@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'EOF'
.mig, old before new: none claim shop/gpu: selector #0: CEL runtime error: no such key: mig
.mig, new before old: new <nil>
.?mig.orValue(true), old before new: new <nil>
.?mig.orValue(true), new before old: new <nil>
EOF
