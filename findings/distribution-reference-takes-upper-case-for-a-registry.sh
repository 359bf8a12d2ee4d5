#!/usr/bin/env bash
# Image names with upper-case letters, parsed by github.com/distribution/reference 0.6.0, the parser of Docker, containerd and the kubelet. The
# names of repositories are lower case, and a registry is recognised by a dot, a port or the word `localhost`.
# Guess: an error for each of the three names, since none has a registry.
# Seen:  a first part with an upper-case letter is taken for a registry, without an error. `Team/web:1` is the repository `web` of the
#        host `Team`, so the pull fails with an error about an unknown host. Upper case in any other part gives the expected error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/distribution/reference"
)

func main() {
	for _, image := range []string{"team/web:1", "team/Web:1", "Web:1", "Team/web:1"} {
		if named, err := reference.ParseNormalizedNamed(image); err != nil {
			fmt.Printf("%s: %v\n", image, err)
		} else {
			fmt.Printf("%s: registry %s, repository %s\n", image, reference.Domain(named), reference.Path(named))
		}
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/distribution/reference@v0.6.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
team/web:1: registry docker.io, repository team/web
team/Web:1: invalid reference format: repository name (team/Web) must be lowercase
Web:1: invalid reference format: repository name (library/Web) must be lowercase
Team/web:1: registry Team, repository web
OUT
