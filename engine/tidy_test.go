package engine_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The rules that keep the engine deterministic and readable. They are checked
// here, on the source, and not by discipline.
const (
	maxFunctionLines = 70
	maxFileLines     = 400
	module           = "rebalancelab/"
)

// mayImport says which packages of the standard library the engine may use.
var mayImport = []string{"cmp", "errors", "math", "math/bits", "slices", "strconv", "strings", "unicode", "unicode/utf16", "unicode/utf8", "unsafe"}

// layers lists the engine's packages so that imports only point to earlier ones.
// Those of one line do not import each other.
var layers = [][]string{
	{"engine/clock", "engine/tape", "engine/rule"},
	{"engine/kafka"},
	{"engine/event"},
	{"engine/assignor"},
	{"engine/coordinator", "engine/consumer"},
	{"engine"},
	{"engine/script"},
	{"engine/session"},
	{"engine/wire"},
}

func layerOf(pkg string) int {
	return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, pkg) })
}

// source is one package of the engine without its tests.
type source struct {
	path  string // "engine/clock"
	files []*ast.File
	info  *types.Info
	pkg   *types.Package
}

func load(t *testing.T) (*token.FileSet, []*source) {
	t.Helper()
	fset := token.NewFileSet()
	found := map[string]*source{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == "testdata" {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		pkg := path.Join("engine", filepath.ToSlash(filepath.Dir(name)))
		if found[pkg] == nil {
			found[pkg] = &source{path: pkg}
		}
		found[pkg].files = append(found[pkg].files, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []*source
	for _, layer := range layers {
		for _, pkg := range layer {
			if found[pkg] == nil {
				t.Fatalf("layers names %s, which has no files", pkg)
			}
			all = append(all, found[pkg])
			delete(found, pkg)
		}
	}
	for pkg := range found {
		t.Errorf("%s stands in no layer", pkg)
	}
	return fset, all
}

// known imports the engine's own packages as they were checked, the standard
// library from its source.
type known struct {
	own      map[string]*types.Package
	standard types.Importer
}

func (k known) Import(name string) (*types.Package, error) {
	if pkg := k.own[name]; pkg != nil {
		return pkg, nil
	}
	return k.standard.Import(name)
}

func check(t *testing.T, fset *token.FileSet, all []*source) {
	t.Helper()
	imports := known{map[string]*types.Package{}, importer.ForCompiler(fset, "source", nil)}
	for _, s := range all {
		s.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
		config := types.Config{Importer: imports}
		pkg, err := config.Check(module+s.path, fset, s.files, s.info)
		if err != nil {
			t.Fatal(err)
		}
		s.pkg = pkg
		imports.own[module+s.path] = pkg
	}
}

func TestTidy(t *testing.T) {
	fset, all := load(t)
	check(t, fset, all)
	var broken []string
	report := func(at token.Pos, format string, args ...any) {
		broken = append(broken, fmt.Sprintf("%s: %s", fset.Position(at), fmt.Sprintf(format, args...)))
	}
	for _, s := range all {
		for _, file := range s.files {
			checkImports(s, file, report)
			checkSizes(fset, file, report)
			ast.Inspect(file, func(n ast.Node) bool {
				checkNode(s, n, report)
				return true
			})
		}
	}
	for _, line := range broken {
		t.Error(line)
	}
}

func checkImports(s *source, file *ast.File, report func(token.Pos, string, ...any)) {
	for _, spec := range file.Imports {
		name := strings.Trim(spec.Path.Value, `"`)
		own, inside := strings.CutPrefix(name, module)
		switch {
		case !inside && !slices.Contains(mayImport, name):
			report(spec.Pos(), "%s may not import %s", s.path, name)
		case inside && layerOf(own) >= layerOf(s.path):
			report(spec.Pos(), "%s may not import %s: imports point to earlier layers", s.path, own)
		}
	}
}

func checkSizes(fset *token.FileSet, file *ast.File, report func(token.Pos, string, ...any)) {
	lines := fset.Position(file.End()).Line
	if lines > maxFileLines {
		report(file.Pos(), "the file has %d lines; at most %d", lines, maxFileLines)
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok {
			if n := fset.Position(f.End()).Line - fset.Position(f.Pos()).Line + 1; n > maxFunctionLines {
				report(f.Pos(), "%s has %d lines; at most %d", f.Name.Name, n, maxFunctionLines)
			}
		}
	}
}

// checkNode finds what could make two runs differ.
func checkNode(s *source, n ast.Node, report func(token.Pos, string, ...any)) {
	switch n := n.(type) {
	case *ast.GoStmt:
		report(n.Pos(), "no goroutines")
	case *ast.ChanType, *ast.SelectStmt, *ast.SendStmt:
		report(n.Pos(), "no channels")
	case *ast.RangeStmt:
		if _, isMap := s.info.Types[n.X].Type.Underlying().(*types.Map); isMap {
			report(n.Pos(), "no range over a map")
		}
	case *ast.AssignStmt:
		for _, left := range n.Lhs {
			checkTarget(s, left, report)
		}
	case *ast.IncDecStmt:
		checkTarget(s, n.X, report)
	case ast.Expr:
		if basic, ok := s.info.Types[n].Type.(*types.Basic); ok && basic.Info()&(types.IsFloat|types.IsComplex) != 0 {
			report(n.Pos(), "no floating point")
		}
	}
}

// checkTarget finds assignments to package-level variables: state lives in values.
func checkTarget(s *source, e ast.Expr, report func(token.Pos, string, ...any)) {
	for {
		switch x := e.(type) {
		case *ast.IndexExpr:
			e = x.X
			continue
		case *ast.SelectorExpr:
			e = x.X
			continue
		case *ast.ParenExpr:
			e = x.X
			continue
		case *ast.Ident:
			if v, ok := s.info.Uses[x].(*types.Var); ok && v.Parent() == s.pkg.Scope() {
				report(x.Pos(), "%s is state of the package", x.Name)
			}
		}
		return
	}
}

// TestWords holds that unfinished things are absent, not marked.
func TestWords(t *testing.T) {
	words := []string{"TO" + "DO", "FIX" + "ME", "for " + "now", "not " + "implemented"}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		text, err := os.ReadFile(name)
		for _, word := range words {
			if strings.Contains(string(text), word) {
				t.Errorf("%s says %q", name, word)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
