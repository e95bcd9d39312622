package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// play runs the module of torture in Node and prints what it answers.
const play = `
const fs = require('fs');
new Function(fs.readFileSync(process.argv[1], 'utf8'))();
const go = new globalThis.Go();
go.env.GOGC = process.argv[3];
WebAssembly.instantiate(fs.readFileSync(process.argv[2]), go.importObject).then(({instance}) => {
  go.run(instance).catch((error) => { console.error(error); process.exit(1); });
  const {play, out, at, ticked} = instance.exports;
  let seed = 0;
  const turn = () => {
    const before = ticked();
    play(seed);
    process.stdout.write(String.fromCharCode(...Array.from({length: out()}, (_, i) => at(i))));
    const wait = () => {
      if (ticked() < before + 3) setTimeout(wait, 1);
      else if (++seed < 5) turn();
      else process.exit(0);
    };
    wait();
  };
  turn();
});`

// TestShrinkChangesNothing compares a module before and after web/tools/shrink.mjs.
func TestShrinkChangesNothing(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("this test needs Node, as the page does")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	support := filepath.Join(string(root[:len(root)-1]), "lib/wasm/wasm_exec.js")
	module := filepath.Join(t.TempDir(), "torture.wasm")
	command := func(name string, args ...string) string {
		t.Helper()
		c := exec.Command(name, args...)
		c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		return string(out)
	}
	command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", module, "./torture")
	before := command(node, "-e", play, support, module, "100")
	command(node, "../web/tools/shrink.mjs", module)
	for _, percent := range []string{"100", "10", "off"} {
		if after := command(node, "-e", play, support, module, percent); after != before {
			t.Errorf("GOGC=%s: answers\n%s\nand not\n%s", percent, after, before)
		}
	}
}
