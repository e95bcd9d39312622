package main

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestLoad is a second of load with a few viewers: everybody gets everything.
func TestLoad(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "rebalance")
	if out, err := exec.Command("go", "build", "-o", binary, "../rebalance").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := run(t.Context(), binary, 20, 1); err != nil {
		t.Error(err)
	}
}
