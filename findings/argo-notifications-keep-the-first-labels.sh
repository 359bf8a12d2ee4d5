#!/usr/bin/env bash
# Alerts for Alertmanager about two applications, by one template of Argo CD's notifications with the name of the application in
# a label and in an annotation (github.com/argoproj/notifications-engine/pkg/services 0.5.0).
# Guess: each alert names its application.
# Seen:  the template is overwritten by its first result, so every later alert carries the labels and annotations of the first
#        application. Alertmanager takes them for one alert: the second outage pages nobody, or the team of the first.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"
	"text/template"

	"github.com/argoproj/notifications-engine/pkg/services"
)

func main() {
	alert := services.AlertmanagerNotification{
		GeneratorURL: "https://argocd.example.com/{{.app}}",
		Labels:       map[string]string{"app": "{{.app}}"},
		Annotations:  map[string]string{"summary": "{{.app}} is degraded"},
	}
	fill, err := alert.GetTemplater("degraded", template.FuncMap{})
	if err != nil {
		panic(err)
	}
	for _, app := range []string{"shop", "search"} {
		notification := services.Notification{}
		if err := fill(&notification, map[string]interface{}{"app": app}); err != nil {
			panic(err)
		}
		sent := notification.Alertmanager
		fmt.Printf("%s: label %s, %q, from %s\n", app, sent.Labels["app"], sent.Annotations["summary"], sent.GeneratorURL)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/argoproj/notifications-engine/pkg/services@v0.5.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
shop: label shop, "shop is degraded", from https://argocd.example.com/shop
search: label shop, "shop is degraded", from https://argocd.example.com/search
OUT
