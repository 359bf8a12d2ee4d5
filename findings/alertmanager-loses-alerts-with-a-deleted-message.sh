#!/usr/bin/env bash
# A group of alerts in Slack by the receiver of Alertmanager with `update_message: true`
# (github.com/prometheus/alertmanager/notify/slack 0.34.1). Somebody deletes its message, and then a second service fails. A
# stand-in for Slack answers as Slack does.
# Guess: a new message is posted, once `chat.update` has answered `message_not_found`.
# Seen:  the notification fails without a retry and keeps the deleted message as its target, so all later alerts of the group are
#        lost as well. Tidying up a channel silences a running incident until all of it is resolved.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"time"

	"github.com/prometheus/alertmanager/config"
	amcommon "github.com/prometheus/alertmanager/config/common"
	"github.com/prometheus/alertmanager/nflog"
	"github.com/prometheus/alertmanager/notify"
	"github.com/prometheus/alertmanager/notify/slack"
	"github.com/prometheus/alertmanager/template"
	"github.com/prometheus/alertmanager/types"
	common "github.com/prometheus/common/config"
	"github.com/prometheus/common/model"
)

func main() {
	deleted := false
	server := httptest.NewTLSServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		var message struct{ Text string }
		if err := json.NewDecoder(request.Body).Decode(&message); err != nil {
			panic(err)
		}
		fmt.Printf("Slack gets %s: %s\n", request.URL.Path, message.Text)
		response.Header().Set("content-type", "application/json; charset=utf-8")
		if deleted && request.URL.Path == "/api/chat.update" {
			fmt.Fprint(response, `{"ok":false,"error":"message_not_found"}`)
			return
		}
		fmt.Fprint(response, `{"ok":true,"channel":"C1","ts":"1700000000.000100"}`)
	}))
	defer server.Close()
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, server.Listener.Addr().String())
	}
	templates, err := template.FromGlobs(nil)
	if err != nil {
		panic(err)
	}
	templates.ExternalURL = &url.URL{}
	address, err := url.Parse("https://slack.com/api/chat.postMessage")
	if err != nil {
		panic(err)
	}
	receiver, err := slack.New(&config.SlackConfig{
		HTTPConfig:    &common.HTTPClientConfig{TLSConfig: common.TLSConfig{InsecureSkipVerify: true}},
		APIURL:        &amcommon.SecretURL{URL: address},
		Channel:       "#alerts",
		MessageText:   `firing:{{ range .Alerts }} {{ .Labels.service }}{{ end }}`,
		UpdateMessage: true,
	}, templates, slog.New(slog.DiscardHandler), common.WithDialContextFunc(dial))
	if err != nil {
		panic(err)
	}
	store := nflog.NewStore(nil)
	var alerts []*types.Alert
	for _, service := range []string{"web", "db", "search"} {
		alerts = append(alerts, &types.Alert{Alert: model.Alert{
			Labels: model.LabelSet{"service": model.LabelValue(service)}, StartsAt: time.Now(), EndsAt: time.Now().Add(time.Hour),
		}})
		ctx := notify.WithNflogStore(notify.WithGroupKey(context.Background(), "shop"), store)
		retry, err := receiver.Notify(ctx, alerts...)
		fmt.Printf("error %v, retry %t\n", err, retry)
		deleted = true
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/prometheus/alertmanager@v0.34.1 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
Slack gets /api/chat.postMessage: firing: web
error <nil>, retry false
Slack gets /api/chat.update: firing: web db
error channel "C1": error response from Slack: message_not_found, retry false
Slack gets /api/chat.update: firing: web db search
error channel "C1": error response from Slack: message_not_found, retry false
OUT
