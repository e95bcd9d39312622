package room_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPure holds that a room has no goroutine, clock or socket: two hosts drive
// it, each with its own.
func TestPure(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, banned := range []string{"net", "net/http", "os/exec", "nhooyr.io/websocket"} {
		if slices.Contains(strings.Fields(string(out)), banned) {
			t.Errorf("the room imports %s", banned)
		}
	}
	names, _ := filepath.Glob("*.go")
	fset := token.NewFileSet()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt, *ast.ChanType, *ast.SelectStmt:
				t.Errorf("%s: no goroutines and channels", fset.Position(n.Pos()))
			case *ast.SelectorExpr:
				if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "time" && n.Sel.Name != "Minute" && n.Sel.Name != "Hour" {
					t.Errorf("%s: no clock", fset.Position(n.Pos()))
				}
			}
			return true
		})
	}
}
