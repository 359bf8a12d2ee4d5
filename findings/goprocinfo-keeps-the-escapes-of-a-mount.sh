#!/usr/bin/env bash
# A volume whose path has a space, as Linux lists it, read by github.com/c9s/goprocinfo 0.0.0-20210130143923-c95fcf8c64a8
# from the list of mounts and by github.com/moby/sys/mountinfo 0.7.2 from mountinfo.
# Guess: the same path. Linux writes a space of a path as `\040` in both files.
# Seen:  goprocinfo returns the path as it is written, so no file is found there.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/c9s/goprocinfo/linux"
	"github.com/moby/sys/mountinfo"
)

func main() {
	mounts, err := linux.ReadMounts("mounts")
	if err != nil {
		panic(err)
	}
	fmt.Printf("goprocinfo: %q\n", mounts.Mounts[0].MountPoint)
	file, err := os.Open("mountinfo")
	if err != nil {
		panic(err)
	}
	infos, err := mountinfo.GetMountsFromReader(file, nil)
	if err != nil {
		panic(err)
	}
	fmt.Printf("mountinfo:  %q\n", infos[0].Mountpoint)
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/c9s/goprocinfo@v0.0.0-20210130143923-c95fcf8c64a8 github.com/moby/sys/mountinfo@v0.7.2 >/dev/null 2>&1
echo '/dev/sdb /data/team\040a ext4 rw,relatime 0 0' >mounts
echo '36 35 98:0 / /data/team\040a rw,relatime - ext4 /dev/sdb rw' >mountinfo
go run -mod=mod . | tee seen
diff seen - <<'OUT'
goprocinfo: "/data/team\\040a"
mountinfo:  "/data/team a"
OUT
