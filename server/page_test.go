package server

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func built(t *testing.T) http.Handler {
	t.Helper()
	directory := t.TempDir()
	for name, text := range map[string]string{
		"index.html": "<!doctype html><title>page</title>", "index.html.br": "packed page",
		"engine/engine.wasm": "wasm", "engine/engine.wasm.br": "packed wasm", "assets/a.js": "let a",
	} {
		file := filepath.Join(directory, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	handler, err := Page(directory)
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

func get(h http.Handler, method, path, encoding string) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	r.Header.Set("Accept-Encoding", encoding)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func TestPage(t *testing.T) {
	h := built(t)
	for _, c := range []struct {
		path, accept, encoding, kind string
		status                       int
	}{
		{"/", "gzip, br", "br", "text/html", 200},
		{"/", "gzip", "", "text/html", 200},
		{"/", "br;q=0", "", "text/html", 200},
		{"/engine/engine.wasm", "br", "br", "application/wasm", 200},
		{"/engine/engine.wasm", "", "", "application/wasm", 200},
		{"/assets/a.js", "br", "", "text/javascript", 200},
		{"/nothing", "br", "", "text/plain", 404},
		{"/../../etc/passwd", "br", "", "text/plain", 404},
	} {
		answer := get(h, http.MethodGet, c.path, c.accept)
		if answer.StatusCode != c.status || answer.Header.Get("Content-Encoding") != c.encoding ||
			!strings.HasPrefix(answer.Header.Get("Content-Type"), c.kind) {
			t.Errorf("%s accepting %q: %d %v", c.path, c.accept, answer.StatusCode, answer.Header)
		}
		if !strings.Contains(answer.Header.Get("Content-Security-Policy"), "'wasm-unsafe-eval'") ||
			answer.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", c.path, answer.Header)
		}
	}
	if answer := get(h, http.MethodPost, "/", "br"); answer.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST gives %d", answer.StatusCode)
	}
	if answer := get(h, http.MethodGet, "/assets/a.js", "br"); !strings.Contains(answer.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("assets: %v", answer.Header)
	}
}

// TestWorkerHeaders holds that the page has the same rules on Cloudflare, where
// the platform serves it.
func TestWorkerHeaders(t *testing.T) {
	headers, err := os.ReadFile("worker/_headers")
	if err != nil || !strings.Contains(string(headers), "  Content-Security-Policy: "+policy+"\n") {
		t.Errorf("%v: worker/_headers lacks %q", err, policy)
	}
}
