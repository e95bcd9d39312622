package script_test

import (
	"os"
	"path/filepath"
	"testing"

	"rebalancelab/engine/script"
)

// TestScenariosPrintThemselves holds that every scenario file is what the
// printer writes of it.
func TestScenariosPrintThemselves(t *testing.T) {
	files, _ := filepath.Glob("scenarios/*.txt")
	reports, _ := filepath.Glob("scenarios/*/*.txt")
	files = append(files, reports...)
	if len(files) < 14 {
		t.Fatalf("found %d scenarios only", len(files))
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, diagnostics := script.Parse(string(text))
		for _, d := range diagnostics {
			t.Errorf("%s:%d:%d: %s", name, d.Line, d.Column, d.Message)
		}
		if file != nil && file.Print() != string(text) {
			t.Errorf("%s prints as\n%s", name, file.Print())
		}
	}
}
