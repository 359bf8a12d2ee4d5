// The two programs of Argo CD that decide what an Application's objects are and put them back, chosen by the first argument.
package main

import (
	"os"

	controller "github.com/argoproj/argo-cd/v3/cmd/argocd-application-controller/commands"
	reposerver "github.com/argoproj/argo-cd/v3/cmd/argocd-repo-server/commands"
)

func main() {
	command := controller.NewCommand()
	if len(os.Args) > 1 && os.Args[1] == "repo-server" {
		command = reposerver.NewCommand()
	}
	command.SetArgs(os.Args[2:])
	if err := command.Execute(); err != nil {
		os.Exit(1)
	}
}
