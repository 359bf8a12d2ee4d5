#!/usr/bin/env bash
# A ResourceClaim for all GPUs of a node (`allocationMode: All`) and for one GPU, on two nodes: the driver of node-1 has
# published one of its two ResourceSlices so far, as while it restarts; node-2 is complete. The allocator of the scheduler
# (k8s.io/dynamic-resource-allocation 0.36.3) tells by ErrFailedAllocationOnNode that only this node does not fit.
# Guess: node-1 does not fit for either claim, and node-2 does.
# Seen:  the claim for all GPUs fails on node-1 with an error without this mark, which ends the attempt for the whole pod instead of
#        leaving out the node: the restart of one driver keeps pods pending that fit on another node. The claim for one
#        GPU finds none on node-1 and no error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"context"
	"errors"
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

func slice(node string, wanted int64) *resource.ResourceSlice {
	return &resource.ResourceSlice{ObjectMeta: meta.ObjectMeta{Name: node}, Spec: resource.ResourceSliceSpec{
		Driver: "gpu.example.com", NodeName: &node, Pool: resource.ResourcePool{Name: node, ResourceSliceCount: wanted},
		Devices: []resource.Device{{Name: "gpu-0"}},
	}}
}

func main() {
	ctx := context.Background()
	state := structured.AllocatedState{
		AllocatedDevices:         sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
	}
	slices := []*resource.ResourceSlice{slice("node-1", 2), slice("node-2", 1)}
	allocator, err := structured.NewAllocator(ctx, structured.Features{}, state, classes{}, slices, cel.NewCache(10, cel.Features{}))
	if err != nil {
		panic(err)
	}
	for _, request := range []*resource.ExactDeviceRequest{
		{DeviceClassName: "gpu", AllocationMode: resource.DeviceAllocationModeExactCount, Count: 1},
		{DeviceClassName: "gpu", AllocationMode: resource.DeviceAllocationModeAll},
	} {
		for _, name := range []string{"node-1", "node-2"} {
			claim := &resource.ResourceClaim{ObjectMeta: meta.ObjectMeta{Namespace: "shop", Name: "gpu", UID: "1"}}
			claim.Spec.Devices.Requests = []resource.DeviceRequest{{Name: "gpu", Exactly: request}}
			node := &core.Node{ObjectMeta: meta.ObjectMeta{Name: name}}
			results, err := allocator.Allocate(ctx, node, []*resource.ResourceClaim{claim})
			fmt.Printf("%s on %s: fits %t, error %v", request.AllocationMode, name, len(results) > 0, err)
			if err != nil {
				fmt.Printf(", of this node alone: %t", errors.Is(err, structured.ErrFailedAllocationOnNode))
			}
			fmt.Println()
		}
	}
}
GO
go mod init finding >/dev/null 2>&1
go get k8s.io/dynamic-resource-allocation@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
ExactCount on node-1: fits false, error <nil>
ExactCount on node-2: fits true, error <nil>
All on node-1: fits false, error claim shop/gpu, request gpu: asks for all devices, but resource pool gpu.example.com/node-1 is currently being updated, of this node alone: false
All on node-2: fits true, error <nil>
OUT
