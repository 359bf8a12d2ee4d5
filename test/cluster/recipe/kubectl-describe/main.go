// Prints recorded objects as `kubectl describe` does, with kubectl's own describers. They read from a server in this process.
//
// Standard input: a line of JSON for each recording: {"objects": FILE, "takenAt": TIME, "to": FILE}.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"sort"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/kubectl/pkg/describe"
)

type object = map[string]any

type recording struct {
	Objects string `json:"objects"`
	TakenAt string `json:"takenAt"`
	To      string `json:"to"`
}

// The kinds in the order in which a person names them to kubectl.
var described = []schema.GroupKind{
	{Kind: "Node"},
	{Group: "apps", Kind: "Deployment"},
	{Group: "apps", Kind: "ReplicaSet"},
	{Group: "apps", Kind: "StatefulSet"},
	{Group: "apps", Kind: "DaemonSet"},
	{Kind: "Pod"},
	{Kind: "PersistentVolumeClaim"},
	{Kind: "ResourceQuota"},
}

var items []object

func main() {
	server := httptest.NewServer(http.HandlerFunc(answer))
	defer server.Close()
	config := &rest.Config{Host: server.URL, QPS: -1}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	failed := false
	for lines.Scan() {
		var each recording
		if err := json.Unmarshal(lines.Bytes(), &each); err != nil {
			panic(err)
		}
		if err := print(each, config); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", each.Objects, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

func print(each recording, config *rest.Config) error {
	raw, err := os.ReadFile(each.Objects)
	if err != nil {
		return err
	}
	var list struct{ Items []object }
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	taken, err := time.Parse(time.RFC3339, each.TakenAt)
	if err != nil {
		return err
	}
	now := time.Now().UTC().Truncate(time.Second)
	items = items[:0]
	for _, item := range list.Items {
		// The header of a recording is no object of a cluster.
		if _, ok := item["metadata"].(object); ok {
			items = append(items, shift(item, now.Sub(taken)).(object))
		}
	}
	var out strings.Builder
	for _, kind := range described {
		describer, ok := describe.DescriberFor(kind, config)
		if !ok {
			return fmt.Errorf("no describer of %s", kind)
		}
		for _, item := range sorted(kind.Kind) {
			meta := item["metadata"].(object)
			namespace, _ := meta["namespace"].(string)
			text, err := safely(describer, namespace, meta["name"].(string))
			if err != nil {
				return fmt.Errorf("%s %s: %w", kind.Kind, meta["name"], err)
			}
			if out.Len() > 0 {
				out.WriteString("\n\n")
			}
			out.WriteString(text)
		}
	}
	if err := os.WriteFile(each.To+".txt", []byte(out.String()), 0o644); err != nil {
		return err
	}
	return os.WriteFile(each.To+".at", []byte(now.Format(time.RFC3339)), 0o644)
}

func safely(describer describe.ResourceDescriber, namespace, name string) (text string, err error) {
	defer func() {
		if recovered := recover(); recovered != nil {
			err = fmt.Errorf("panic: %v", recovered)
		}
	}()
	return describer.Describe(namespace, name, describe.DescriberSettings{ShowEvents: true, ChunkSize: 500})
}

func shift(value any, by time.Duration) any {
	switch typed := value.(type) {
	case object:
		for key, field := range typed {
			typed[key] = shift(field, by)
		}
	case []any:
		for at, field := range typed {
			typed[at] = shift(field, by)
		}
	case string:
		if len(typed) < 20 || typed[4] != '-' || typed[10] != 'T' {
			return typed
		}
		layout := time.RFC3339
		if strings.Contains(typed, ".") {
			layout = "2006-01-02T15:04:05.000000Z07:00"
		}
		if moment, err := time.Parse(layout, typed); err == nil && moment.Year() > 2000 {
			return moment.Add(by).UTC().Format(layout)
		}
	}
	return value
}

func sorted(kind string) []object {
	var found []object
	for _, item := range items {
		if item["kind"] == kind {
			found = append(found, item)
		}
	}
	sort.SliceStable(found, func(one, other int) bool { return keyOf(found[one]) < keyOf(found[other]) })
	return found
}

func keyOf(item object) string {
	meta := item["metadata"].(object)
	namespace, _ := meta["namespace"].(string)
	return namespace + "/" + meta["name"].(string)
}

var kinds = map[string]string{
	"nodes": "Node", "pods": "Pod", "events": "Event", "deployments": "Deployment", "replicasets": "ReplicaSet",
	"statefulsets": "StatefulSet", "daemonsets": "DaemonSet", "persistentvolumeclaims": "PersistentVolumeClaim",
	"resourcequotas": "ResourceQuota", "persistentvolumes": "PersistentVolume", "leases": "Lease", "storageclasses": "StorageClass",
}

// Answers get and list of the objects, with selectors of labels and fields.
func answer(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if parts[0] == "api" {
		parts = parts[2:]
	} else {
		parts = parts[3:]
	}
	namespace := ""
	if parts[0] == "namespaces" && len(parts) > 2 {
		namespace, parts = parts[1], parts[2:]
	}
	kind := kinds[parts[0]]
	w.Header().Set("Content-Type", "application/json")
	if len(parts) > 1 {
		for _, item := range items {
			meta := item["metadata"].(object)
			if item["kind"] == kind && meta["name"] == parts[1] && (namespace == "" || meta["namespace"] == namespace) {
				json.NewEncoder(w).Encode(item)
				return
			}
		}
		w.WriteHeader(http.StatusNotFound)
		json.NewEncoder(w).Encode(object{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404})
		return
	}
	query := r.URL.Query()
	byLabel, err := labels.Parse(query.Get("labelSelector"))
	if err != nil {
		panic(err)
	}
	byField, err := fields.ParseSelector(query.Get("fieldSelector"))
	if err != nil {
		panic(err)
	}
	found := []object{}
	for _, item := range items {
		meta := item["metadata"].(object)
		if item["kind"] != kind || (namespace != "" && meta["namespace"] != namespace) {
			continue
		}
		set := labels.Set{}
		if of, ok := meta["labels"].(object); ok {
			for key, value := range of {
				set[key] = fmt.Sprint(value)
			}
		}
		if byLabel.Matches(set) && fieldsMatch(byField, item) {
			found = append(found, item)
		}
	}
	version := "v1"
	if strings.HasPrefix(r.URL.Path, "/apis/") {
		version = strings.Join(strings.Split(r.URL.Path, "/")[2:4], "/")
	}
	json.NewEncoder(w).Encode(object{"kind": kind + "List", "apiVersion": version, "metadata": object{}, "items": found})
}

func fieldsMatch(selector fields.Selector, item object) bool {
	for _, each := range selector.Requirements() {
		if (valueAt(item, strings.Split(each.Field, ".")) == each.Value) != (each.Operator == "=" || each.Operator == "==") {
			return false
		}
	}
	return true
}

func valueAt(value any, path []string) string {
	for _, key := range path {
		inner, ok := value.(object)
		if !ok {
			return ""
		}
		value = inner[key]
	}
	text, _ := value.(string)
	return text
}
