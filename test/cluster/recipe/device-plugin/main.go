// A device plug-in without devices: it offers names, reports those that a file lists as unhealthy,
// and refuses to allocate while another file exists.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

const interval = 500 * time.Millisecond

type plugin struct {
	api.UnimplementedDevicePluginServer
	count         int
	unhealthyFile string
	refusalFile   string
}

func (p *plugin) devices() []*api.Device {
	listed, _ := os.ReadFile(p.unhealthyFile)
	unhealthy := strings.Fields(string(listed))
	devices := make([]*api.Device, p.count)
	for i := range devices {
		id := fmt.Sprintf("device-%d", i)
		health := api.Healthy
		if slices.Contains(unhealthy, id) {
			health = api.Unhealthy
		}
		devices[i] = &api.Device{ID: id, Health: health}
	}
	return devices
}

func (p *plugin) GetDevicePluginOptions(context.Context, *api.Empty) (*api.DevicePluginOptions, error) {
	return &api.DevicePluginOptions{}, nil
}

// ListAndWatch sends the devices at first, and whenever the health of one has changed.
func (p *plugin) ListAndWatch(_ *api.Empty, stream api.DevicePlugin_ListAndWatchServer) error {
	sent := ""
	for {
		devices := p.devices()
		if state := fmt.Sprint(devices); state != sent {
			if err := stream.Send(&api.ListAndWatchResponse{Devices: devices}); err != nil {
				return err
			}
			sent = state
		}
		select {
		case <-stream.Context().Done():
			return nil
		case <-time.After(interval):
		}
	}
}

func (p *plugin) Allocate(_ context.Context, request *api.AllocateRequest) (*api.AllocateResponse, error) {
	if refusal, err := os.ReadFile(p.refusalFile); err == nil {
		return nil, errors.New(string(refusal))
	}
	response := &api.AllocateResponse{}
	for range request.ContainerRequests {
		response.ContainerResponses = append(response.ContainerResponses, &api.ContainerAllocateResponse{})
	}
	return response, nil
}

func main() {
	resource := flag.String("resource", "", "name of the extended resource")
	count := flag.Int("devices", 1, "number of devices")
	unhealthyFile := flag.String("unhealthy-file", "", "file with the ids of unhealthy devices")
	refusalFile := flag.String("refusal-file", "", "file with the error that Allocate returns while it exists")
	flag.Parse()
	socket := filepath.Join(api.DevicePluginPath, "node-test.sock")
	// A plug-in that was killed leaves its socket.
	_ = os.Remove(socket)
	listener, err := net.Listen("unix", socket)
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer()
	api.RegisterDevicePluginServer(server, &plugin{count: *count, unhealthyFile: *unhealthyFile, refusalFile: *refusalFile})
	go func() { log.Fatal(server.Serve(listener)) }()
	connection, err := grpc.NewClient("unix://"+api.KubeletSocket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Fatal(err)
	}
	registration := &api.RegisterRequest{
		Version:      api.Version,
		Endpoint:     filepath.Base(socket),
		ResourceName: *resource,
	}
	for {
		_, err = api.NewRegistrationClient(connection).Register(context.Background(), registration)
		if err == nil {
			break
		}
		log.Println("the kubelet does not answer yet:", err)
		time.Sleep(interval)
	}
	select {}
}
