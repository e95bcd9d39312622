package main_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// heavy lists packages that would cost more brotli than they are worth, or
// bring what the engine must not see.
var heavy = []string{"fmt", "reflect", "encoding/json", "encoding/binary", "time", "embed", "syscall/js", "compress/gzip", "compress/flate", "sort", "os"}

func TestModuleStaysSmall(t *testing.T) {
	list := exec.Command("go", "list", "-deps", ".")
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range strings.Fields(string(out)) {
		for _, banned := range heavy {
			if pkg == banned {
				t.Errorf("the wasm module links %s", pkg)
			}
		}
	}
}
